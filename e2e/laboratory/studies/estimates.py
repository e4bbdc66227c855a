"""The receiver's estimate and dash.js's beside what the link carries: figure 2 of Nuwa's paper, with ours in it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import fmean, median

import altair as alt

from cc.links.defaults import DEEP_QUEUE_PACKETS, DELAY_MS
from cc.links.link import constant_rate_opportunities_ms
from cc.links.traces.capacity import offered_bytes
from cc.links.traces.lte_like import LteLike
from cc.links.traces.nr_like import NrLike
from cc.links.traces.rates import RateProcess, generate
from cc.links.traces.wifi_like import WifiLike
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.films.expand import demo_film
from e2e.laboratory.films.make import play_all
from e2e.laboratory.films.messages import PlayerEstimator
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult, Second
from e2e.laboratory.learned.pictures import WIDTH, Gallery, Picture
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.report.chart import chart_of, series_colour
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings, OverTime
from e2e.laboratory.studies.study import Study

TRACE_MS, TRACE_SEED = 120_000, 2030
FIXED_MBIT_PER_S = 24.0
"""The paper's."""
FIXED, LTE, NR, WIFI = "24 Mbit/s", "4G, 8 Mbit/s", "5G, 12 Mbit/s", "Wi-Fi, 10 Mbit/s"
REACHES = {FIXED: Reach("at most", 3), **dict.fromkeys((LTE, NR, WIFI), Reach("at most", 10))}
MEAN, RECEIVER = "receiver, mean of the second", "receiver, newest"
DASHJS, PAPER = "dash.js, same session", "dash.js over CUBIC"
LINK, FLICKER = "link", "link, last 0.1 s"
FLICKER_S = 0.1
HEIGHT = 170


def measure(bench: Bench) -> Findings:
    """Each film from some places of each trace. Raises FilmFailure and OptionError."""
    traces = _traces()
    plans = [
        plan
        for name, trace_ms in traces.items()
        for at in range(bench.repeats)
        for plan in _pair(name, trace_ms, at + 1)
    ]
    results = play_all(plans, jobs=bench.settings.jobs)
    ours, papers = results[::2], results[1::2]
    figures, rows, pictures = [], [], []
    for place, (name, trace_ms) in enumerate(traces.items()):
        of = slice(place * bench.repeats, (place + 1) * bench.repeats)
        of_link = [
            _figure(f"{name}: {MEAN}", ours[of], _mean_error, REACHES[name]),
            _figure(f"{name}: {RECEIVER}", ours[of], _newest_error),
            _figure(f"{name}: {DASHJS}", ours[of], _dashjs_error),
            _figure(f"{name}: {PAPER}", papers[of], _dashjs_error),
            Figure(f"{name}: {FLICKER}, beside its own second", 100 * flicker(trace_ms), "%"),
        ]
        figures += of_link
        rows.append((name, *("-" if each.value is None else f"{each.value:.1f} %" for each in of_link)))
        pictures.append(_over_time(name, ours[of][0], papers[of][0]))
    table = Table("Median error of the estimates", (LINK, MEAN, RECEIVER, DASHJS, PAPER, FLICKER), tuple(rows))
    return Findings(tuple(figures), tables=(table,), over_time=tuple(pictures))


def draw(findings: Findings) -> tuple[Gallery, ...]:
    """A picture a link: who is how far from the truth, second by second."""
    pictures = tuple(picture_over_time(each, unit="Mbit/s") for each in findings.over_time)
    caption = "Mbit/s over the first film's time. An estimate stands while nothing is fetched."
    return (Gallery(pictures, caption, (LINK, RECEIVER, DASHJS, PAPER)),)


def _traces() -> dict[str, Sequence[int]]:
    mobile: dict[str, RateProcess] = {
        LTE: LteLike(mean_bits_per_s=8e6),
        NR: NrLike(mean_bits_per_s=12e6),
        WIFI: WifiLike(mean_bits_per_s=10e6),
    }
    made = {name: generate(family, random.Random(TRACE_SEED), duration_ms=TRACE_MS) for name, family in mobile.items()}
    return {FIXED: constant_rate_opportunities_ms(FIXED_MBIT_PER_S), **made}


