"""What a policy's decision takes as the media server asks for it."""

from __future__ import annotations

import asyncio
import time

from tqdm import tqdm

from cc.core.decision import Decide, DecisionRequest, PolicySpace
from cc.core.quantile import quantile
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.shipped import shipped
from e2e.laboratory.studies.study import Study
from models.policies.folder import POLICIES
from models.policies.policy import load_policy
from transport.policies import PolicyShelf

P99 = Reach("at most", 0.5)
WARM_UP = 100
DECISIONS = 5000
INTERVAL_S = 0.002
"""Between decisions: a policy is asked now and then, its code and weights are not always in the caches."""


def measure(bench: Bench) -> Findings:
    """Of every shipped policy, once. Raises PolicyError."""
    del bench
    figures, rows = [], []
    for policy in tqdm(shipped(POLICIES), desc="decision times", unit="policy"):
        times_s = asyncio.run(decision_times(policy.name, load_policy(policy.name).card.space))
        p50_ms, p99_ms, largest_ms = (1000 * quantile(sorted(times_s), share) for share in (0.5, 0.99, 1.0))
        figures.append(Figure(f"{policy.title}: a decision in the server, p99", p99_ms, "ms", reach=P99))
        rows.append((policy.title, f"{p50_ms:.3f}", f"{p99_ms:.3f}", f"{largest_ms:.3f}", str(len(times_s))))
    header = ("policy", "p50, ms", "p99, ms", "largest, ms", "decisions")
    return Findings(tuple(figures), tables=(Table("Decisions", header, tuple(rows)),))


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


STUDY = Study(
    "Decision time",
    "As the media server asks a policy, a decision every 2 ms; on this machine.",
    measure,
    is_of_shipped=True,
    is_made_once=True,
)
