"""BBR-FIT: BBR v1 whose pacing gain in the steady phase of ProbeBW is moved by a learned policy.

Source: Xie, Jiang, Jin, Chen: BBR-FIT, An Intelligent BBR based on the Reinforcement Learning to Boost the Network
Efficiency over Time-Varying Networks (its sections and equations are cited below).

Choices where the paper is silent:

- A decision is taken at the end of each of the six phases that are the steady phase (section II), so about once a
  round trip. The gain carries over to the next cycle, and begins at 1 whenever ProbeBW does.
- The action is at most 10, a change by a quarter (the step of BBR's own probe), and the gain stays between a half and
  two: below, little would be measured; above, the window of two bandwidth-delay products is the limit.
- "Minimum average latency" (section III.B) is BBR's own RTprop.
- Without a policy's answer the gain is BBR's, which is 1.

Deviations: those of `cc.sender.bbr.bbr`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.decision import Amount, DecisionRequest, Decisions, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import Bbr, State

DAMPING = 0.025  # alpha of eq. 1
LARGEST_ACTION = 10.0
GAIN_RANGE = (0.5, 2.0)
HISTORY = 10  # section III.C.2

FEATURES = (
    Feature("send_ratio", "ratio", 0.0, 4.0, "sending rate over receiving rate (s, Table I)"),
    Feature("latency_gradient", "s/s", -1.0, 1.0, "slope of the round-trip times over time (l_i)"),
    Feature("latency_ratio", "ratio", 0.0, 6.0, "mean round-trip time over the smallest of late (l_r)"),
)


class BbrFit(Bbr):
    """BBR with a learned gain while it cruises."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Amount(-LARGEST_ACTION, LARGEST_ACTION, "change of the pacing gain, eq. 1 with alpha 0.025"),
        interval="each phase of ProbeBW that cruises, about a round trip",
    )

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self.decisions = Decisions(self.policy_space)
        self._meter = IntervalMeter()
        self._learned_gain = 1.0

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    def on_decision(self, sequence: int, action: float | None) -> None:
        """Eq. 1."""
        gain = 1.0 if self.decisions.uses_heuristic else self._learned_gain
        accepted = self.decisions.accept(sequence, action)
        if accepted is not None:
            self._learned_gain = next_gain(gain, accepted)
            if self.state is State.PROBE_BW:
                self._pace_with(self.pacing_gain)

    def probe_bw_gain(self) -> float:
        """The learned gain in the steady phase, BBR's in the others."""
        gain = super().probe_bw_gain()
        return gain if gain != 1 or self.decisions.uses_heuristic else self._learned_gain

    # A steady phase is an interval

    def start_cycle(self, now_s: float) -> None:
        self._learned_gain = 1.0
        self._meter = IntervalMeter()
        super().start_cycle(now_s)

    def advance_phase(self, now_s: float) -> None:
        if self._meter.start_s is not None and self.gain_cycle[self.cycle_index] == 1:
            measured = self._meter.end(now_s)
            self.decisions.end_interval(self._features(measured), measured, now_s=now_s)
        super().advance_phase(now_s)
        self._meter.begin(now_s)

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self._meter.on_packet_sent(packet)
        super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self.decisions.on_event(event.now_s)
        self._meter.on_ack(event)
        super().on_ack(event)

    def on_loss(self, event: LossEvent) -> None:
        self.decisions.on_event(event.now_s)
        self._meter.on_loss(event)
        super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), **self.decisions.log_fields()}

    def _features(self, measured: IntervalMeasurement) -> tuple[float, ...]:
        rtt_s, min_rtt_s = measured.rtt_mean_s, self.model.min_rtt_s
        return (
            measured.sent_bytes / measured.acked_bytes if measured.acked_bytes else FEATURES[0].high,
            measured.rtt_gradient or 0.0,
            rtt_s / min_rtt_s if rtt_s is not None and min_rtt_s else 0.0,
        )


def next_gain(gain: float, action: float) -> float:
    """Eq. 1, within `GAIN_RANGE`."""
    moved = gain * (1 + DAMPING * action) if action >= 0 else gain / (1 - DAMPING * action)
    return min(max(moved, GAIN_RANGE[0]), GAIN_RANGE[1])


SCHEME = Scheme(
    name="bbr-fit",
    title="BBR-FIT",
    control="sender",
    family="Learned",
    summary="BBR v1 whose pacing gain, while it cruises, a learned policy moves once a round trip.",
    source="Xie, Jiang, Jin, Chen: BBR-FIT",
    make_sender=BbrFit,
    policy="bbr-fit",
)
