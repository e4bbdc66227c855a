"""Aurora: PCC whose rate a policy moves, by how latency and sending ratio went in the last ten intervals.

Source: Jay, Rotman, Godfrey, Schapira, Tamar: A Deep Reinforcement Learning Perspective on Internet Congestion Control,
ICML 2019, and the authors' code (PCCproject/PCC-RL, commit 025ceac): src/common/sender_obs.py has the state,
src/gym/network_sim.py the action.

Choices and deviations:

- An interval lasts half a smoothed RTT, as in the authors' simulator, and 10 ms at least. It counts what is sent and
  acknowledged in it; the rate is the policy's from its first decision on, without a slow start.
- An action is from -5 to 5, so that a rate moves by up to 12.5 % (their delta is 0.025); theirs has no bounds.
- The rate of delivery is all that was acknowledged. Theirs leaves one packet out, so that a steady sender of n packets
  shows them a send ratio of n / (n - 1), and here 1.
- An interval without an RTT has a latency ratio of 1; theirs has 0, below the range that they give it.
- Of an ACK one RTT counts. The least latency yet is that of an interval's mean, as theirs.
- Without a policy's answer it is PCC Vivace, with the least rate and the window of all PCC senders (`base.py`).

Safety that the paper does not have: no action lifts the rate above three times what the last round trip delivered, nor
while the application leaves the window unused (`delivered_ceiling.py`); persistent congestion halves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, Phase, SentPacket
from cc.core.decision import Amount, DecisionRequest, Decisions, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.delivered_ceiling import DeliveredCeiling
from cc.sender.pcc.vivace import PccVivace

DELTA = 0.025  # DELTA_SCALE
HISTORY = 10
MOST_ACTION = 5.0
INTERVAL_RTTS = 0.5
LEAST_INTERVAL_S = 0.010
MOST_SEND_RATIO = 1000.0
BEFORE = (0.0, 1.0, 1.0)
"""Features of an interval without packets, which the authors' history begins with."""

FEATURES = (
    Feature("sent_latency_inflation", "s/s", -1.0, 1.0, "later RTTs of the interval less earlier ones, over its time"),
    Feature("latency_ratio", "ratio", 1.0, 20.0, "mean RTT over the smallest mean yet", is_logarithmic=True),
    Feature("send_ratio", "ratio", 0.1, 10.0, "rate of sending over rate of delivery", is_logarithmic=True),
)


class Aurora(PccVivace):
    """A learned rate; Vivace's while nobody decides."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=FEATURES,
        history=HISTORY,
        actions=Amount(-MOST_ACTION, MOST_ACTION, "the rate times 1 + 0.025 a, or over 1 - 0.025 a below 0"),
        interval="half a smoothed round-trip time, and 10 ms at least",
    )

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        self.decisions = Decisions(self.policy_space, before=BEFORE)
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._meter = IntervalMeter()
        self._rtts_s: list[float] = []
        self._least_mean_rtt_s: float | None = None
        self._ceiling = DeliveredCeiling(max_datagram_bytes)
        self._is_vivace = True

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        return super().pacing_rate_bytes_per_s if self._is_vivace else self.rate_bytes_per_s

    @property
    def phase(self) -> Phase:
        return super().phase if self._is_vivace else Phase.AVOIDANCE

    def on_decision(self, sequence: int, action: float | None) -> None:
        """Move the rate, below the ceiling."""
        accepted = self.decisions.accept(sequence, action)
        if accepted is None:
            return
        if self._is_vivace:
            self._intervals.clear()
            self._is_vivace = False
        assert self._rtt is not None
        rate, rtt_s = self.rate_bytes_per_s, max(self._rtt.smoothed_s, 1e-6)
        wanted_bytes = next_rate(rate, accepted) * rtt_s
        self.set_rate(self._ceiling.bounded(wanted_bytes, window_bytes=rate * rtt_s) / rtt_s)

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._meter.start_s is None:
            self._meter.begin(now_s)
        self._meter.on_packet_sent(packet)
        if self._is_vivace:
            super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self._hear(event.now_s)
        self._ceiling.on_ack(event)
        self._meter.on_ack(event)
        if event.rtt is not None and event.has_rtt_sample:
            self._rtts_s.append(event.rtt.latest_s)
        if self._is_vivace:
            super().on_ack(event)
        elif event.rtt is not None:
            self._rtt = event.rtt
        start_s = self._meter.start_s
        if self._rtt is None or self._rate is None or start_s is None:
            return
        if event.now_s - start_s >= max(INTERVAL_RTTS * self._rtt.smoothed_s, LEAST_INTERVAL_S):
            measured = self._meter.end(event.now_s)
            self.decisions.end_interval(self._features(measured), measured, now_s=event.now_s)

    def on_loss(self, event: LossEvent) -> None:
        self._hear(event.now_s)
        self._meter.on_loss(event)
        if self._is_vivace or event.is_persistent_congestion:
            super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        return {**super().log_fields(), **self.decisions.log_fields()}

    def _hear(self, now_s: float) -> None:
        """Vivace takes over where no answer came."""
        self.decisions.on_event(now_s)
        if self.decisions.uses_heuristic and not self._is_vivace:
            self._is_vivace = True
            self._plan_trials()

    def _features(self, measured: IntervalMeasurement) -> tuple[float, ...]:
        rtts_s, self._rtts_s = self._rtts_s, []
        ratio = 1.0
        if rtts_s:
            mean_s = fmean(rtts_s)
            least_s = mean_s if self._least_mean_rtt_s is None else min(self._least_mean_rtt_s, mean_s)
            self._least_mean_rtt_s = least_s
            ratio = mean_s / least_s if least_s > 0 else 1.0
        return latency_inflation(rtts_s, measured.duration_s), ratio, send_ratio(measured)


def next_rate(rate: float, action: float) -> float:
    """The authors' apply_rate_delta."""
    delta = DELTA * action
    return rate * (1 + delta) if delta >= 0 else rate / (1 - delta)


def latency_inflation(rtts_s: list[float], duration_s: float) -> float:
    """The mean of the later half less that of the earlier one, over the interval's time."""
    half = len(rtts_s) // 2
    if half < 1 or duration_s <= 0:
        return 0.0
    return (fmean(rtts_s[half:]) - fmean(rtts_s[:half])) / duration_s


def send_ratio(measured: IntervalMeasurement) -> float:
    """1 where nothing was delivered, or a thousandth of what was sent."""
    if not 0 <= measured.sent_bytes < MOST_SEND_RATIO * measured.acked_bytes:
        return 1.0
    return measured.sent_bytes / measured.acked_bytes


SCHEME = Scheme(
    name="aurora",
    title="Aurora",
    control="sender",
    family="Learned",
    summary="PCC whose rate a learned policy moves each half round trip, by trends of latency and sending.",
    source="Jay, Rotman, Godfrey, Schapira, Tamar: Aurora, ICML 2019",
    make_sender=Aurora,
    policy="aurora",
)
