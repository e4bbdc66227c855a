"""How fast flows are simulated, and what a policy's decisions cost beside the same run without them."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator

from tqdm import tqdm

import cc
from cc.core.decision import Decide, DecisionRequest
from cc.links.link import constant_rate_opportunities_ms
from cc.registry import SCHEMES
from cc.simulation.network import Network
from cc.simulation.request import prepare_run
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.study import Study
from models.policies.find import find_policy

SIMULATED_S = 60.0
ALONE = {"cubic": 1000.0, "nuwa": 500.0, "bbr": 600.0}
"""Times real time to be reached."""
TOGETHER = {"cubic": 200.0}
FLOWS = 16
DECISIONS = Reach("at most", 1.15)


def measure(bench: Bench) -> Findings:
    """Every repeat runs all arms, one after another."""
    figures = [
        *(_speed(name, 1, 12, Reach("at least", reach), bench.repeats) for name, reach in ALONE.items()),
        *(_speed(name, FLOWS, 24, Reach("at least", reach), bench.repeats) for name, reach in TOGETHER.items()),
    ]
    learned = [entry.name for entry in SCHEMES if entry.policy is not None]
    figures += [_decision_cost(name, bench.repeats) for name in tqdm(learned, desc="policies", unit="policy")]
    return Findings(tuple(figures))


def simulated_network(scheme: str, *, flows: int, mbit_per_s: float, find: Callable[[str], Decide]) -> Network:
    """Ready to run: 40 ms, a queue of 100 packets."""
    link = {
        "opportunities_ms": constant_rate_opportunities_ms(mbit_per_s),
        "queue": {"packets": 100},
        "delay_ms": 20,
        "return_delay_ms": 20,
    }
    request = {"duration_s": SIMULATED_S, "link": link, "flows": [{"scheme": scheme}] * flows}
    return prepare_run(request, random.Random, find).network


def recording(decide: Decide, answers: list[float | None]) -> Decide:
    """Answers as `decide` does, and keeps the answers."""

    def record(request: DecisionRequest) -> float | None:
        answers.append(decide(request))
        return answers[-1]

    return record


def repeating(answers: Iterable[float | None]) -> Decide:
    """Gives these answers, whatever it is asked."""
    remaining: Iterator[float | None] = iter(answers)
    return lambda request: next(remaining)


def _speed(scheme: str, flows: int, mbit_per_s: float, reach: Reach, repeats: int) -> Figure:
    ratios = [
        SIMULATED_S / _cpu_s(simulated_network(scheme, flows=flows, mbit_per_s=mbit_per_s, find=find_policy))
        for _ in range(repeats)
    ]
    by = "interpreted" if cc.COMPILED is None else "compiled"
    what = f"{scheme}, {flows} {'flow' if flows == 1 else 'flows'}, {mbit_per_s:g} Mbit/s, times real time ({by})"
    return Figure(what, statistics.median(ratios), samples=tuple(ratios), reach=reach)


def _decision_cost(scheme: str, repeats: int) -> Figure:
    """The same run by its policy, and by the answers that this one gave."""
    answers: list[float | None] = []

    def network(find: Callable[[str], Decide]) -> Network:
        return simulated_network(scheme, flows=1, mbit_per_s=12, find=find)

    network(lambda policy: recording(find_policy(policy), answers)).run_until(SIMULATED_S)
    ratios = [_cpu_s(network(find_policy)) / _cpu_s(network(lambda _: repeating(answers))) for _ in range(repeats)]
    what = f"{scheme}: time with decisions / without ({len(answers) / SIMULATED_S:.0f} a second)"
    return Figure(what, statistics.median(ratios), samples=tuple(ratios), reach=DECISIONS)


def _cpu_s(network: Network) -> float:
    began_s = time.process_time()
    network.run_until(SIMULATED_S)
    return time.process_time() - began_s


STUDY = Study(
    "Speed of the simulation",
    "A minute over a constant link of 12 Mbit/s (24 for several flows), 40 ms and 100 packets of queue, by the CPU "
    "time of one process. Decisions: the run by its policy, beside the same run with its answers read from a list.",
    measure,
)
