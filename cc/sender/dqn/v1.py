"""DQN v1: the state is threshold, window, round-trip time and throughput; all else is `cc.sender.dqn.base`.

Source: as there, section III.A, which tells of v1; its own paper (Seo, Cho: DQN-Based TCP Congestion Control Algorithm
to Improve Link Utilization, 2021) is its reference [6].
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.decision import PolicySpace
from cc.core.interval import IntervalMeasurement
from cc.core.scheme import Scheme
from cc.sender.dqn.base import ACTIONS, INTERVAL, RTT, THRESHOLD, THROUGHPUT, WINDOW, Dqn


class DqnV1(Dqn):
    """DQN with the throughput, which v2 leaves out."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=(THRESHOLD, WINDOW, RTT, THROUGHPUT), history=1, actions=ACTIONS, interval=INTERVAL
    )

    def _features(self, threshold_bytes: float, rtt_s: float, measured: IntervalMeasurement) -> tuple[float, ...]:
        return *super()._features(threshold_bytes, rtt_s, measured), measured.acked_bytes_per_s


SCHEME = Scheme(
    name="dqn-v1",
    title="DQN v1",
    control="sender",
    family="Learned",
    summary="CUBIC's cuts, and a learned step of the window each round trip, by window, RTT and throughput.",
    source="Seo, Cho: Fairness Enhancement of TCP Congestion Control Using Reinforcement Learning, its [6]",
    make_sender=DqnV1,
    policy="dqn-v1",
)
