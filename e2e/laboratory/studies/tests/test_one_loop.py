"""What the study of the player's need makes of films, worked out by hand."""

from __future__ import annotations

import pytest

from e2e.laboratory.films.messages import PlayedFilm, Qoe, Segment
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.studies import one_loop
from e2e.laboratory.studies.one_loop import Pair


def film(*, took_ms: float, beside_segment_s: float | None = None) -> FilmResult:
    """Two segments of 1 MB, the second of which took so long and the first twice."""
    segments = [
        Segment(1, 8_000_000, 1_000_000, requested_at_ms=0.0, ended_at_ms=2 * took_ms),
        Segment(2, 8_000_000, 1_000_000, requested_at_ms=5000.0, ended_at_ms=5000.0 + took_ms),
    ]
    played = PlayedFilm(None, 300.0, 4.0, True, [], Qoe(16.0, 8.0), segments, [])
    return FilmResult(played, 0.010, (0.0,), (beside_segment_s,))


def test_a_film_has_the_mean_rate_of_its_segments() -> None:
    assert one_loop._chunk_rate(film(took_ms=1000.0)) == pytest.approx((4e6 + 8e6) / 2)


def test_pairs_are_compared_one_by_one() -> None:
    pairs = [
        Pair("a", film(took_ms=2000.0), film(took_ms=1000.0)),
        Pair("b", film(took_ms=4000.0), film(took_ms=1000.0)),
    ]
    figure = one_loop._ratio("chunks", pairs, one_loop._chunk_rate, one_loop.CHUNKS)
    assert figure.value == pytest.approx((0.5 + 0.25) / 2)
    assert figure.is_reached
    assert one_loop._difference("QoE_lin", pairs, one_loop._qoe).value == 0.0


def test_places_of_one_trace_are_no_repeats() -> None:
    halves = [Pair("a", film(took_ms=2000.0), film(took_ms=1000.0))] * 3
    quarters = [Pair("b", film(took_ms=4000.0), film(took_ms=1000.0))]
    interval = one_loop._ratio("chunks", [*halves, *quarters], one_loop._chunk_rate).interval
    assert interval is not None
    assert interval.value == pytest.approx(0.375)
    assert (interval.samples, interval.groups) == (4, 2)


def test_short_downloads_have_the_rate_of_those_that_arrived_whole() -> None:
    assert one_loop._short_rate(film(took_ms=1.0, beside_segment_s=2.0)) == pytest.approx(16e6 / 2)
