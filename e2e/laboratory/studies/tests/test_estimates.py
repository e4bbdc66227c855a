"""What the study of estimates makes of films, worked out by hand."""

from __future__ import annotations

import pytest

from e2e.laboratory.films.messages import PlayedFilm
from e2e.laboratory.films.seen import FilmResult, Second
from e2e.laboratory.studies import estimates
from e2e.laboratory.studies.findings import Findings


def film(receiver_error_ratio: float | None, receiver_bits_per_s: float | None = 4e6) -> FilmResult:
    second = Second(1.0, 0.5, 0.5, 5e6, 4e6, receiver_bits_per_s, 2e6)
    played = PlayedFilm(None, 300.0, 1.0, True, [], None, [], [])
    return FilmResult(played, 0.01, seconds=(second,), receiver_error_ratio=receiver_error_ratio)


def test_the_figure_is_the_mean_over_films_in_percent() -> None:
    figure = estimates._figure(
        "24 Mbit/s", [film(0.01), film(0.05)], estimates._newest_error, estimates.REACHES["24 Mbit/s"]
    )
    assert figure.value == pytest.approx(3.0)
    assert figure.samples == pytest.approx((1.0, 5.0))
    assert figure.interval is None  # films over one trace are no repeats
    assert figure.is_reached


def test_a_link_that_was_never_in_use_has_no_figure() -> None:
    assert estimates._figure("24 Mbit/s", [film(None)], estimates._newest_error).value is None


def test_a_link_that_flickers_is_far_from_its_own_second() -> None:
    steady = range(1, 3001)
    assert estimates.flicker(steady) == pytest.approx(0, abs=0.02)
    # All of each second's in its first half: the last tenth carries nothing.
    bursts = [1000 * second + at_ms for second in range(3) for at_ms in range(1, 501)]
    assert estimates.flicker([*bursts, 3000]) == pytest.approx(1, abs=0.03)


def test_the_picture_has_a_line_for_the_link_and_for_each_estimate() -> None:
    shown = estimates._over_time("4G", film(0.1), film(0.1, None))
    assert [line[0] for line in shown.lines.values()] == [(1.0, 5.0), (1.0, 4.0), (1.0, 2.0), (1.0, 2.0)]
    (gallery,) = estimates.draw(Findings((), over_time=(shown,)))
    assert gallery.legend == tuple(shown.lines)
    drawn = gallery.pictures[0].svg
    assert all(f"var(--series-{place})" in drawn for place in (1, 2, 3, 4))
