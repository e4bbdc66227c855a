"""The DQN-based congestion control, v1 and v2: a learned step of the window each round trip, between losses.

Source: Seo, Cho: Fairness Enhancement of TCP Congestion Control Using Reinforcement Learning (its equations and figures
are cited below; figure 3 is known from section III.D, which tells it in words).

Figure 3, event by event: slow start until the window is beyond the threshold; then three duplicate ACKs (in QUIC: a
loss) multiply the window by 0.7 and set the limit throughput; a timeout (in QUIC: persistent congestion) enters slow
start again; and when all that was in flight is acknowledged, the network's action moves the window by eq. 4.

Choices where the paper is silent:

- The limit throughput, Throughput_DQN, is "the maximum throughput that will not cause congestion". A loss sets
  it to eq. 7 of the last round trip that ended without one; until the first loss nothing is known of it.
- Limit-throughput probing: a round trip that ends without a loss beyond the limit raises the limit to what it carried.
  The network goes on choosing: the paper reports that its window hardly ever meets a loss, so probing cannot mean to
  grow until there is one.
- Cwnd_i of eq. 7 is the window in which was sent what the round trip acknowledged, so that one that grows does not look
  faster than it is. RTT_i is the mean over the round trip, in slow start the last sample. The threshold is ssthresh.
- A round trip in which the application did not use the window brings no action.
- Without the network's answer the scheme is CUBIC after slow start: the reduction is CUBIC's already, and what has lost
  its policy should do no worse than what it is compared with. One segment a round trip would, on long and fast links.

Deviations: slow start is the standard one, as the paper says, where our CUBIC has HyStart++; the smallest window is two
packets, also after a timeout. Eq. 6 divides the throughput by the limit throughput: training, which knows the link,
divides by the fair share of its capacity, since by a limit of its own whoever stays at one that is too low looks as
good as who fills the link. The limit is kept by figure 3 all the same, and logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from cc.core.base import AckEvent, LossEvent, Phase, SentPacket
from cc.core.decision import Choices, DecisionRequest, Decisions, Feature, PolicySpace
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.random_source import RandomSource
from cc.core.rounds import RoundCounter
from cc.core.slow_start import StandardSlowStart
from cc.sender.cubic import Cubic

ACTIONS = Choices(
    (-1.0, 0.0, 1.0, 2.0),
    "segments that the window grows by, eq. 4; from a very high to a very low possibility of congestion, eq. 3",
)
INTERVAL = "each round trip after slow start that ends without a loss"

THRESHOLD = Feature("threshold", "bytes", 2e3, 2e7, "slow-start threshold (Threshold)", is_logarithmic=True)
WINDOW = Feature("window", "bytes", 2e3, 2e7, "congestion window (Cwnd)", is_logarithmic=True)
RTT = Feature("rtt", "s", 1e-3, 4.0, "mean round-trip time of the interval (RTT)", is_logarithmic=True)
THROUGHPUT = Feature(
    "throughput", "bytes/s", 1e3, 1e8, "acknowledged bytes over the interval's length (Throughput)", is_logarithmic=True
)


class Dqn(Cubic):
    """What v1 and v2 share."""

    policy_space: ClassVar[PolicySpace]

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        self.decisions = Decisions(self.policy_space)
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._slow_start = StandardSlowStart()
        self._has_left_slow_start = False
        self._delivered_bytes = 0
        self._meter = IntervalMeter()
        self._rounds = RoundCounter()
        self._flight_window_bytes = self._window_bytes
        """Window in which what is being acknowledged was sent: the window as the round trip before ended."""
        self._throughput_bytes_per_s: float | None = None
        """Eq. 7 of the last round trip without a loss."""
        self.limit_bytes_per_s: float | None = None
        """The limit throughput; None before the first loss."""
        self.is_probing = False
        """Whether the last round trip raised the limit."""

    @property
    def phase(self) -> Phase:
        """Slow start is left for good until a timeout, even if actions take the window below the threshold."""
        phase = super().phase
        return Phase.AVOIDANCE if phase is Phase.SLOW_START and self._has_left_slow_start else phase

    @property
    def request(self) -> DecisionRequest | None:
        """What waits for the policy."""
        return self.decisions.request

    def on_decision(self, sequence: int, action: float | None) -> None:
        """Eq. 4."""
        accepted = self.decisions.accept(sequence, action)
        if accepted is None or self.phase is not Phase.AVOIDANCE:
            return
        self._has_left_slow_start = True
        self._set_window(self._window_bytes + ACTIONS.values[int(accepted)] * self.max_datagram_bytes)
        self._t_epoch_s = None  # whenever CUBIC takes over, its curve begins at the window of then

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        """CUBIC's without a policy; else the window stands from decision to decision."""
        if self.decisions.uses_heuristic:
            return super().increased_window_bytes(event, acked_bytes)
        return self._window_bytes

    def reduced_window_bytes(self, event: LossEvent) -> float:
        """0.7 of the window, as CUBIC has it; what was carried before is the limit."""
        if self._throughput_bytes_per_s is not None:
            self.limit_bytes_per_s = self._throughput_bytes_per_s
        self.is_probing = False
        return super().reduced_window_bytes(event)

    def on_window_collapse(self) -> None:
        """Slow start again."""
        super().on_window_collapse()
        self._has_left_slow_start = False

    # A round trip is an interval

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._meter.start_s is None:
            self._meter.begin(now_s)
        self._meter.on_packet_sent(packet)
        super().on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=bytes_in_flight)

    def on_ack(self, event: AckEvent) -> None:
        self.decisions.on_event(event.now_s)
        self._delivered_bytes = event.delivered_bytes
        super().on_ack(event)
        self._meter.on_ack(event)
        is_round_over = self._rounds.on_ack(event)
        if is_round_over and self._meter.start_s is not None:  # ACKs may first be of what another scheme sent
            self._end_round(event, self._meter.end(event.now_s))

    def on_loss(self, event: LossEvent) -> None:
        self.decisions.on_event(event.now_s)
        self._meter.on_loss(event)
        resets = self.window_resets
        super().on_loss(event)
        if self.window_resets != resets:  # the next round trip is of what is sent under the new window
            self._rounds.restart(self._delivered_bytes)
            self._flight_window_bytes = self._window_bytes

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            "limit_bytes_per_s": self.limit_bytes_per_s,
            "is_probing": float(self.is_probing),
            **self.decisions.log_fields(),
        }

    def _end_round(self, event: AckEvent, measured: IntervalMeasurement) -> None:
        window_bytes, self._flight_window_bytes = self._flight_window_bytes, self._window_bytes
        rtt_s = measured.rtt_mean_s
        if event.is_app_limited or self.phase is Phase.RECOVERY or event.rtt is None or not rtt_s:
            return
        is_in_slow_start = self.phase is Phase.SLOW_START  # the queue builds within the round trip
        self._throughput_bytes_per_s = window_bytes / (event.rtt.latest_s if is_in_slow_start else rtt_s)  # eq. 7
        limit = self.limit_bytes_per_s
        self.is_probing = limit is not None and self._throughput_bytes_per_s > limit
        if self.is_probing:
            self.limit_bytes_per_s = self._throughput_bytes_per_s
        if self.phase is Phase.AVOIDANCE and self._ssthresh_bytes is not None:
            self.decisions.end_interval(
                self._features(self._ssthresh_bytes, rtt_s, measured), measured, now_s=event.now_s
            )

    def _features(self, threshold_bytes: float, rtt_s: float, measured: IntervalMeasurement) -> tuple[float, ...]:
        return threshold_bytes, self._window_bytes, rtt_s
