"""The page of a matrix of films: one file that needs nothing else."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from markupsafe import Markup

from e2e.laboratory.films.bundle import FilmsBundle
from e2e.laboratory.films.charts import QUALITY, STALLED, film_over_time, quality_and_stalls, spread
from e2e.laboratory.films.comparison import Arm, FilmsOfArms, Meeting, Seen, exchanges, films_of_arms, interval_over
from e2e.laboratory.films.lost import lost_by_arm, share_of
from e2e.laboratory.films.quality import OF_FALL, OF_RISE, OF_STALL, OF_VMAF
from e2e.laboratory.films.rows import PlayedCell, dashjs_error_p90, receiver_error_p90, seconds_frame
from e2e.laboratory.report.page import render
from e2e.laboratory.report.plain_table import Table
from models.evaluation.resampling import Interval


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of the table of arms."""

    head: str
    digits: int
    least: float = -math.inf
    """Its interval ends where the quantity does."""
    most: float = math.inf

    def mean(self, values: Mapping[Meeting, float]) -> str:
        """With its 95 % interval, where there are links enough."""
        interval = interval_over(values, least=self.least, most=self.most)
        if interval is None:
            return "-"
        if not interval.has_enough_groups:
            return f"{interval.value:.{self.digits}f}"
        return f"{interval.value:.{self.digits}f} [{interval.low:.{self.digits}f}, {interval.high:.{self.digits}f}]"


JUDGED = {
    "vmaf_mean": Measure("VMAF", 1, 0.0, 100.0),
    "qoe_vmaf_per_segment": Measure("QoE_VMAF", 1),
    "ssim_mean": Measure("SSIM", 3, most=1.0),
    "p1203_mos": Measure("P.1203", 2, 1.0, 5.0),
}
"""By the measures' names in `Judgement`."""
QOE_LIN, QOE_LOG = Measure("QoE_lin", 2), Measure("QoE_log", 2)
STALLED_S = Measure("stalled, s", 2, 0.0)
STALLED_PERCENT = Measure("stalled, %", 2, 0.0, 100.0)
QUEUE_MS = Measure("p95 queue, ms", 0, 0.0)
BESIDE_MBIT = Measure("beside, Mbit/s", 2, 0.0)
SEEK_S = Measure("seek, s", 2, 0.0)


@dataclass(frozen=True, slots=True)
class Example:
    """One film over time."""

    title: str
    chart: Markup


def write_page(file: Path, cells: Sequence[PlayedCell], bundle: FilmsBundle, *, families: Mapping[str, str]) -> None:
    """Of all films that were played; `families` says of each link what it is like. Raises OSError."""
    films = {arm: met for arm, met in films_of_arms(cells).items() if met}
    family_of = {cell.plan.names[0]: families[cell.plan.link] for cell in cells}
    links = list(family_of)
    page = render(
        "films.html.jinja",
        title=f"{_counted(len(films), 'arm')} over {_counted(len(links), 'link')}",
        about=f"{_counted(len(cells), 'film')}; {_counted(len(bundle.failures), 'failure')}",
        bundle=bundle,
        arms=[", ".join(arm) for arm in films],
        summary=_summary(films, links),
        lost=_lost(cells),
        weights={"vmaf": OF_VMAF, "stall": OF_STALL, "rise": OF_RISE, "fall": OF_FALL},
        by_family=_means_by("family", films, family_of) if 1 < len({*family_of.values()}) < len(links) else None,
        estimates=_estimates(cells, family_of),
        by_link=_means_by("link", films, {link: link for link in links}),
        exchanges=_exchanges(films),
        quality=quality_and_stalls(films) if films else None,
        spreads=[spread(films, what) for what in (QUALITY, STALLED)] if films else [],
        example=_example(cells),
    )
    file.write_text(page, encoding="utf-8")


def _summary(films: FilmsOfArms, links: Sequence[str]) -> Table:
    """Means over all films of an arm; what is known of no film has no column."""
    judged = [name for name in JUDGED if any(_values(met, name) for met in films.values())]
    has_downloads = any(_beside(met) for met in films.values())
    has_seeks = any(_seek_s(met) for met in films.values())
    rest = (
        *(JUDGED[name] for name in judged),
        *(STALLED_S, STALLED_PERCENT, QUEUE_MS),
        *([BESIDE_MBIT] if has_downloads else []),
        *([SEEK_S] if has_seeks else []),
    )
    won = _won(films, links)
    head = ("arm", "films", "links won", QOE_LIN.head, "of best", QOE_LOG.head)
    header = (*head, *(measure.head for measure in rest))
    rows = tuple(
        (
            *(", ".join(arm), f"{len(met)}", f"{won[arm]} of {len(links)}"),
            *_means(met, judged),
            *([BESIDE_MBIT.mean(_beside(met))] if has_downloads else []),
            *([SEEK_S.mean(_seek_s(met))] if has_seeks else []),
        )
        for arm, met in films.items()
    )
    return Table("All links", header, rows)


def _beside(met: Mapping[Meeting, Seen]) -> dict[Meeting, float]:
    """What downloads beside the films got, in Mbit/s."""
    rates = {key: seen.beside_bits_per_s for key, seen in met.items()}
    return {key: rate / 1e6 for key, rate in rates.items() if rate is not None}


def _seek_s(met: Mapping[Meeting, Seen]) -> dict[Meeting, float]:
    """Mean of each film's, where it has any."""
    return {key: seen.seek_s for key, seen in met.items() if seen.seek_s is not None}


def _values(met: Mapping[Meeting, Seen], name: str) -> dict[Meeting, float]:
    """Of a measure, where it is known."""
    values = {key: getattr(seen.judgement, name) for key, seen in met.items()}
    return {key: value for key, value in values.items() if value is not None}


