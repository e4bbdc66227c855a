"""What the study makes of films that nobody played, worked out by hand."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl
import pytest

from e2e.laboratory.film_fidelity.cells import NotPlayedError, PlayedTwice, Watched, figures, table
from e2e.laboratory.film_fidelity.measure import report
from e2e.laboratory.films.messages import PlayedFilm, Qoe, Segment, Wait
from e2e.laboratory.films.seen import FilmResult

WATCHED = Watched(qoe_per_segment=2.0, stalled_s=0.5, stalls=1, bitrate_bits_per_s=3e6, switches=1, startup_s=0.4)


def simulated(*mbit_per_s: int) -> FilmResult:
    """Segments of these rungs, which stalled twice: 0.75 s in all."""
    played = PlayedFilm(
        error=None,
        startup_ms=250.0,
        position_seconds=2.0 * len(mbit_per_s),
        has_ended=True,
        waits=[Wait(1000.0, 500.0), Wait(4000.0, 250.0)],
        qoe=Qoe(6.0, 2.0),
        segments=[Segment(index, 1_000_000 * rate, 1, 0.0, 1.0) for index, rate in enumerate(mbit_per_s)],
        switches=[],
    )
    return FilmResult(played, 0.05, stood_s=0.1)


def cell(simulation: Watched | None, browser: Watched | None) -> PlayedTwice:
    return PlayedTwice(("8mbit", "nuwa", "nuwa", "receiver", "1"), simulation, browser)


def test_measures_are_of_segments_and_of_waits_for_data() -> None:
    assert Watched.of(simulated(1, 4, 4, 3)) == Watched(2.0, 0.75, 2, 3e6, 2, 0.25, stood_s=0.1)


def test_a_film_without_its_end_is_no_film() -> None:
    broken = simulated(1, 1)
    with pytest.raises(NotPlayedError, match=r"ended at 4\.0 s"):
        Watched.of(replace(broken, played=msgspec.structs.replace(broken.played, has_ended=False)))


def test_means_are_compared_and_distances_cannot_cancel() -> None:
    better = replace(WATCHED, qoe_per_segment=3.0, stalled_s=0.0)
    found = {figure.what: figure for figure in figures([cell(better, WATCHED), cell(WATCHED, better)])}
    qoe, stalled, qoe_distance, stalled_distance, *_ = found.values()
    assert (qoe.value, qoe.is_reached) == (0.0, True)
    assert (stalled.value, stalled.is_reached) == (0.0, True)
    assert qoe_distance.value == pytest.approx(40.0)  # 1 of a mean of 2.5
    assert stalled_distance.value == pytest.approx(0.5)


def test_a_mean_is_as_far_away_below_as_above() -> None:
    worse = replace(WATCHED, qoe_per_segment=1.8, stalled_s=1.0)
    qoe, stalled, *_ = figures([cell(worse, WATCHED)])
    assert qoe.value == pytest.approx(10.0)
    assert list(qoe.samples) == pytest.approx([-10.0])
    assert (qoe.is_reached, stalled.value, stalled.is_reached) == (False, 0.5, False)


def test_what_is_missing_is_shown_and_nothing_is_reached() -> None:
    cells = [cell(WATCHED, WATCHED), cell(WATCHED, None)]
    assert [figure.value for figure in figures(cells)[:2]] == [None, None]
    assert "2.000 / -" in table(cells)


def test_rows_and_figures_are_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = argparse.Namespace(output=tmp_path / "new")
    assert report([cell(WATCHED, WATCHED)], command="npm run bench -- film-fidelity", options=options) == 0
    rows = pl.read_csv(options.output / "film-fidelity.csv")
    assert rows["place"].to_list() == ["simulation", "browser"]
    assert rows["qoe_per_segment"].to_list() == [2.0, 2.0]
    (left,) = options.output.glob("*film-fidelity.json")
    assert json.loads(left.read_text())["figures"][0]["value"] == 0.0
    assert report([cell(None, WATCHED)], command="x", options=options) == 1
    assert "2.000 / 2.000" in capsys.readouterr().out
