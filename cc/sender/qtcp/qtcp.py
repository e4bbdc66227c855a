"""QTCP: the steps of congestion avoidance are chosen by Q-learning, which begins anew with each connection.

Source: Li, Zhou, Chowdhury, Meleis: QTCP, Adaptive Congestion Control with Reinforcement Learning, IEEE TNSE 6(3),
2019. From its public texts are the state (mean gap between sent packets, mean gap between acknowledged ones, mean RTT),
the actions (+10, 0, -1 bytes), the utility (a logarithm of throughput less one of RTT), the reward's form (a constant
for a rise of utility, a negative one for a fall, nothing within a tolerance), Kanerva coding, and the numbers: 0.23 s
between updates, learning rate 0.95 times 0.995 a second, exploration 0.1 times 0.9995 a second, discount 0.9.

Choices where those texts are silent:

- An action adds its bytes for every full packet that is acknowledged, until the next update. +10 is then about as fast
  as NewReno at a window of 120 packets.
- Slow start and the answer to losses are NewReno's: the paper replaces the step of congestion avoidance alone.
- An interval lasts a smoothed RTT where that is longer than 0.23 s. One into which the application's silence fell
  teaches nothing.
- 100 prototypes, drawn evenly over the logarithms of gaps and RTT; active within 0.2 of each axis. The paper also
  merges and splits prototypes as it learns; these stay.
- Both weights of the utility are 1, so it is the logarithm of power; the tolerance is 2 %, and rewards are +2 and -2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from cc.core.base import AckEvent, LossEvent, SentPacket
from cc.core.interval import IntervalMeasurement, IntervalMeter
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.newreno import NewReno
from cc.sender.qtcp.kanerva import KanervaTable, Point, drawn_prototypes

ACTIONS_BYTES = (10.0, 0.0, -1.0)  # for each full packet acknowledged
UPDATE_S = 0.23
LEARNING_RATE, LEARNING_RATE_KEPT = 0.95, 0.995  # at first; what is left after a second
EXPLORATION, EXPLORATION_KEPT = 0.1, 0.9995
DISCOUNT = 0.9
REWARD = 2.0
TOLERANCE = math.log(1.02)
PROTOTYPES = 100
RADIUS = 0.2
GAP_RANGE_S = (1e-5, 1.0)
RTT_RANGE_S = (1e-3, 2.0)


class Qtcp(NewReno):
    """NewReno whose step in congestion avoidance is learned."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource) -> None:
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        prototypes = drawn_prototypes(rng, count=PROTOTYPES, dimensions=3)
        self._table = KanervaTable(prototypes, actions=len(ACTIONS_BYTES), radius=RADIUS)
        self._meter = IntervalMeter()
        self._began_s: float | None = None
        self._is_app_limited = False
        self._active: list[int] | None = None
        """What is active in the state in which the action was chosen; None while nothing is to be learned from it."""
        self._action = 0
        self._utility: float | None = None
        self._reward = 0.0

    def increased_window_bytes(self, event: AckEvent, acked_bytes: int) -> float:
        return self._window_bytes + ACTIONS_BYTES[self._action] * acked_bytes / self.max_datagram_bytes

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if self._began_s is None:
            self._began_s = now_s
            self._meter.begin(now_s)
        self._meter.on_packet_sent(packet)

    def on_ack(self, event: AckEvent) -> None:
        self._meter.on_ack(event)
        self._is_app_limited = self._is_app_limited or event.is_app_limited
        super().on_ack(event)
        start_s = self._meter.start_s
        rtt_s = 0.0 if event.rtt is None else event.rtt.smoothed_s
        if start_s is not None and event.now_s - start_s >= max(UPDATE_S, rtt_s):
            self._update(self._meter.end(event.now_s))

    def on_loss(self, event: LossEvent) -> None:
        self._meter.on_loss(event)
        super().on_loss(event)

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            **super().log_fields(),
            "qtcp_action_bytes": ACTIONS_BYTES[self._action],
            "qtcp_reward": self._reward,
        }

    def _update(self, measured: IntervalMeasurement) -> None:
        """Learn of the action that was taken, and choose the next one."""
        is_app_limited, self._is_app_limited = self._is_app_limited, False
        utility = utility_of(measured)
        if is_app_limited or utility is None or self._began_s is None:
            self._active = self._utility = None
            return
        elapsed_s = measured.start_s + measured.duration_s - self._began_s
        active = self._table.active(state_of(measured, packet_bytes=self.max_datagram_bytes))
        values = self._table.values(active)
        if self._active is not None and self._utility is not None:
            self._reward = reward_of(utility - self._utility)
            rate = LEARNING_RATE * LEARNING_RATE_KEPT**elapsed_s
            self._table.learn(self._active, self._action, self._reward + DISCOUNT * max(values), rate=rate)
            values = self._table.values(active)
        self._action = self._chosen(values, exploration=EXPLORATION * EXPLORATION_KEPT**elapsed_s)
        self._active, self._utility = active, utility

    def _chosen(self, values: list[float], *, exploration: float) -> int:
        """The best action, the first of equals; any of them by chance."""
        if self.rng.random() < exploration:
            return min(int(self.rng.random() * len(values)), len(values) - 1)
        return values.index(max(values))


def state_of(measured: IntervalMeasurement, *, packet_bytes: int) -> Point:
    """Mean gaps between full packets sent and acknowledged, and mean RTT, each spread over 0 to 1 by its logarithm."""
    return (
        _spread(_gap_s(measured.duration_s, measured.sent_bytes, packet_bytes), GAP_RANGE_S),
        _spread(_gap_s(measured.duration_s, measured.acked_bytes, packet_bytes), GAP_RANGE_S),
        _spread(measured.rtt_mean_s or 0.0, RTT_RANGE_S),
    )


def utility_of(measured: IntervalMeasurement) -> float | None:
    """log(throughput) - log(RTT); None where nothing arrived."""
    if measured.acked_bytes_per_s <= 0 or not measured.rtt_mean_s:
        return None
    return math.log(measured.acked_bytes_per_s) - math.log(measured.rtt_mean_s)


def reward_of(rise: float) -> float:
    """Reward of a rise of the utility."""
    return REWARD if rise > TOLERANCE else -REWARD if rise < -TOLERANCE else 0.0


def _gap_s(duration_s: float, size_bytes: int, packet_bytes: int) -> float:
    return duration_s * packet_bytes / size_bytes if size_bytes > 0 else GAP_RANGE_S[1]


def _spread(value: float, ends: tuple[float, float]) -> float:
    low, high = ends
    return math.log(min(max(value, low), high) / low) / math.log(high / low)


SCHEME = Scheme(
    name="qtcp",
    title="QTCP",
    control="sender",
    family="Learned",
    summary="NewReno whose steps Q-learning chooses, anew in each connection, for throughput over round trips.",
    source="Li, Zhou, Chowdhury, Meleis: QTCP, IEEE TNSE 6(3), 2019",
    make_sender=Qtcp,
)
