"""BBR v1: paces at the bandwidth of the bottleneck, and keeps about one bandwidth-delay product in flight.

Source: draft-cardwell-iccrg-bbr-congestion-control-00 (its sections are cited below), and where that is silent Linux,
net/ipv4/tcp_bbr.c at 02dc96ef: the pacing margin, the compensation for aggregated ACKs, the end of ProbeRTT after a
pause and what a timeout does to Startup.

Deviations:

- Recovery ends as in Google's QUIC (`cc.sender.bbr.recovery`); TCP's ends when all losses are repaired.
- The window never falls below RFC 9002's two packets; the draft goes down to one.
- Persistent congestion (RFC 9002 section 7.6) stands for the retransmission timeout.
- The draft adds three send quanta to every target, and so does this; Linux also rounds up to an even number.
- Linux's detector of traffic policers is left out: neither the draft nor Google's QUIC has it.
- The minimum RTT is brought up to date before the state machine looks at it, not after: one ACK earlier.

Variants derive from `Bbr` and override a parameter or one of the methods under "What variants may change".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.base import BbrSender
from cc.sender.bbr.model import PathModel, send_quantum_bytes

HIGH_GAIN = 2 / math.log(2)  # BBRHighGain, section 4.3.2.1: the least gain that doubles the rate each round trip
QUANTA_IN_TARGET = 3  # section 4.2.3.2


class State(Enum):
    """Section 4.3."""

    STARTUP = "startup"
    DRAIN = "drain"
    PROBE_BW = "probe-bw"
    PROBE_RTT = "probe-rtt"


class Bbr(BbrSender):
    """The model-based controller of 2016, and what its variants have in common."""

    startup_gain: ClassVar[float] = HIGH_GAIN
    bandwidth_filter_rounds: ClassVar[int] = 10  # BtlBwFilterLen, section 4.1.1.3
    min_rtt_filter_s: ClassVar[float] = 10.0  # RTpropFilterLen and ProbeRTTInterval, section 4.3.5
    drain_gain: ClassVar[float] = 1 / HIGH_GAIN  # section 4.3.3
    cwnd_gain: ClassVar[float] = 2.0  # section 4.3.4.1
    gain_cycle: ClassVar[tuple[float, ...]] = (1.25, 0.75, 1, 1, 1, 1, 1, 1)  # section 4.3.4.1

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        """BBRInit, section 4.3.1."""
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.model = PathModel(
            bandwidth_filter_rounds=self.bandwidth_filter_rounds, min_rtt_filter_s=self.min_rtt_filter_s
        )
        self.state = State.STARTUP
        self.cycle_index = 0
        self.phase_began_s = 0.0
        self._restarts_from_idle = False
        self._conserves_packets = False
        self._lost_since_ack = False
        self._last_ack: AckEvent | None = None

    # What variants may change

    def start_cycle(self, now_s: float) -> None:
        """ProbeBW begins, in any phase but the one that drains (BBREnterProbeBW, section 4.3.4.3)."""
        last = len(self.gain_cycle) - 1
        self.cycle_index = last - int(self.rng.random() * last)
        self.advance_phase(now_s)

    def advance_phase(self, now_s: float) -> None:
        """BBRAdvanceCyclePhase, section 4.3.4.3."""
        self.phase_began_s = now_s
        self.cycle_index = (self.cycle_index + 1) % len(self.gain_cycle)

    def check_phase(self, event: AckEvent) -> None:
        """BBRCheckCyclePhase, section 4.3.4.3; called for every ACK in ProbeBW."""
        if self.is_phase_over(event):
            self.advance_phase(event.now_s)

    def is_phase_over(self, event: AckEvent) -> bool:
        """BBRIsNextCyclePhase, section 4.3.4.3."""
        is_full_length = event.now_s - self.phase_began_s > (self.model.min_rtt_s or 0.0)
        gain = self.gain_cycle[self.cycle_index]
        if gain < 1:
            return is_full_length or event.prior_bytes_in_flight <= self.inflight_bytes(1.0)
        has_filled = gain == 1 or event.prior_bytes_in_flight >= self.inflight_bytes(gain)
        return is_full_length and (has_filled or self._lost_since_ack)

    def probe_bw_gain(self) -> float:
        """The pacing gain of the present phase of ProbeBW; a variant that moves it does not move the phase's end."""
        return self.gain_cycle[self.cycle_index]

    def target_window_bytes(self) -> float:
        """BBR.target_cwnd, section 4.2.3.2; aggregated ACKs are compensated as in Linux, bbr_ack_aggregation_cwnd."""
        gain = {State.PROBE_BW: self.cwnd_gain, State.PROBE_RTT: 1.0}.get(self.state, HIGH_GAIN)
        return self.inflight_bytes(gain) + self.model.extra_acked_bytes

    def probe_rtt_window_bytes(self, window_bytes: float) -> float:
        """What ProbeRTT leaves of a window (section 4.2.3.5)."""
        return min(window_bytes, self._min_pipe_bytes)

    def enter_recovery(self, event: LossEvent) -> None:
        """For a round trip one packet may leave for each that arrives (section 4.2.3.4)."""
        ack = self._last_ack
        acked_bytes = ack.acked_bytes if ack is not None and ack.now_s == event.now_s else 0
        self._set_window(event.bytes_in_flight + max(acked_bytes, self.max_datagram_bytes))
        self._conserves_packets = True
        self.model.rounds.restart(0 if ack is None else ack.delivered_bytes)

    def conserving_window_bytes(self, event: AckEvent) -> float:
        """The window while `enter_recovery` has it conserve packets (section 4.2.3.4)."""
        return max(self._window_bytes, event.bytes_in_flight + event.acked_bytes)

    # What is seen from outside

    @property
    def bandwidth_bytes_per_s(self) -> float:
        return self.model.bandwidth_bytes_per_s

    @property
    def is_pipe_full(self) -> bool:
        return self.model.is_pipe_full

    @property
    def is_in_startup(self) -> bool:
        return self.state is State.STARTUP

    @property
    def is_probing_rtt(self) -> bool:
        return self.state is State.PROBE_RTT

    @property
    def pacing_gain(self) -> float:
        """Sections 4.3.2 to 4.3.5."""
        if self.state is State.PROBE_BW:
            return self.probe_bw_gain()
        return {State.STARTUP: HIGH_GAIN, State.DRAIN: self.drain_gain}.get(self.state, 1.0)

    def inflight_bytes(self, gain: float) -> float:
        """BBRInflight, section 4.2.3.2: `gain` bandwidth-delay products, and what the end systems hold back."""
        if self.model.bdp_bytes is None:
            return self._initial_window_bytes
        quantum_bytes = send_quantum_bytes(self._pacing_rate, self.max_datagram_bytes)
        return gain * self.model.bdp_bytes + QUANTA_IN_TARGET * quantum_bytes

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "bandwidth_bytes_per_s": self.model.bandwidth_bytes_per_s,
            "min_rtt_s": self.model.min_rtt_s,
            "pacing_gain": self.pacing_gain,
            "extra_acked_bytes": self.model.extra_acked_bytes,
        }

    # Events

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        """BBRHandleRestartFromIdle, section 4.3.4.4."""
        if bytes_in_flight > packet.size_bytes or not packet.is_app_limited:
            return
        self._restarts_from_idle = True
        self.model.aggregation.restart(now_s)
        if self.state is State.PROBE_BW:
            self._pace_with(1.0)
        elif self.state is State.PROBE_RTT and self.model.probe_rtt.has_elapsed(now_s):  # Linux, bbr_cwnd_event
            self._leave_probe_rtt(now_s)

    def on_ack(self, event: AckEvent) -> None:
        self._last_ack = event
        self.model.on_ack(event, cwnd_bytes=self.cwnd_bytes)
        if self.state is State.PROBE_BW:
            self.check_phase(event)
        self._check_drain(event)
        self._check_probe_rtt(event)
        self._restarts_from_idle = False
        self._update_pacing_rate(event)
        self._update_window(event)
        self._lost_since_ack = False

    def on_loss(self, event: LossEvent) -> None:
        self._lost_since_ack = True
        if event.is_persistent_congestion:
            self._save_window()
            self._collapse_window()
            self._conserves_packets = False
            self.model.forget_growth()
        elif self.recovery.is_active:
            self._set_window(self._window_bytes - event.lost_bytes)
        else:
            self._save_window()
            self.enter_recovery(event)
        self.recovery.on_loss(event.now_s)

    # The state machine, section 4.3

    def _check_drain(self, event: AckEvent) -> None:
        """BBRCheckDrain, section 4.3.3."""
        if self.state is State.STARTUP and self.model.is_pipe_full:
            self.state = State.DRAIN
        if self.state is State.DRAIN and event.bytes_in_flight <= self.inflight_bytes(1.0):
            self.state = State.PROBE_BW
            self.start_cycle(event.now_s)

    def _check_probe_rtt(self, event: AckEvent) -> None:
        """BBRCheckProbeRTT, section 4.3.5."""
        model = self.model
        if self.state is not State.PROBE_RTT:
            if not model.is_min_rtt_expired or self._restarts_from_idle:
                return
            self._save_window()
            self.state = State.PROBE_RTT
            model.probe_rtt.begin(event.now_s)
        if model.probe_rtt.on_ack(
            event, target_bytes=self._min_pipe_bytes, is_round_start=model.is_round_start, rounds=model.rounds
        ):
            self._leave_probe_rtt(event.now_s)

    def _leave_probe_rtt(self, now_s: float) -> None:
        """BBRExitProbeRTT, section 4.3.5."""
        self.model.min_rtt_stamp_s = now_s
        self._restore_window()
        self.state = State.PROBE_BW if self.model.is_pipe_full else State.STARTUP
        if self.state is State.PROBE_BW:
            self.start_cycle(now_s)

    def _update_window(self, event: AckEvent) -> None:
        """BBRSetCwnd, section 4.2.3.6."""
        if self.recovery.on_ack(event):
            self._restore_window()
        is_first_round = self.recovery.is_active and not self.model.is_round_start
        self._conserves_packets = self._conserves_packets and is_first_round
        window = self.conserving_window_bytes(event) if self._conserves_packets else self._grown_window_bytes(event)
        self._set_window(self.probe_rtt_window_bytes(window) if self.state is State.PROBE_RTT else window)


SCHEME = Scheme(
    name="bbr",
    title="BBR v1",
    control="sender",
    family="Model-based",
    summary="Paces at the bandwidth it measures; probes for more of it, and for the round trip without a queue.",
    source="draft-cardwell-iccrg-bbr-congestion-control-00",
    make_sender=Bbr,
)
