"""What is made of a bundle that no cell left, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from e2e.laboratory.films.in_browser.bundle import film_of_bundle
from e2e.laboratory.films.in_browser.tests.sample import leave_bundle, plan_of
from e2e.laboratory.places.watched_child import CellError


def test_stalls_without_a_processor_are_no_waits_and_cost_no_quality(tmp_path: Path) -> None:
    leave_bundle(tmp_path)
    film = film_of_bundle(plan_of(tmp_path), tmp_path)
    # Of two segments of 4 and 2 Mbit/s: less 2 of a switch, less 4.3 for each second of the wait for data.
    assert film.played.qoe is not None
    assert film.played.qoe.per_segment == pytest.approx((6 - 2 - 4.3 * 0.5) / 2)
    assert film.played.waits[0].duration_ms == 500
    assert film.played.waits[0].started_at_ms == 1000
    assert (film.stood_s, film.host_late_ms, len(film.played.waits)) == (0.25, 12.0, 1)
    assert [segment.bits_per_second for segment in film.played.segments] == [4_000_000, 2_000_000]
    assert film.played.startup_ms == 900


def test_the_links_seconds_are_those_of_its_log(tmp_path: Path) -> None:
    leave_bundle(tmp_path)
    film = film_of_bundle(plan_of(tmp_path), tmp_path)
    assert [(second.at_s, second.position_s) for second in film.seconds] == [(1, 0.5), (2, 1.5), (3, 2.5)]
    # Two opportunities and one departure of full size in the first second, none later.
    assert film.seconds[0].capacity_bits_per_s == pytest.approx(2 * 8 * 1504)
    assert film.seconds[0].carried_bits_per_s == pytest.approx(8 * 1504)
    assert film.seconds[1].capacity_bits_per_s == 0
    assert [second.receiver_bits_per_s for second in film.seconds] == [None, 5e6, 5e6]
    assert [second.receiver_mean_bits_per_s for second in film.seconds] == [None, 5e6, 5e6]
    assert film.p50_queueing_delay_s == pytest.approx(0.007)


def test_a_film_without_its_end_failed(tmp_path: Path) -> None:
    leave_bundle(tmp_path, ends=False)
    with pytest.raises(CellError, match=r"the film stood at 3\.0 s of 4\.0 s"):
        film_of_bundle(plan_of(tmp_path), tmp_path)
