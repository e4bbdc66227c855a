"""What the player's need saves where the receiver goes by it: the preset `film` beside the same numbers without."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

from cc.links.defaults import DEEP_QUEUE_PACKETS, DELAY_MS
from cc.links.traces.lte_like import LteLike
from cc.links.traces.nr_like import NrLike
from cc.links.traces.rates import RateProcess, generate
from cc.links.traces.steps import Steps
from cc.links.traces.wifi_like import WifiLike
from cc.registry import scheme
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.films.expand import demo_film
from e2e.laboratory.films.make import play_all
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.study import Study
from models.evaluation.student import mean_interval

SCHEMES = ("kuafu", "nuwa")
WITH, WITHOUT = "film", "on-demand"
TRACE_MS = 120_000
TRACE_SEED = 2029
FAST: dict[str, RateProcess] = {
    "steps of 26 to 60 Mbit/s": Steps((26e6, 60e6, 30e6, 45e6)),
    "LTE, 50 Mbit/s": LteLike(mean_bits_per_s=50e6),
    "5G, 60 Mbit/s": NrLike(mean_bits_per_s=60e6),
    "Wi-Fi, 50 Mbit/s": WifiLike(mean_bits_per_s=50e6),
}
"""Of three times the demo film's highest rung, 8.1 Mbit/s with sound, and more."""
SLOW: dict[str, RateProcess] = {
    "LTE, 5 Mbit/s": LteLike(mean_bits_per_s=5e6),
    "5G, 10 Mbit/s": NrLike(mean_bits_per_s=10e6),
    "Wi-Fi, 10 Mbit/s": WifiLike(mean_bits_per_s=10e6),
}
SHARED = ("steps of 26 to 60 Mbit/s", "5G, 60 Mbit/s")
"""Where a download goes on beside the film."""
CUBIC_QUEUE_PACKETS = 250
"""Between one and two round trips of these links: CUBIC would fill a longer one, and Nuwa have nothing."""
SHORT_BYTES, SHORT_PAUSE_S = 2_000_000, 3.0
LONG = {"scheme": "cubic", "source": {"kind": "bulk"}}
SHORT = {"scheme": "cubic", "source": {"kind": "on-off", "on_bytes": SHORT_BYTES, "off_s": SHORT_PAUSE_S}}
CHUNKS, QUEUE, BESIDE = Reach("at most", 0.4), Reach("at most", 0.6), Reach("at least", 1.2)


@dataclass(frozen=True, slots=True)
class Pair:
    """A film with the need and the same without."""

    link: str
    held: FilmResult
    free: FilmResult


def measure(bench: Bench) -> Findings:
    """Each film from the same places of each trace. Raises FilmFailure and OptionError."""
    of_schemes = [_measure(name, bench) for name in SCHEMES]
    return Findings(
        tuple(figure for findings in of_schemes for figure in findings.figures),
        tables=tuple(table for findings in of_schemes for table in findings.tables),
    )


def _measure(scheme_name: str, bench: Bench) -> Findings:
    title = scheme(scheme_name).title
    traces = {name: _trace_ms(family) for name, family in {**FAST, **SLOW}.items()}
    alone = _plans(scheme_name, traces, bench.repeats)
    shared = _plans(scheme_name, {name: traces[name] for name in SHARED}, bench.repeats)
    beside = [
        [replace(plan, beside=(download,), queue_packets=CUBIC_QUEUE_PACKETS) for plan in shared]
        for download in (LONG, SHORT)
    ]
    plans = [*alone, *beside[0], *beside[1]]
    results = play_all(plans, jobs=bench.settings.jobs)
    pairs = [
        Pair(plan.link, held, free) for plan, held, free in zip(plans[::2], results[::2], results[1::2], strict=True)
    ]
    count, each = len(alone) // 2, len(beside[0]) // 2
    fast = [pair for pair in pairs[:count] if pair.link in FAST]
    slow = [pair for pair in pairs[:count] if pair.link in SLOW]
    long, short = pairs[count : count + each], pairs[count + each :]
    figures = [
        _ratio("rate of chunks where the link has three times the highest rung", fast, _chunk_rate, CHUNKS),
        _ratio("p95 queueing delay of a film, all links", [*fast, *slow], _p95_s, QUEUE),
        _ratio("p95 queueing delay of a film, slower links", slow, _p95_s),
        _ratio("rate of a long CUBIC download beside the film", long, _beside_rate, BESIDE),
        _ratio("rate of CUBIC downloads of 2 MB beside the film", short, _short_rate, BESIDE),
    ]
    for where, of in (("fast links", fast), ("slower links", slow), ("beside CUBIC", [*long, *short])):
        figures.append(_difference(f"QoE_lin per segment, {where}", of, _qoe))
        figures.append(_difference(f"seconds stalled, {where}", of, lambda film: film.played.stalled_s, "s"))
    named = (("", pairs[:count]), ("; long download", long), ("; downloads of 2 MB", short))
    named_figures = tuple(replace(figure, what=f"{title}: {figure.what}") for figure in figures)
    return Findings(named_figures, tables=(_table(title, [(kind, of) for kind, of in named]),))


