"""What the study makes of films that nobody played, worked out by hand."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import polars as pl
import pytest

from e2e.laboratory.film_fidelity.bundle import BrowserFilm, read_browser_film
from e2e.laboratory.film_fidelity.cells import Cell, NotPlayedError, Watched, figures, table
from e2e.laboratory.film_fidelity.measure import report
from e2e.laboratory.films.messages import PlayedFilm, Qoe, Segment, Wait

WATCHED = Watched(qoe_per_segment=2.0, stalled_s=0.5, stalls=1, bitrate_bits_per_s=3e6, switches=1, startup_s=0.4)


def simulated(*megabits: int) -> PlayedFilm:
    """Segments of these rungs, which stalled twice: 0.75 s in all."""
    return PlayedFilm(
        error=None,
        startup_ms=250.0,
        position_seconds=2.0 * len(megabits),
        has_ended=True,
        waits=[Wait(1000.0, 500.0), Wait(4000.0, 250.0)],
        qoe=Qoe(6.0, 2.0),
        segments=[Segment(index, 1_000_000 * rate, 1, 0.0, 1.0) for index, rate in enumerate(megabits)],
        switches=[],
    )


def in_browser(folder: Path, *, played_s: float = 119.5) -> BrowserFilm:
    """Read from a bundle: segments of 4 and 2 Mbit/s, 0.5 s without data and 0.25 s without a processor."""
    metrics = {
        "playback": {
            "startupSeconds": 0.9,
            "stalls": [
                {"startedAtMs": 1, "seconds": 0.5, "leastBufferSeconds": 0.1},
                {"startedAtMs": 2, "seconds": 0.25, "leastBufferSeconds": 12.0},
            ],
            "rebufferSeconds": 0.75,
            "playedSeconds": played_s,
            "endBufferSeconds": 0.0,
        },
        "segmentMegabitsPerSecond": [4.0, 2.0],
        "switches": 1,
        "qoe": {"total": 0.775, "bitrateSum": 6.0, "rebufferPenalty": 4.3 * 0.75, "smoothnessPenalty": 2.0},
    }
    (folder / "bundle.json").write_text(json.dumps({"metrics": metrics, "decisions": []}))
    return read_browser_film(folder)


def cell(simulation: Watched | None, browser: Watched | None) -> Cell:
    return Cell(("8mbit", "nuwa", "nuwa", "nuwa", "1"), simulation, browser)


def test_both_places_count_the_same_measures_and_a_decoder_without_a_processor_apart(tmp_path: Path) -> None:
    assert Watched.simulated(simulated(1, 4, 4, 3)) == Watched(2.0, 0.75, 2, 3e6, 2, 0.25)
    # 6 Mbit/s, less 2 of a switch, less 4.3 for each second of the wait for data: of two segments
    watched = Watched.in_browser(in_browser(tmp_path), film_s=120.0)
    assert watched.qoe_per_segment == pytest.approx((6 - 2 - 4.3 * 0.5) / 2)
    assert replace(watched, qoe_per_segment=0.0) == Watched(0.0, 0.5, 1, 3e6, 1, 0.9, stood_s=0.25)


def test_a_film_without_its_end_is_no_film(tmp_path: Path) -> None:
    with pytest.raises(NotPlayedError, match=r"browser: showed 60\.0 s of 120\.0 s"):
        Watched.in_browser(in_browser(tmp_path, played_s=60.0), film_s=120.0)
    with pytest.raises(NotPlayedError, match=r"simulation: ended at 4\.0 s"):
        Watched.simulated(msgspec.structs.replace(simulated(1, 1), has_ended=False))


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
