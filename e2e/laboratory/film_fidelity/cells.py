"""What a viewer met, counted the same way wherever the film was played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.markdown import markdown_table
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.studies.samples import differences, mean_figure

QOE, STALLED = Reach("at most", 5.0), Reach("at most", 0.3)


class NotPlayedError(Exception):
    """A film without an end; the message says how far it came."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A whole film."""

    qoe_per_segment: float
    """QoE_lin."""
    stalled_s: float
    """After the first frame, for want of data."""
    stalls: int
    bitrate_bits_per_s: float
    """Mean of the segments, by their rungs."""
    switches: int
    """Neighbours of different rungs."""
    startup_s: float
    """From asking for the page to the first frame."""
    stood_s: float = 0.0
    """Without a picture, with data ahead: the decoder had no processor, of which virtual time never has too little."""

    @classmethod
    def of(cls, film: FilmResult) -> Watched:
        """Of either place. Raises NotPlayedError."""
        played = film.played
        if played.error is not None or not played.has_ended or played.qoe is None or played.startup_ms is None:
            raise NotPlayedError(played.error or f"ended at {played.position_seconds:.1f} s")
        rates = [segment.bits_per_second for segment in played.segments]
        return cls(
            qoe_per_segment=played.qoe.per_segment,
            stalled_s=played.stalled_s,
            stalls=len(played.waits),
            bitrate_bits_per_s=fmean(rates),
            switches=sum(one != other for one, other in pairwise(rates)),
            startup_s=played.startup_ms / 1000,
            stood_s=film.stood_s,
        )


@dataclass(frozen=True, slots=True)
class PlayedTwice:
    """One film in both places; None where it was not played to its end."""

    names: tuple[str, ...]
    """Link, scheme, rule, estimator and seed."""
    simulation: Watched | None
    browser: Watched | None


Read = Callable[[Watched], float]
COLUMNS: tuple[tuple[str, Read, int], ...] = (
    ("QoE_lin", lambda film: film.qoe_per_segment, 3),
    ("stalled, s", lambda film: film.stalled_s, 2),
    ("stalls", lambda film: film.stalls, 0),
    ("Mbit/s", lambda film: film.bitrate_bits_per_s / 1e6, 2),
    ("switches", lambda film: film.switches, 0),
    ("first frame, s", lambda film: film.startup_s, 2),
    ("without processor, s", lambda film: film.stood_s, 2),
)
NAMES = ("link", "scheme", "rule", "estimator", "seed")


def table(cells: Sequence[PlayedTwice]) -> str:
    """A row a cell: simulation / browser."""
    rows = [
        [*cell.names, *(f"{_text(cell.simulation, *column)} / {_text(cell.browser, *column)}" for column in COLUMNS)]
        for cell in cells
    ]
    header = [*NAMES, *(name for name, *_ in COLUMNS)]
    return f"Simulation / browser:\n\n{markdown_table(header, rows)}"


def figures(cells: Sequence[PlayedTwice]) -> list[Figure]:
    """How far the means are apart, and the mean distance of the cells; no value where a film is missing."""
    qoe_apart, stalled_apart = _apart(cells, COLUMNS[0][1]), _apart(cells, COLUMNS[1][1])
    browser_qoe = [None if cell.browser is None else cell.browser.qoe_per_segment for cell in cells]
    is_whole = None not in qoe_apart and None not in browser_qoe
    of = f"simulation less browser, mean of {len(cells)} cells"
    mean_qoe = fmean(abs(qoe) for qoe in browser_qoe if qoe is not None) if is_whole else 0.0
    in_percent = [None if apart is None or mean_qoe == 0 else 100 * apart / mean_qoe for apart in qoe_apart]
    found = [
        _distance(f"QoE_lin, {of}, of the browser's mean", in_percent, "%", QOE),
        _distance(f"seconds stalled, {of}", stalled_apart, "s", STALLED),
        mean_figure("QoE_lin, mean distance of a cell, of the browser's mean", _sizes(in_percent), "%"),
        mean_figure("seconds stalled, mean distance of a cell", _sizes(stalled_apart), "s"),
    ]
    for name, read, _ in COLUMNS[2:]:
        found.append(mean_figure(f"{name}, {of}", _apart(cells, read)))
    return found


def _text(film: Watched | None, name: str, read: Read, digits: int) -> str:
    del name
    return "-" if film is None else f"{read(film):.{digits}f}"


def _apart(cells: Sequence[PlayedTwice], read: Read) -> tuple[float | None, ...]:
    return differences(
        [None if cell.simulation is None else read(cell.simulation) for cell in cells],
        [None if cell.browser is None else read(cell.browser) for cell in cells],
    )


def _sizes(samples: Sequence[float | None]) -> list[float | None]:
    return [None if sample is None else abs(sample) for sample in samples]


def _distance(what: str, samples: Sequence[float | None], unit: str, reach: Reach) -> Figure:
    """Of the mean from nothing; the samples keep their signs."""
    mean = mean_figure(what, samples, unit, reach=reach)
    return Figure(what, None if mean.value is None else abs(mean.value), unit, tuple(samples), reach=reach)
