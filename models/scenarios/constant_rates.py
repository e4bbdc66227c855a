"""Links of constant rate, alone and shared with CUBIC: experiments A and B of Seo and Cho (DQN v1 and v2)."""

from __future__ import annotations

from models.scenarios.scenario import Scenario

ALONE_MBIT_PER_S = (5, 25, 50, 75, 100)
SHARED_MBIT_PER_S = 50
BASE_RTT_S = 0.100
QUEUE_PACKETS = 100  # NS-3's droptail queue, unless told otherwise; the paper does not say
DURATION_S = 300.0
RIVAL = "cubic"


def link(mbit_per_s: int, *, duration_s: float, rivals: tuple[str, ...] = ()) -> Scenario:
    """The paper's, at this rate."""
    return Scenario(f"{mbit_per_s}mbit", BASE_RTT_S, QUEUE_PACKETS, duration_s, rivals=rivals)
