"""Shipped policies in simulation and, as they are served, under mahimahi."""

from __future__ import annotations

from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.plan import Place
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import named_link
from e2e.laboratory.studies.places import (
    REFERENCE,
    Case,
    delay_apart_percent,
    means_table,
    outcomes_of,
    throughput_apart,
)
from e2e.laboratory.studies.shipped import shipped
from e2e.laboratory.studies.study import Study
from models.policies.folder import POLICIES

LINKS = {"24mbit": 300, "lte-like": 1000}
"""Packets in each one's queue."""
PLACES: tuple[Place, ...] = ("simulation", REFERENCE)
APART = Reach("at most", 10.0)


def measure(bench: Bench) -> Findings:
    """How far both places are apart. Raises PolicyError."""
    links = {trace: named_link(trace, packets) for trace, packets in LINKS.items()}
    cases = [Case(policy.title, policy.scheme, trace) for policy in shipped(POLICIES) for trace in LINKS]
    outcomes = outcomes_of(bench, cases, PLACES, links)
    figures = []
    for case in cases:
        both = case.beside("simulation"), outcomes[case, "simulation"], outcomes[case, REFERENCE]
        figures += [throughput_apart(*both, APART), delay_apart_percent(*both, APART)]
    heads = {case: (case.title, case.link) for case in cases}
    return Findings(tuple(figures), tables=(means_table(("policy", "link"), heads, PLACES, outcomes),))


STUDY = Study(
    "Simulation beside mahimahi",
    "30 s, 20 ms each way, each repeat begun elsewhere in the trace: the served policy under mahimahi, and the same in "
    "simulation.",
    measure,
    places=PLACES,
    reads_preset=True,
    is_of_shipped=True,
)