def _pair(link: str, trace_ms: Sequence[int], start: int) -> tuple[FilmPlan, FilmPlan]:
    """Nuwa with its estimate, and CUBIC with dash.js's."""

    def plan(scheme: str, estimator: PlayerEstimator) -> FilmPlan:
        return FilmPlan(
            folder=demo_film(),
            scheme=scheme,
            rule="dynamic",
            estimator=estimator,
            link=link,
            opportunities_ms=trace_ms,
            start_ms=start_of_seed_ms(start, trace_ms[-1]),
            queue_packets=DEEP_QUEUE_PACKETS,
            delay_ms=DELAY_MS,
            seed=start,
        )

    return plan("nuwa", "receiver"), plan("cubic", "dashjs")


def flicker(trace_ms: Sequence[int]) -> float:
    """How far the rate of a second's last tenth is from that of the whole second, median: what no mean can follow."""
    ends_s = range(1, trace_ms[-1] // 1000 + 1)
    seconds = [offered_bytes(trace_ms, end_s) - offered_bytes(trace_ms, end_s - 1) for end_s in ends_s]
    tenths = [offered_bytes(trace_ms, end_s) - offered_bytes(trace_ms, end_s - FLICKER_S) for end_s in ends_s]
    return median(
        abs(tenth / FLICKER_S / second - 1) for tenth, second in zip(tenths, seconds, strict=True) if second > 0
    )


def _mean_error(film: FilmResult) -> float | None:
    return film.receiver_mean_error_ratio


def _newest_error(film: FilmResult) -> float | None:
    return film.receiver_error_ratio


def _dashjs_error(film: FilmResult) -> float | None:
    return film.dashjs_error_ratio


def _figure(
    what: str,
    films: Sequence[FilmResult],
    error_of: Callable[[FilmResult], float | None],
    reach: Reach | None = None,
) -> Figure:
    """Mean over films of their median errors. A film that never filled half the link for a second says nothing.

    Films over one trace have too much of it in common for an interval.
    """
    errors = tuple(100 * error for film in films if (error := error_of(film)) is not None)
    if not errors:
        return Figure(f"{what}: the link was never in use", None, reach=reach)
    return Figure(f"{what}, median error", fmean(errors), "%", errors, reach=reach, repeats="starts")


def _over_time(link: str, ours: FilmResult, papers: FilmResult) -> OverTime:
    """The first film of each: they began at one place of the trace."""

    def line(film: FilmResult, of: Callable[[Second], float | None]) -> tuple[tuple[float, float | None], ...]:
        values = ((second.at_s, of(second)) for second in film.seconds)
        return tuple((at_s, None if value is None else value / 1e6) for at_s, value in values)

    return OverTime(
        link,
        {
            LINK: line(ours, lambda second: second.capacity_bits_per_s),
            RECEIVER: line(ours, lambda second: second.receiver_bits_per_s),
            DASHJS: line(ours, lambda second: second.dashjs_bits_per_s),
            PAPER: line(papers, lambda second: second.dashjs_bits_per_s),
        },
    )


def picture_over_time(of: OverTime, *, unit: str) -> Picture:
    """A line each, in the colours of the series; a moment without a value breaks it."""
    rows = [
        {"at_s": at_s, "value": value, "colour": series_colour(place), "name": name}
        for place, (name, line) in enumerate(of.lines.items())
        for at_s, value in line
    ]
    mark = alt.MarkDef(type="line", interpolate="step-before", strokeWidth=1.4)
    chart = chart_of(rows, mark).encode(
        x=alt.X("at_s:Q", axis=alt.Axis(title="Time (s)", tickCount=6)),
        y=alt.Y("value:Q", axis=alt.Axis(title=unit, tickCount=5)),
        color=alt.Color("colour:N", scale=None, legend=None),
        detail="name:N",
    )
    return Picture(of.title, chart.properties(width=WIDTH - 55, height=HEIGHT), f"{of.title}: {', '.join(of.lines)}.")


STUDY = Study(
    "How near is the estimate?",
    "The demo film in virtual time with dash.js's dynamic, over Nuwa by the receiver's estimate, and over CUBIC by "
    "dash.js's, as in figure 2 of Nuwa's paper. Generated links, 20 ms each way, 1,000 packets of queue. An error is "
    "|estimate / capacity - 1|, its median over the seconds in which the link carried at least half of what it could. "
    "Capacity is the mean of a second. The receiver follows within some 0.15 s, so beside it stand the mean "
    "of its estimates, and the newest. The last column is the link's own last tenth of each second.",
    measure,
    draw,
)
