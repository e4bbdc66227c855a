"""Eagle: a recurrent policy that was taught by BBR multiplies the window once a round trip.

Source: Emara, Li, Chen: Eagle, Refining Congestion Control by Learning from the Experts, INFOCOM 2020. Used are its
abstract (BBR teaches, an LSTM learns), that it learns by cross-entropy, and that its seven actions multiply or divide
the window by 2.89 (BBR's gain in Startup), 1.5 and 1.05, or leave it.

Not used, for the text is not public: its state, its intervals, its reward, and the reinforcement learning that goes on
beyond the teacher. So this policy imitates and refines nothing. What is this project's:

- The teacher is `Bbr`, which hears all events beside the policy. It wants its gain's share of the bandwidth-delay
  product in flight, with BBR's allowance for aggregated ACKs, and in ProbeRTT four packets. The lesson is the action
  that comes nearest (`models/recipes/eagle.py`).
- State: the gain of BBR's phase, the window over what BBR wants at a gain of 1, the rate of delivery and the RTT over
  their best, and losses.
- An interval lasts a smoothed RTT, and 10 ms at least.
- The window of a policy is paced as any window is; BBR's own rate serves where BBR does.
- Without a policy's answer it is BBR, whose model has gone on meanwhile.

Safety that the paper does not have: no action lifts the window above three times what the last round trip delivered,
nor while the application leaves it unused (`delivered_ceiling.py`); persistent congestion leaves two packets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, Phase, SentPacket
from cc.core.decision import Choices, DecisionRequest, Decisions, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import Bbr, State
from cc.sender.delivered_ceiling import DeliveredCeiling

FACTORS = (2.89, 1.5, 1.05)
ACTIONS = (*FACTORS, 1.0, *(1 / factor for factor in reversed(FACTORS)))
LEAST_INTERVAL_S = 0.010

FEATURES = (
    Feature("phase_gain", "ratio", 0.0, 3.0, "the pacing gain of BBR's phase; 0 in ProbeRTT"),
    Feature("window", "ratio", 0.25, 4.0, "window over what BBR wants at a gain of 1", is_logarithmic=True),
    Feature("throughput", "ratio", 0.0, 1.0, "rate of delivery over BBR's bandwidth"),
    Feature("delay", "ratio", 0.0, 1.0, "BBR's least RTT over the mean of the interval"),
    Feature("loss", "ratio", 0.0, 1.0, "lost of what became known in the interval"),
)


class Eagle(Bbr):
    """A learned window; BBR while nobody decides."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=1,
        actions=Choices(ACTIONS, "the window times this"),
        interval="a smoothed round-trip time, and 10 ms at least",
    )

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.decisions = Decisions(self.policy_space)
        self._meter = IntervalMeter()
        self._ceiling = DeliveredCeiling(max_datagram_bytes)
        self._decided_bytes: float | None = None
        """The policy's window; None while BBR's rules."""

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    @property
    def cwnd_bytes(self) -> int:
        return super().cwnd_bytes if self._decided_bytes is None else int(self._decided_bytes)

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        return super().pacing_rate_bytes_per_s if self._decided_bytes is None else None

    @property
    def phase(self) -> Phase:
        return super().phase if self._decided_bytes is None else Phase.AVOIDANCE

    def taught_window_bytes(self) -> float:
        """What BBR would have in flight now."""
        if self.state is State.PROBE_RTT:
            return float(self._min_pipe_bytes)
        return self.inflight_bytes(self.pacing_gain) + self.model.extra_acked_bytes

    def on_decision(self, sequence: int, action: float | None) -> None:
        """The action, below the ceiling."""
        accepted = self.decisions.accept(sequence, action)
        if accepted is None:
            return
        window_bytes = float(self.cwnd_bytes) if self._decided_bytes is None else self._decided_bytes
        wanted_bytes = window_bytes * ACTIONS[int(accepted)]
        bounded_bytes = self._ceiling.bounded(wanted_bytes, window_bytes=window_bytes)
        self._decided_bytes = max(bounded_bytes, self._minimum_window_bytes)

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._meter.start_s is None:
            self._meter.begin(now_s)
        self._meter.on_packet_sent(packet)
        super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self._hear(event.now_s)
        self._ceiling.on_ack(event)
        self._meter.on_ack(event)
        super().on_ack(event)
        start_s, rtt = self._meter.start_s, event.rtt
        if start_s is not None and rtt is not None and event.now_s - start_s >= max(rtt.smoothed_s, LEAST_INTERVAL_S):
            measured = self._meter.end(event.now_s)
            self.decisions.end_interval(self._features(measured), measured, now_s=event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        self._hear(event.now_s)
        self._meter.on_loss(event)
        super().on_loss(event)
        if event.is_persistent_congestion and self._decided_bytes is not None:
            self._decided_bytes = float(self._minimum_window_bytes)

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            **self.decisions.log_fields(),
            "taught_window_bytes": self.taught_window_bytes(),
        }

    def _hear(self, now_s: float) -> None:
        """BBR takes over where no answer came."""
        self.decisions.on_event(now_s)
        if self.decisions.uses_heuristic:
            self._decided_bytes = None

    def _features(self, measured: IntervalMeasurement) -> tuple[float, ...]:
        wanted_bytes = self.inflight_bytes(1.0) + self.model.extra_acked_bytes
        bandwidth, rtt_s, least_s = self.bandwidth_bytes_per_s, measured.rtt_mean_s, self.model.min_rtt_s
        return (
            0.0 if self.state is State.PROBE_RTT else self.pacing_gain,
            self.cwnd_bytes / wanted_bytes,
            measured.acked_bytes_per_s / bandwidth if bandwidth > 0 else 0.0,
            least_s / rtt_s if rtt_s and least_s is not None else 0.0,
            measured.loss_ratio,
        )


SCHEME = Scheme(
    name="eagle",
    title="Eagle",
    control="sender",
    family="Learned",
    summary="A recurrent policy, taught by BBR, multiplies the window once a round trip; BBR without it.",
    source="Emara, Li, Chen: Eagle, INFOCOM 2020; its abstract",
    make_sender=Eagle,
    policy="eagle",
)
