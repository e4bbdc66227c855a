"""What a policy's decision takes as server and receiver ask for it."""

from __future__ import annotations

import asyncio
import time

from cc.core.decision import Decide, DecisionRequest, PolicySpace
from transport.policies import PolicyShelf

WARM_UP = 100
DECISIONS = 5000
INTERVAL_S = 0.002
"""Between decisions: a policy is asked now and then, its code and weights are not always in the caches."""


async def decision_times(name: str, space: PolicySpace, *, count: int = DECISIONS) -> list[float]:
    """Seconds that each of so many decisions took in an event loop that has time between them."""
    shelf = PolicyShelf()
    await shelf.load(name)
    decide = shelf.decider(name)
    assert decide is not None  # it has just been loaded
    features = tuple((feature.low + feature.high) / 2 for feature in space.features) * space.history
    times_s = []
    for number in range(WARM_UP + count):
        await asyncio.sleep(INTERVAL_S)
        times_s.append(_time_of(decide, DecisionRequest(number, features)))
    return times_s[WARM_UP:]


def _time_of(decide: Decide, request: DecisionRequest) -> float:
    began_s = time.perf_counter()
    decide(request)
    return time.perf_counter() - began_s
