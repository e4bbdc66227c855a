"""Whether a scheme does the same in simulation, over the relay and under mahimahi."""

from __future__ import annotations

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.plan import Place
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import named_link
from e2e.laboratory.studies.places import (
    REFERENCE,
    Case,
    Outcomes,
    delay_apart,
    means_table,
    outcomes_of,
    throughput_apart,
)
from e2e.laboratory.studies.study import Study

SCHEMES = ("newreno", "cubic", "bbr", "copa", "nuwa")
LINKS = {"24mbit": 300, "TMobile-LTE-short": 1000, "Verizon-LTE-short": 1000}
"""Packets in each one's queue."""
OTHERS: tuple[Place, ...] = ("simulation", "relay")
PLACES: tuple[Place, ...] = (REFERENCE, *OTHERS)
THROUGHPUT = Reach("at most", 5.0)


def measure(bench: Bench) -> Findings:
    """Means of the repeats in each place, and how far they are apart."""
    links = {trace: named_link(trace, packets, bench.recorded) for trace, packets in LINKS.items()}
    cases = [Case(scheme, scheme, trace) for trace in LINKS for scheme in SCHEMES]
    outcomes = outcomes_of(bench, cases, PLACES, links)
    figures = [figure for case in cases for place in OTHERS for figure in _figures(case, place, outcomes)]
    heads = {case: (case.link, case.scheme) for case in cases}
    return Findings(tuple(figures), tables=(means_table(("link", "scheme"), heads, PLACES, outcomes),))


def _figures(case: Case, place: Place, outcomes: Outcomes) -> tuple[Figure, Figure]:
    what, here, there = case.beside(place), outcomes[case, place], outcomes[case, REFERENCE]
    return (
        throughput_apart(what, here, there, THROUGHPUT),
        delay_apart(what, here, there, least_ms=5.0, least_share=0.1),
    )


STUDY = Study(
    "One scheme in three places",
    "Five schemes over 24 Mbit/s and two recorded LTE traces, 20 ms each way, 30 s, each repeat begun elsewhere in the "
    "trace: simulation and relay beside mahimahi.",
    measure,
    places=PLACES,
    reads_preset=True,
)
