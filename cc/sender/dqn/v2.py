"""DQN v2: the state is threshold, window and round-trip time; its network has dropout.

Source: as there, section III.A: throughput says nothing that window and round-trip time do not.
"""

from __future__ import annotations

from typing import ClassVar

from cc.core.decision import PolicySpace
from cc.sender.dqn.base import ACTIONS, INTERVAL, RTT, THRESHOLD, WINDOW, Dqn


class DqnV2(Dqn):
    """Without the throughput."""

    policy_space: ClassVar[PolicySpace] = PolicySpace(
        features=(THRESHOLD, WINDOW, RTT), history=1, actions=ACTIONS, interval=INTERVAL
    )
