"""What a policy's decision takes as server and receiver ask for it (`python -m e2e.laboratory decision-time`)."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence

from cc.arguments import OneSentenceParser
from cc.core.decision import Decide, DecisionRequest, PolicySpace
from cc.core.quantile import quantile
from models.policies.policy import PolicyError, known_policies, load_policy
from transport.media_server.policies import PolicyShelf

WARM_UP = 100
DECISIONS = 5000
INTERVAL_S = 0.002
"""Between decisions: a policy is asked now and then, its code and weights are not always in the caches."""


def main(arguments: list[str] | None = None) -> int:
    """Print a line for each policy; 2 where one cannot be had."""
    parser = OneSentenceParser(prog="python -m e2e.laboratory decision-time", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a policy (default: all that are shipped)")
    options = parser.parse_args(arguments)
    for name in options.names or known_policies():
        try:
            space = load_policy(name).card.space
        except PolicyError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        times_s = asyncio.run(decision_times(name, space))
        sys.stdout.write(as_text(name, times_s) + "\n")
    return 0


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


def as_text(name: str, times_s: Sequence[float]) -> str:
    """p50, p99 and the largest, in ms."""
    ordered = sorted(times_s)
    if not ordered:
        return f"{name}: no decisions"
    p50_s, p99_s = quantile(ordered, 0.5), quantile(ordered, 0.99)
    return (
        f"{name}: p50 {1000 * p50_s:.3f} ms, p99 {1000 * p99_s:.3f} ms, largest {1000 * ordered[-1]:.3f} ms "
        f"({len(ordered)} decisions)"
    )


def _time_of(decide: Decide, request: DecisionRequest) -> float:
    began_s = time.perf_counter()
    decide(request)
    return time.perf_counter() - began_s


if __name__ == "__main__":
    sys.exit(main())
