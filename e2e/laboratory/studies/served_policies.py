"""Shipped policies in simulation and, as they are served, under mahimahi."""

from __future__ import annotations

from itertools import product

from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.plan import Arm, Place
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.result import FlowResult, RunResult
from e2e.laboratory.statistics.missed_decisions import describe_mark
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import bulk_flow, link_run, named_link
from e2e.laboratory.studies.places import REFERENCE, Outcome, delay_apart_percent, throughput_apart
from e2e.laboratory.studies.shipped import Shipped, shipped
from e2e.laboratory.studies.study import Study
from models.policies.folder import POLICIES

LINKS = {"24mbit": 300, "lte-like": 1000}
"""Packets in each one's queue."""
PLACES: tuple[Place, ...] = ("simulation", REFERENCE)
DURATION_S = 30
APART = Reach("at most", 10.0)


def measure(bench: Bench) -> Findings:
    """How far both places are apart. Raises PolicyError."""
    preset = bench.preset_or("on-demand")
    links = {trace: named_link(trace, packets) for trace, packets in LINKS.items()}
    cases = list(product(shipped(POLICIES), LINKS))
    keys = [(seed, case, place) for seed in range(1, bench.repeats + 1) for case in cases for place in PLACES]
    runs = [
        link_run(
            links[trace],
            Arm(policy.scheme, (bulk_flow(policy.scheme, preset),)),
            seed,
            duration_s=DURATION_S,
            place=place,
            has_own_start=True,
        )
        for seed, (policy, trace), place in keys
    ]
    flows = [_flow(result) for result in bench.run(runs)] if runs else []

    def outcome(case: tuple[Shipped, str], place: Place) -> Outcome:
        return Outcome.of([flow for flow, key in zip(flows, keys, strict=True) if key[1:] == (case, place)])

    figures, rows = [], []
    for policy, trace in cases:
        what = f"{policy.title}, {trace}, simulation beside {REFERENCE}"
        simulated, served = (outcome((policy, trace), place) for place in PLACES)
        figures.append(throughput_apart(what, simulated, served, APART))
        figures.append(delay_apart_percent(what, simulated, served, APART))
        rows.append((policy.title, trace, *simulated.cells, *served.cells))
    measured = (f"{what}, {place}" for place in PLACES for what in ("Mbit/s", "queueing delay"))
    return Findings(tuple(figures), tables=(Table("Means of the repeats", ("policy", "link", *measured), tuple(rows)),))


def _flow(result: RunResult | None) -> FlowResult | None:
    """None of a run that failed, and of one that is marked: it was its heuristic's as much as its policy's."""
    return None if result is None or describe_mark(result) is not None else result.flows[0]


STUDY = Study(
    "Simulation beside mahimahi",
    "30 s, 20 ms each way, each repeat begun elsewhere in the trace: the served policy under mahimahi, and the same in "
    "simulation.",
    measure,
    places=PLACES,
    reads_preset=True,
)
