"""The same flow in several places: what each measured there, and how far apart they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.plan import Place
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.result import FlowResult
from e2e.laboratory.statistics.missed_decisions import describe_mark
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.link_runs import alone, link_run
from e2e.laboratory.studies.samples import Samples, differences, mean_of_all, ratios, values_of

REFERENCE: Final = "mahimahi"
DURATION_S = 30


@dataclass(frozen=True, slots=True)
class Case:
    """A scheme over a link."""

    title: str
    scheme: str
    link: str

    def beside(self, place: Place) -> str:
        """As figures call a place beside the reference."""
        return f"{self.title}, {self.link}, {place} beside {REFERENCE}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One value of each repeat; None where a run failed."""

    throughputs_mbps: Samples
    delays_ms: Samples

    @classmethod
    def of(cls, flows: Sequence[FlowResult | None]) -> Outcome:
        """Of one flow's repeats."""
        return cls(
            values_of(flows, lambda flow: flow.throughput_bits_per_s / 1e6),
            values_of(flows, lambda flow: None if flow.queueing_delay is None else flow.queueing_delay.mean_ms),
        )

    @property
    def cells(self) -> tuple[str, str]:
        """Both means, for a table."""
        throughput_mbps, delay_ms = mean_of_all(self.throughputs_mbps), mean_of_all(self.delays_ms)
        if throughput_mbps is None or delay_ms is None:
            return "failed", "failed"
        return f"{throughput_mbps:.2f}", f"{delay_ms:.1f} ms"


Outcomes = Mapping[tuple[Case, Place], Outcome]


def outcomes_of(
    bench: Bench, cases: Sequence[Case], places: Sequence[Place], links: Mapping[str, LoadedLink]
) -> Outcomes:
    """Of each case in each place, each repeat begun elsewhere in the trace; marked runs count as failed.

    Those were their heuristic's as much as their policy's.
    """
    preset = bench.preset_or("on-demand")
    keys = list(product(range(1, bench.repeats + 1), cases, places))
    runs = [
        link_run(
            links[case.link],
            alone(case.scheme, preset),
            seed,
            duration_s=DURATION_S,
            place=place,
            has_own_start=True,
        )
        for seed, case, place in keys
    ]
    flows: dict[tuple[Case, Place], list[FlowResult | None]] = {}
    for (_, case, place), result in zip(keys, bench.run(runs) if runs else (), strict=True):
        flow = None if result is None or describe_mark(result) is not None else result.flows[0]
        flows.setdefault((case, place), []).append(flow)
    return {key: Outcome.of(own) for key, own in flows.items()}


def means_table(
    header: tuple[str, str], heads: Mapping[Case, tuple[str, str]], places: Sequence[Place], outcomes: Outcomes
) -> Table:
    """A row a case, behind its head."""
    measured = (f"{what}, {place}" for place in places for what in ("Mbit/s", "queueing delay"))
    rows = (
        (*head, *(cell for place in places for cell in outcomes[case, place].cells)) for case, head in heads.items()
    )
    return Table("Means of the repeats", (*header, *measured), tuple(rows))


def throughput_apart(what: str, outcome: Outcome, reference: Outcome, reach: Reach) -> Figure:
    """Of the means over the repeats, in per cent; the samples beside it are the repeats' own, with their sign."""
    return _apart_percent(f"{what}: throughput", outcome.throughputs_mbps, reference.throughputs_mbps, reach)


def delay_apart_percent(what: str, outcome: Outcome, reference: Outcome, reach: Reach) -> Figure:
    """The same of the mean queueing delay."""
    return _apart_percent(f"{what}: mean queueing delay", outcome.delays_ms, reference.delays_ms, reach)


def delay_apart(what: str, outcome: Outcome, reference: Outcome, *, least_ms: float, least_share: float) -> Figure:
    """The same in ms, of which as many are allowed as the reference's share of it, and no fewer than `least_ms`."""
    delay_ms, wanted_ms = mean_of_all(outcome.delays_ms), mean_of_all(reference.delays_ms)
    return Figure(
        f"{what}: mean queueing delay, how far apart",
        None if delay_ms is None or wanted_ms is None else abs(delay_ms - wanted_ms),
        "ms",
        differences(outcome.delays_ms, reference.delays_ms),
        reach=Reach("at most", max(least_ms, least_share * (wanted_ms or 0.0))),
    )


def _apart_percent(what: str, samples: Samples, references: Samples, reach: Reach) -> Figure:
    mean, wanted = mean_of_all(samples), mean_of_all(references)
    apart = [None if ratio is None else (ratio - 1) * 100 for ratio in ratios(samples, references)]
    value = None if mean is None or wanted is None else abs(mean / wanted - 1) * 100
    return Figure(f"{what}, how far apart", value, "%", tuple(apart), reach=reach)
