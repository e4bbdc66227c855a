"""DQN v2: the state is threshold, window and round-trip time; its network has dropout.

Source: as there, section III.A: throughput says nothing that window and round-trip time do not.
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.decision import PolicySpace
from cc.core.scheme import Scheme
from cc.sender.dqn.base import ACTIONS, INTERVAL, RTT, THRESHOLD, WINDOW, Dqn


class DqnV2(Dqn):
    """DQN without the throughput."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=(THRESHOLD, WINDOW, RTT), history=1, actions=ACTIONS, interval=INTERVAL
    )


SCHEME = Scheme(
    name="dqn-v2",
    title="DQN v2",
    control="sender",
    family="Learned",
    summary="DQN v1 that leaves the throughput out, with a network that had dropout in training.",
    source="Seo, Cho: Fairness Enhancement of TCP Congestion Control Using Reinforcement Learning",
    make_sender=DqnV2,
    policy="dqn-v2",
)