def _trace_ms(family: RateProcess) -> Sequence[int]:
    return generate(family, random.Random(TRACE_SEED), duration_ms=TRACE_MS)


def _plans(scheme_name: str, traces: dict[str, Sequence[int]], starts: int) -> list[FilmPlan]:
    """Two in a row are a pair."""
    return [
        FilmPlan(
            folder=demo_film(),
            scheme=scheme_name,
            preset=preset,
            rule="nuwa",
            estimator="receiver",
            link=name,
            opportunities_ms=trace_ms,
            start_ms=start_of_seed_ms(start, trace_ms[-1]),
            queue_packets=DEEP_QUEUE_PACKETS,
            delay_ms=DELAY_MS,
            seed=start,
        )
        for name, trace_ms in traces.items()
        for start in range(1, starts + 1)
        for preset in (WITH, WITHOUT)
    ]


def _chunk_rate(film: FilmResult) -> float:
    """Mean over the video's segments, of bytes over the time from the request to the end."""
    return fmean(
        8000 * segment.bytes / (segment.ended_at_ms - segment.requested_at_ms) for segment in film.played.segments
    )


def _p95_s(film: FilmResult) -> float:
    assert film.p95_queueing_delay_s is not None
    return film.p95_queueing_delay_s


def _beside_rate(film: FilmResult) -> float:
    return film.beside_bits_per_s[0]


def _short_rate(film: FilmResult) -> float:
    """While it lasts: of whole downloads, without the pauses in between."""
    [download_s] = film.beside_segment_s
    assert download_s is not None  # a film lasts longer than a download
    return 8 * SHORT_BYTES / download_s


def _qoe(film: FilmResult) -> float:
    assert film.played.qoe is not None
    return film.played.qoe.per_segment


def _ratio(what: str, pairs: Sequence[Pair], of: Callable[[FilmResult], float], reach: Reach | None = None) -> Figure:
    """Mean of the pairs' ratios."""
    return _figure(f"{what}, with / without", pairs, lambda pair: of(pair.held) / of(pair.free), "", reach)


def _difference(what: str, pairs: Sequence[Pair], of: Callable[[FilmResult], float], unit: str = "") -> Figure:
    return _figure(f"{what}, with less without", pairs, lambda pair: of(pair.held) - of(pair.free), unit, None)


def _figure(
    what: str, pairs: Sequence[Pair], compare: Callable[[Pair], float], unit: str, reach: Reach | None
) -> Figure:
    """The interval is over the links' means: places of one trace have much of it in common, and are no repeats."""
    by_link: dict[str, list[float]] = {}
    for pair in pairs:
        by_link.setdefault(pair.link, []).append(compare(pair))
    interval = mean_interval([fmean(values) for values in by_link.values()])
    assert interval is not None
    return Figure.of_interval(what, replace(interval, samples=len(pairs)), unit, reach=reach)


def _table(title: str, kinds: Sequence[tuple[str, Sequence[Pair]]]) -> Table:
    header = ("link", "chunks, Mbit/s", "p95 queue, ms", "beside, Mbit/s", "QoE_lin", "stalled, s")
    rows = []
    for kind, pairs in kinds:
        for link in dict.fromkeys(pair.link for pair in pairs):
            of = [pair for pair in pairs if pair.link == link]

            def both(value: Callable[[FilmResult], float], digits: int, of: Sequence[Pair] = of) -> str:
                held, free = (median(map(value, films)) for films in zip(*((p.held, p.free) for p in of), strict=True))
                return f"{held:.{digits}f} / {free:.{digits}f}"

            beside = both(lambda film: _beside_rate(film) / 1e6, 1) if of[0].held.beside_bits_per_s else "-"
            rows.append(
                (
                    f"{link}{kind}",
                    both(lambda film: _chunk_rate(film) / 1e6, 1),
                    both(lambda film: 1000 * _p95_s(film), 0),
                    beside,
                    both(_qoe, 2),
                    both(lambda film: film.played.stalled_s, 1),
                )
            )
    return Table(f"{title}, with the player's need / without, medians over starts", header, tuple(rows))


STUDY = Study(
    "One loop: the player's need",
    "The demo film, played in virtual time by the page's player with NuwaRule and the receiver's estimate, "
    "under Kuafu and under Nuwa: the preset "
    f"`{WITH}` beside `{WITHOUT}`, which has the same numbers and goes by no need. Generated links, 20 ms each way, "
    f"{DEEP_QUEUE_PACKETS} packets of queue; {CUBIC_QUEUE_PACKETS} beside CUBIC. Pairs begin at one place. "
    "Downloads of 2 MB have 3 s between them, and their rate leaves those out.",
    measure,
)