def _means(met: Mapping[Meeting, Seen], judged: Sequence[str]) -> Iterator[str]:
    yield QOE_LIN.mean({key: seen.qoe_per_segment for key, seen in met.items()})
    films = met.values()
    best = [
        (film.qoe_per_segment, film.best_qoe_per_segment) for film in films if film.best_qoe_per_segment is not None
    ]
    share = share_of(best)
    yield "-" if share is None else f"{share:.3f}"
    yield QOE_LOG.mean({key: seen.qoe_log_per_segment for key, seen in met.items()})
    for name in judged:
        yield JUDGED[name].mean(_values(met, name))
    yield STALLED_S.mean({key: seen.stalled_s for key, seen in met.items()})
    yield STALLED_PERCENT.mean({key: 100 * seen.stalled_ratio for key, seen in met.items()})
    delays = {key: seen.p95_queueing_delay_s for key, seen in met.items()}
    yield QUEUE_MS.mean({key: 1000 * delay_s for key, delay_s in delays.items() if delay_s is not None})


def _won(films: FilmsOfArms, links: Sequence[str]) -> dict[Arm, int]:
    """Over how many links an arm has the most QoE_lin of all that were played there, in the films that all have."""
    won = dict.fromkeys(films, 0)
    for link in links:
        played = {arm: its for arm, met in films.items() if (its := {key for key in met if key[0] == link})}
        shared = {key for its in played.values() for key in its if all(key in others for others in played.values())}
        means = {arm: fmean(films[arm][key].qoe_per_segment for key in shared) for arm in played if shared}
        for arm, mean in means.items():
            won[arm] += mean == max(means.values())
    return won


def _means_by(what: str, films: FilmsOfArms, group_of: Mapping[str, str]) -> Table:
    """QoE_lin and seconds stalled, group by group of links."""
    rows = []
    for group in dict.fromkeys(group_of.values()):
        row = [group]
        for met in films.values():
            its = [seen for (link, *_), seen in met.items() if group_of[link] == group]
            row.append(
                f"{fmean(s.qoe_per_segment for s in its):.2f} ({fmean(s.stalled_s for s in its):.1f} s)" if its else "-"
            )
        rows.append(tuple(row))
    return Table(f"{what.capitalize()} by {what}", (what, *(", ".join(arm) for arm in films)), tuple(rows))


def _lost(cells: Sequence[PlayedCell]) -> Table:
    """In parts, arm by arm."""
    header = ("arm", "QoE_lin", "lower bitrate", "more changes", "more stalls")
    rows = [
        (", ".join(arm), *(f"{part:.2f}" for part in (its.total, its.bitrate, its.changes, its.stalls)))
        for arm, its in lost_by_arm(cells).items()
    ]
    return Table("Lacking of the best", header, tuple(rows))


def _estimates(cells: Sequence[PlayedCell], family_of: Mapping[str, str]) -> Table:
    """How far they were off in the same films, by kind of link and scheme."""
    found: dict[tuple[str, str], list[PlayedCell]] = {}
    for cell in cells:
        if cell.plan.estimator != "truth":
            found.setdefault((family_of[cell.plan.names[0]], cell.plan.names[1]), []).append(cell)
    rows = []
    for names, its in found.items():
        errors = [
            [cell.result.receiver_error_ratio for cell in its],
            [receiver_error_p90(cell) for cell in its],
            [cell.result.dashjs_error_ratio for cell in its],
            [dashjs_error_p90(cell) for cell in its],
        ]
        if any(error is not None for of in errors for error in of):
            rows.append((*names, *(_mean_percent(of) for of in errors)))
    header = ("links", "scheme", "receiver, median", "receiver, p90", "dash.js, median", "dash.js, p90")
    return Table("Errors of the estimates", header, tuple(rows))


def _mean_percent(ratios: Sequence[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    return f"{100 * fmean(known):.1f} %" if known else "-"


def _exchanges(films: FilmsOfArms) -> Table:
    found = list(exchanges(films))
    has_vmaf = any(each.qoe_vmaf_per_segment is not None for each in found)
    header = ("exchanged", "arm", "instead of", "pairs", "QoE_lin", *(["QoE_VMAF"] if has_vmaf else []), "stalled, s")
    rows = [
        (
            each.axis,
            ", ".join(each.arm),
            ", ".join(each.instead_of),
            f"{each.pairs}",
            _signed(each.qoe_per_segment),
            *([_signed(each.qoe_vmaf_per_segment)] if has_vmaf else []),
            _signed(each.stalled_s),
        )
        for each in found
    ]
    return Table("One choice exchanged", header, tuple(rows))


def _example(cells: Sequence[PlayedCell]) -> Example | None:
    """Of the first arm the film with the median quality; None where none was seen."""
    first = [cell for cell in cells if cell.plan.names[1:] == cells[0].plan.names[1:] and cell.result.played.qoe]
    if not first:
        return None
    ranked = sorted(first, key=lambda cell: cell.result.played.qoe.per_segment if cell.result.played.qoe else 0.0)
    cell = ranked[len(ranked) // 2]
    title = f"{', '.join(cell.plan.names[1:])} over {cell.plan.link}, seed {cell.plan.seed}"
    return Example(title, film_over_time(title, seconds_frame([cell]).to_dicts()))


def _signed(of: Interval | None) -> str:
    """With its interval, where there are links enough."""
    if of is None:
        return "-"
    return f"{of.value:+.2f} [{of.low:+.2f}, {of.high:+.2f}]" if of.has_enough_groups else f"{of.value:+.2f}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
