"""BBR v3: BBR that probes for bandwidth every few seconds, leaves headroom to others and answers losses above 2 %.

Source: draft-ietf-ccwg-bbr-06 (its sections are cited below). For readers of Linux: bw_shortterm is bw_lo there,
inflight_shortterm is inflight_lo, and inflight_longterm is inflight_hi.

Deviations:

- Losses are told after the ACK that revealed them, so the model takes them in one ACK later.
- Nothing is undone after spurious losses (section 5.5.11): no event tells of them.
- The window never falls below RFC 9002's two packets, and persistent congestion (RFC 9002 section 7.6) stands for the
  retransmission timeout. Recovery ends as `cc.sender.bbr.recovery` says.
- Where the draft waits for a bound to be hit, "in flight" is what was before the ACK (as in Linux), and a bound less
  than a packet away is hit: ACKs for ten packets would hide it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.base import BbrSender
from cc.sender.bbr.bbr3_longterm import LongTermBound
from cc.sender.bbr.bbr3_model import Bbr3Model
from cc.sender.bbr.bbr3_probe import ProbeTimer
from cc.sender.bbr.bbr3_states import ACCELERATING, CWND_GAINS, PACING_GAINS, PROBE_BW, STARTUP_GAIN, State

DRAIN_ROUNDS_MAX = 3  # section 5.3.2
SEND_QUANTUM_S = 0.001  # section 5.6.3
SEND_QUANTUM_MAX_BYTES = 64 * 1024  # section 5.6.3


class Bbr3(BbrSender):
    """The model-based controller that answers losses and shares with CUBIC."""

    startup_gain: ClassVar[float] = STARTUP_GAIN
    pacing_gains: ClassVar[Mapping[State, float]] = PACING_GAINS
    cwnd_gains: ClassVar[Mapping[State, float]] = CWND_GAINS
    startup_loss_ranges: ClassVar[int] = 6  # BBRStartupFullLossCnt, section 5.3.1.3

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        """OnInit, section 5.2.1."""
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.model = Bbr3Model()
        self.longterm = LongTermBound(packet_bytes=self.max_datagram_bytes)
        self.probe_timer = ProbeTimer()
        self.state = State.STARTUP
        self._drain_began_round = 0
        self._restarts_from_idle = False

    # What variants may change

    def has_probed_enough(self, event: AckEvent) -> bool:
        """Whether ProbeBW_UP has found the bandwidth (IsTimeToGoDown, section 5.3.3.9)."""
        if self.model.is_window_limited and self.longterm.is_within(self._window_bytes):
            self.model.restart_full_bandwidth(event)  # the bound, not the path, limits the bandwidth
            return False
        return self.model.is_full_bandwidth_now

    def is_drained(self, event: AckEvent) -> bool:
        """CheckDrainDone, section 5.3.2."""
        rounds = self.model.rounds.count - self._drain_began_round
        return event.bytes_in_flight <= self.inflight_bytes(1.0) or rounds > DRAIN_ROUNDS_MAX

    def startup_loss_bound_bytes(self) -> float:
        """What a Startup that ended with losses found safe (section 5.3.1.3)."""
        return max(self.model.bdp_bytes or 0.0, self.model.inflight_latest_bytes)

    # What is seen from outside

    @property
    def bandwidth_bytes_per_s(self) -> float:
        return self.model.bandwidth_bytes_per_s

    @property
    def is_pipe_full(self) -> bool:
        return self.model.is_full_bandwidth_reached

    @property
    def is_in_startup(self) -> bool:
        return self.state is State.STARTUP

    @property
    def is_probing_rtt(self) -> bool:
        return self.state is State.PROBE_RTT

    @property
    def pacing_gain(self) -> float:
        """Section 5.6.1."""
        return self.pacing_gains[self.state]

    def inflight_bytes(self, gain: float) -> float:
        """Inflight, section 5.6.4.2: `gain` bandwidth-delay products, or what the end systems need at least."""
        return self._with_budget(self._bdp_multiple_bytes(gain))

    def target_window_bytes(self) -> float:
        """BBR.max_inflight, section 5.6.4.2."""
        window_bytes = self._bdp_multiple_bytes(self.cwnd_gains[self.state])
        return self._with_budget(window_bytes + self.model.aggregation.extra_acked_bytes)

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "max_bandwidth_bytes_per_s": self.model.max_bandwidth_bytes_per_s,
            "bandwidth_bytes_per_s": self.model.bandwidth_bytes_per_s,
            "min_rtt_s": self.model.min_rtt_s,
            "inflight_longterm_bytes": self.longterm.inflight_bytes,
            "inflight_shortterm_bytes": self.model.inflight_shortterm_bytes,
            "pacing_gain": self.pacing_gain,
        }

    # Events

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        """HandleRestartFromIdle, section 5.4.1; and whether the window is in use (C.is_cwnd_limited)."""
        if bytes_in_flight + self.max_datagram_bytes > self._window_bytes:
            self.model.note_full_window()
        if bytes_in_flight > packet.size_bytes or not packet.is_app_limited:
            return
        self._restarts_from_idle = True
        self.model.aggregation.restart(now_s)
        if self.state in PROBE_BW:
            self._pace_with(1.0)
        elif self.state is State.PROBE_RTT and self.model.probe_rtt.has_elapsed(now_s):
            self._leave_probe_rtt(now_s)

    def on_ack(self, event: AckEvent) -> None:
        """UpdateOnACK, section 5.2.3."""
        self.model.on_ack(event, cwnd_bytes=self.cwnd_bytes, is_accelerating=self.state in ACCELERATING)
        if self.model.is_round_start:
            self.probe_timer.on_round()
        self._check_startup_done(event)
        if self.state is State.DRAIN and self.is_drained(event):
            self._start_down(event.now_s)
        if self.model.is_full_bandwidth_reached:
            self._update_cycle(event)
        self.model.update_min_rtt(event)
        self._check_probe_rtt(event)
        self._restarts_from_idle = False
        self.model.end_ack(event)
        self._update_pacing_rate(event)
        self._update_window(event)

    def on_loss(self, event: LossEvent) -> None:
        """HandleLostPacket, section 5.5.10.2."""
        if event.is_persistent_congestion:
            self._save_window()
            self._collapse_window()
        elif not self.recovery.is_active:
            self._save_window()
        self.recovery.on_loss(event.now_s)
        self.model.on_loss(event)
        if self.longterm.on_loss(event, target_bytes=self._target_inflight_bytes()) and self.state is State.UP:
            self._start_down(event.now_s)

    # The state machine, section 5.3

    def _check_startup_done(self, event: AckEvent) -> None:
        """CheckStartupDone, sections 5.3.1.1 and 5.3.1.3."""
        is_lossy = self.recovery.is_active and self.model.loss_ranges_last_round >= self.startup_loss_ranges
        if self.state is State.STARTUP and is_lossy and self.longterm.is_too_high(event):
            self.model.is_full_bandwidth_now = self.model.is_full_bandwidth_reached = True
            self.longterm.inflight_bytes = self.startup_loss_bound_bytes()
        if self.state is State.STARTUP and self.model.is_full_bandwidth_reached:
            self.state = State.DRAIN
            self._drain_began_round = self.model.rounds.count

    def _update_cycle(self, event: AckEvent) -> None:
        """UpdateProbeBWCyclePhase, section 5.3.3.9."""
        is_round_start = self.model.is_round_start
        if is_round_start and self.longterm.on_round_start():  # a round trip after the probe ended
            if self.state in PROBE_BW and not self.model.is_limited(event):
                self.model.advance_max_bandwidth()
            if self.state in PROBE_BW and self.longterm.may_probe_again:
                self._start_refill(event)
                return
        self.longterm.on_ack(
            event,
            is_probing_up=self.state is State.UP and self.model.is_window_limited,
            is_round_start=is_round_start,
            window_bytes=self._window_bytes,
        )
        if self.state is State.REFILL and is_round_start:
            self._start_up(event)
        elif self.state is State.UP and (self.longterm.is_risky(event) or self.has_probed_enough(event)):
            self.longterm.prev_probe_too_high = False
            self._start_down(event.now_s)
        elif self.state in {State.DOWN, State.CRUISE}:
            packets = self._target_inflight_bytes() / self.max_datagram_bytes
            if self.probe_timer.is_due(event.now_s, inflight_packets=packets):
                self._start_refill(event)
            elif self.state is State.DOWN and self._is_time_to_cruise(event):
                self.state = State.CRUISE

    def _is_time_to_cruise(self, event: AckEvent) -> bool:
        max_bdp_bytes = self._with_budget(self.model.max_bandwidth_bytes_per_s * (self.model.min_rtt_s or 0.0))
        return event.bytes_in_flight <= min(self.longterm.with_headroom_bytes, max_bdp_bytes)

    def _start_down(self, now_s: float) -> None:
        self.model.reset_congestion_signals()
        self.probe_timer.start(now_s, self.rng)
        self.longterm.stop_probe()
        self.model.rounds.restart(self.model.delivered_bytes)
        self.state = State.DOWN

    def _start_refill(self, event: AckEvent) -> None:
        self.model.reset_shortterm()
        self.longterm.refill()
        self.model.rounds.restart(event.delivered_bytes)
        self.state = State.REFILL

    def _start_up(self, event: AckEvent) -> None:
        self.longterm.start_probe(self._window_bytes)
        self.model.rounds.restart(event.delivered_bytes)
        self.model.restart_full_bandwidth(event)
        self.state = State.UP

    def _check_probe_rtt(self, event: AckEvent) -> None:
        """CheckProbeRTT, section 5.3.4.3."""
        model = self.model
        if self.state is not State.PROBE_RTT:
            if not model.is_probe_rtt_due or self._restarts_from_idle:
                return
            self._save_window()
            self.state = State.PROBE_RTT
            model.probe_rtt.begin(event.now_s)
            self.longterm.stop_probe()
            model.rounds.restart(event.delivered_bytes)
        if model.probe_rtt.on_ack(
            event, target_bytes=self._probe_rtt_bytes(), is_round_start=model.is_round_start, rounds=model.rounds
        ):
            self._leave_probe_rtt(event.now_s)

    def _leave_probe_rtt(self, now_s: float) -> None:
        """ExitProbeRTT, section 5.3.4.4: straight to cruising, for nothing is queued."""
        self.model.probe_rtt_min_stamp_s = now_s
        self._restore_window()
        self.model.reset_shortterm()
        if self.model.is_full_bandwidth_reached:
            self._start_down(now_s)
            self.state = State.CRUISE
        else:
            self.state = State.STARTUP

    # The window, section 5.6.4

    def _bdp_multiple_bytes(self, gain: float) -> float:
        """BDPMultiple, section 5.6.4.2."""
        return self._initial_window_bytes if self.model.bdp_bytes is None else gain * self.model.bdp_bytes

    def _with_budget(self, inflight_bytes: float) -> float:
        """QuantizationBudget, section 5.6.4.2, with QUIC's offload budget of section 5.5.8.2."""
        quantum_bytes = min(self._pacing_rate * SEND_QUANTUM_S, SEND_QUANTUM_MAX_BYTES)
        inflight_bytes = max(inflight_bytes, quantum_bytes, self._min_pipe_bytes)
        return inflight_bytes + 2 * self.max_datagram_bytes if self.state is State.UP else inflight_bytes

    def _target_inflight_bytes(self) -> float:
        """TargetInflight, section 5.3.3.8.3."""
        return min(self._bdp_multiple_bytes(1.0), self._window_bytes)

    def _probe_rtt_bytes(self) -> float:
        """ProbeRTTCwnd, section 5.6.4.5."""
        return max(self._bdp_multiple_bytes(self.cwnd_gains[State.PROBE_RTT]), self._min_pipe_bytes)

    def _update_window(self, event: AckEvent) -> None:
        """SetCwnd and BoundCwndForModel, sections 5.6.4.6 and 5.6.4.7."""
        if self.recovery.on_ack(event):
            self._restore_window()
        bounds = [self._grown_window_bytes(event)]
        if self.state is State.PROBE_RTT:
            bounds.append(self._probe_rtt_bytes())
        if self.state in {State.CRUISE, State.PROBE_RTT}:
            bounds.append(self.longterm.with_headroom_bytes)
        elif self.state in PROBE_BW and self.longterm.inflight_bytes is not None:
            bounds.append(self.longterm.inflight_bytes)
        if self.model.inflight_shortterm_bytes is not None:
            bounds.append(self.model.inflight_shortterm_bytes)
        self._set_window(max(min(bounds), self._min_pipe_bytes))


SCHEME = Scheme(
    name="bbr3",
    title="BBR v3",
    control="sender",
    family="Model-based",
    summary="BBR that probes every two to three seconds, leaves headroom and answers losses above 2 %.",
    source="draft-ietf-ccwg-bbr-06",
    make_sender=Bbr3,
)
