"""Whether a scheme does the same in simulation, over the relay and under mahimahi."""

from __future__ import annotations

from itertools import product

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.plan import Arm, Place
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import bulk_flow, link_run, named_link
from e2e.laboratory.studies.places import REFERENCE, Outcome, delay_apart, throughput_apart
from e2e.laboratory.studies.study import Study

SCHEMES = ("newreno", "cubic", "bbr", "copa", "nuwa")
LINKS = {"24mbit": 300, "TMobile-LTE-short": 1000, "Verizon-LTE-short": 1000}
"""Packets in each one's queue."""
OTHERS: tuple[Place, ...] = ("simulation", "relay")
PLACES: tuple[Place, ...] = (REFERENCE, *OTHERS)
DURATION_S = 30
THROUGHPUT = Reach("at most", 5.0)

Case = tuple[str, str]
"""A link and a scheme."""


def measure(bench: Bench) -> Findings:
    """Means of the repeats in each place, and how far they are apart."""
    preset = bench.preset_or("on-demand")
    links = {trace: named_link(trace, packets, bench.recorded) for trace, packets in LINKS.items()}
    cases: list[Case] = list(product(LINKS, SCHEMES))
    keys = [(case, place) for _ in range(bench.repeats) for case in cases for place in PLACES]
    runs = [
        link_run(
            links[trace],
            Arm(scheme, (bulk_flow(scheme, preset),)),
            1 + at // (len(cases) * len(PLACES)),
            duration_s=DURATION_S,
            place=place,
            has_own_start=True,
        )
        for at, ((trace, scheme), place) in enumerate(keys)
    ]
    flows = [None if result is None else result.flows[0] for result in bench.run(runs)]
    outcomes = {
        key: Outcome.of([flow for flow, of in zip(flows, keys, strict=True) if of == key])
        for key in dict.fromkeys(keys)
    }
    figures = [figure for case in cases for place in OTHERS for figure in _figures(case, place, outcomes)]
    return Findings(tuple(figures), tables=(_comparison(cases, outcomes),))


def _figures(case: Case, place: Place, outcomes: dict[tuple[Case, Place], Outcome]) -> tuple[Figure, Figure]:
    trace, scheme = case
    what = f"{scheme}, {trace}, {place} beside {REFERENCE}"
    here, there = outcomes[case, place], outcomes[case, REFERENCE]
    return (
        throughput_apart(what, here, there, THROUGHPUT),
        delay_apart(what, here, there, least_ms=5.0, least_share=0.1),
    )


def _comparison(cases: list[Case], outcomes: dict[tuple[Case, Place], Outcome]) -> Table:
    measured = (f"{what}, {place}" for place in PLACES for what in ("Mbit/s", "queueing delay"))
    rows = ((*case, *(cell for place in PLACES for cell in outcomes[case, place].cells)) for case in cases)
    return Table("Means of the repeats", ("link", "scheme", *measured), tuple(rows))


STUDY = Study(
    "One scheme in three places",
    "Five schemes over 24 Mbit/s and two recorded LTE traces, 20 ms each way, 30 s, each repeat begun elsewhere in the "
    "trace: simulation and relay beside mahimahi.",
    measure,
    places=PLACES,
    reads_preset=True,
)
