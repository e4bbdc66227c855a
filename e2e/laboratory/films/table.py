"""Films as a table for a terminal: a line for each combination, means over where in the trace they began."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from e2e.laboratory.films.pairs import Difference, Spread, Start, paired_difference
from e2e.laboratory.films.rows import beside_bits_per_s
from e2e.laboratory.films.seen import FilmResult

HEAD = (
    "link",
    "scheme",
    "rule",
    "estimator",
    "ended",
    "first frame",
    "stalled",
    "played",
    "switches",
    "QoE_lin",
    "of best",
    "p95 queue",
)
CAPTION = (
    "Means over starts in one trace, and from the least to the most. QoE_lin is a segment's; "
    "of best: that of all starts over the best's.\n"
)
BESIDE = "beside"
"""More of the head, where a film has downloads beside it: what each of them got."""
SEEK = "seek"
"""And where viewers seek: how long it took to the picture there."""
PAIRED = ("QoE_lin - first", "stalled - first")
"""More of the head, where there are starts enough: against the link's first line, mean and spread over starts."""
NAMES = 4
"""Of the columns: the rest are figures."""


FilmsByNames = Mapping[tuple[str, ...], Mapping[Start, FilmResult]]
"""By link, scheme, rule and estimator."""


def films_table(played: FilmsByNames, shares_of_best: Mapping[tuple[str, ...], float]) -> str:
    """The keys are the first columns; the shares have the same."""
    firsts: dict[str, Mapping[Start, FilmResult]] = {}
    for (link, *_), films in played.items():
        firsts.setdefault(link, films)
    differences = {
        names: None if films is firsts[names[0]] else paired_difference(films, firsts[names[0]])
        for names, films in played.items()
    }
    is_paired = any(differences.values())
    results = [film for films in played.values() for film in films.values()]
    has_downloads = any(film.beside_bits_per_s for film in results)
    has_seeks = any(film.played.seeks for film in results)
    more = (*([BESIDE] if has_downloads else []), *([SEEK] if has_seeks else []), *(PAIRED if is_paired else ()))
    rows = [(*HEAD, *more)]
    for names, films in played.items():
        its = list(films.values())
        rows.append(
            (
                *names,
                *_figures(its, shares_of_best.get(names)),
                *([_beside(its)] if has_downloads else []),
                *([_seek(its)] if has_seeks else []),
                *(_paired(differences[names]) if is_paired else ()),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return CAPTION + "".join(_line(row, widths) for row in rows)


def _figures(results: Sequence[FilmResult], share_of_best: float | None) -> tuple[str, ...]:
    started = [result.played for result in results if result.played.startup_ms is not None]
    if not started:
        return (f"0/{len(results)}", "never", *["-"] * 6)
    rates = [fmean(segment.bits_per_second for segment in film.segments) for film in started if film.segments]
    qoes = [film.qoe.per_segment for film in started if film.qoe is not None]
    delays_s = [result.p95_queueing_delay_s for result in results if result.p95_queueing_delay_s is not None]
    return (
        f"{sum(film.has_ended for film in started)}/{len(results)}",
        f"{fmean(film.startup_ms or 0 for film in started):.0f} ms",
        f"{fmean(film.stalled_s for film in started):.1f} s",
        f"{fmean(rates) / 1e6:.2f} Mbit/s" if rates else "-",
        f"{fmean(len(film.switches) for film in started):.1f}",
        f"{fmean(qoes):.2f}" if qoes else "-",
        "-" if share_of_best is None else f"{share_of_best:.3f}",
        f"{1000 * fmean(delays_s):.0f} ms" if delays_s else "-",
    )


def _beside(results: Sequence[FilmResult]) -> str:
    rates = [rate for result in results if (rate := beside_bits_per_s(result)) is not None]
    return f"{fmean(rates) / 1e6:.2f} Mbit/s" if rates else "-"


def _seek(results: Sequence[FilmResult]) -> str:
    times_s = [time_s for result in results if (time_s := result.played.seek_s) is not None]
    return f"{fmean(times_s):.2f} s" if times_s else "-"


def _paired(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return ("", "")
    return (_spread(difference.qoe_per_segment, 2), _spread(difference.stalled_s, 1))


def _spread(of: Spread, digits: int) -> str:
    return f"{of.mean:+.{digits}f} ({of.least:+.{digits}f} to {of.most:+.{digits}f})"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        cell.ljust(width) if column < NAMES else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip() + "\n"
