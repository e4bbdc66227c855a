"""Table I of Nuwa's paper."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from cc.links.traces.nr_like import NrLike
from cc.links.traces.rates import generate
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.matrix.links import made_link
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.result import FlowResult, RunResult
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import alone, choice, link_run
from e2e.laboratory.studies.samples import Samples, mean_of_all, ratios, values_of
from e2e.laboratory.studies.study import Study

FIRST_SEED = 301
"""Of the traces: far from those of the traces that have names, and behind all that Nuwa was chosen on."""
MEAN_BITS_PER_S = 20e6
DURATION_S = 80
NUWA = "Nuwa"
PAPERS_LAW = "Nuwa by the paper's law"
"""Its equations with a constant T_d, and nothing that was added to them."""
NO_RECEIVERS_PRESET = "on-demand"
"""Senders alone make nothing of it; always the same, so that their runs need not be made again for another."""
BASELINES = {
    "BBR": "bbr",
    "BBRPlus": "bbrplus",
    "CUBIC": "cubic",
    "Inigo": "inigo",
    "PCC": "pcc-allegro",
    "Vegas": "vegas",
    "Westwood": "westwood",
}
"""As the paper writes them; its PCC is the first."""
VOLUME = Reach("at least", 0.99)
DELAY = Reach("at most", 1.0)
SIMILAR_VOLUME = 0.1


@dataclass(frozen=True, slots=True)
class Row:
    """One scheme's runs, seed by seed."""

    name: str
    megabytes: Samples
    loss_percent: Samples
    delays_ms: Samples


@dataclass(frozen=True, slots=True)
class Means:
    """A row of which no run failed."""

    row: Row
    megabytes: float
    delay_ms: float


def measure(bench: Bench) -> Findings:
    """Nuwa, ours and by the paper's law, and the paper's seven others, over the same links."""
    seeds = range(FIRST_SEED, FIRST_SEED + bench.repeats)
    links = [handover_link(seed) for seed in seeds]
    preset = bench.preset_or("mobile")
    arms = [alone(scheme, NO_RECEIVERS_PRESET, name) for name, scheme in BASELINES.items()]
    arms.append(alone("nuwa", preset, NUWA))
    arms.append(alone("nuwa", "paper", PAPERS_LAW))
    runs = [
        link_run(link, arm, seed, duration_s=DURATION_S)
        for arm in arms
        for link, seed in zip(links, seeds, strict=True)
    ]
    results = bench.run(runs)
    rows = [_row(arm.name, results[at * len(seeds) :][: len(seeds)]) for at, arm in enumerate(arms)]
    figures = (*_figures(rows[:-1], has_reach=True), *_figures([*rows[:-2], rows[-1]], has_reach=False))
    return Findings(figures, tables=(_table(rows),))


def handover_link(seed: int) -> LoadedLink:
    """A link with handovers: 5G-like, of 20 Mbit/s on average."""
    rng = random.Random(seed)
    opportunities_ms = generate(NrLike(mean_bits_per_s=MEAN_BITS_PER_S), rng, duration_ms=1000 * DURATION_S)
    name = f"handovers {seed}"
    return made_link(choice(name, queue_packets=300), name, tuple(opportunities_ms), tuple(opportunities_ms))


def _row(name: str, results: Sequence[RunResult | None]) -> Row:
    flows = values_of(results, lambda result: result.flows[0])
    return Row(
        name,
        values_of(flows, lambda flow: flow.goodput_bits_per_s * DURATION_S / 8e6),
        values_of(flows, _loss_percent),
        values_of(flows, lambda flow: None if flow.queueing_delay is None else flow.queueing_delay.mean_ms),
    )


def _loss_percent(flow: FlowResult) -> float | None:
    return None if flow.packets_lost is None or not flow.packets_sent else flow.packets_lost / flow.packets_sent * 100


def _figures(rows: Sequence[Row], *, has_reach: bool) -> Iterator[Figure]:
    """Of the last row beside the others; without values where a run failed: who is missing may have been the first."""
    known = [means for row in rows if (means := _means(row)) is not None]
    name = rows[-1].name
    volume, delay = (VOLUME, DELAY) if has_reach else (None, None)
    if len(known) < len(rows):
        yield Figure(f"data, {name} / the most", None, reach=volume)
        yield Figure(f"queue delay, {name} / any, the lowest within 10 % of its data", None, reach=delay)
        return
    *others, nuwa = known
    largest = max(others, key=lambda each: each.megabytes)
    yield Figure(
        f"data, {name} / {largest.row.name}",
        nuwa.megabytes / largest.megabytes,
        samples=ratios(nuwa.row.megabytes, largest.row.megabytes),
        reach=volume,
    )
    similar = [each for each in others if abs(each.megabytes / nuwa.megabytes - 1) <= SIMILAR_VOLUME]
    lowest = min(similar, key=lambda each: each.delay_ms, default=None)
    yield Figure(
        f"queue delay, {name} / {'any' if lowest is None else lowest.row.name}, the lowest within 10 % of its data",
        None if lowest is None else nuwa.delay_ms / lowest.delay_ms,
        samples=() if lowest is None else ratios(nuwa.row.delays_ms, lowest.row.delays_ms),
        reach=delay,
    )


def _means(row: Row) -> Means | None:
    megabytes, delay_ms = mean_of_all(row.megabytes), mean_of_all(row.delays_ms)
    return None if megabytes is None or delay_ms is None else Means(row, megabytes, delay_ms)


def _table(rows: Sequence[Row]) -> Table:
    return Table(
        "Means and standard deviations",
        ("Algorithm", "Transferred data size", "Packet loss rate", "Average queue delay"),
        tuple(
            (
                row.name,
                _with_deviation(row.megabytes, "MB", 1),
                _with_deviation(row.loss_percent, "%", 2),
                _with_deviation(row.delays_ms, "ms", 1),
            )
            for row in rows
        ),
    )


def _with_deviation(samples: Samples, unit: str, digits: int) -> str:
    known = [sample for sample in samples if sample is not None]
    if len(known) < len(samples):
        return "failed"
    deviation = stdev(known) if len(known) > 1 else 0.0
    return f"{fmean(known):.{digits}f} ± {deviation:.{digits}f} {unit}"


STUDY = Study(
    "Table I of Nuwa's paper",
    "80 s over 5G-like links of 20 Mbit/s with handovers, a queue of 300 packets (simulated): Nuwa (preset mobile; "
    "by the paper's law: preset paper) and the paper's seven others.",
    measure,
    places=("simulation",),
    reads_preset=True,
)
