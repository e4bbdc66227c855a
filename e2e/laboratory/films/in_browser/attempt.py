"""One film in a browser: a cell of e2e/browser as a child, twice where it fails; all that it leaves is in a folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
from polars.exceptions import PolarsError

from cc.receiver.presets import DEFAULT_PRESET
from e2e.laboratory.films.in_browser.bundle import film_of_bundle
from e2e.laboratory.films.record import FilmRecord
from e2e.laboratory.films.run import FilmPlace, FilmPlan
from e2e.laboratory.places.cell import CellPlan, RunCommand, Via, left_by_cell, play_cell
from e2e.laboratory.places.watched_child import run_watched
from e2e.laboratory.record import RunError

ATTEMPTS = 2
BROWSER_OVERHEAD_S = 35.0
"""What they are taken to need until one was timed."""
VIA: Mapping[FilmPlace, Via] = {"browser": "relay", "browser-mahimahi": "mahimahi"}


def attempt_in_browser(plan: FilmPlan, folder: Path, run: RunCommand = run_watched) -> FilmRecord:
    """What became of it; one that fails is tried once more. Raises OSError where nothing can be kept."""
    began_s = time.monotonic()
    failure = ""
    for number in range(1, ATTEMPTS + 1):
        attempt = folder / f"attempt-{number}"
        shutil.rmtree(attempt, ignore_errors=True)
        try:
            play_cell(cell_of(plan), attempt, run)
            return FilmRecord((film_of_bundle(plan, attempt),), None, time.monotonic() - began_s)
        except (RunError, PolarsError, msgspec.DecodeError, FileNotFoundError, EOFError) as error:
            failure = f"{error}; {left_by_cell(attempt)}"
    return FilmRecord(None, failure, time.monotonic() - began_s)


def cell_of(plan: FilmPlan) -> CellPlan:
    """The cell that a film is."""
    return CellPlan(
        scheme=plan.scheme,
        preset=plan.preset or DEFAULT_PRESET,
        rule=plan.rule,
        estimator=plan.estimator,
        downlink_ms=plan.opportunities_ms,
        uplink_ms=plan.uplink_ms,
        start_ms=plan.start_ms,
        delay_ms=plan.delay_ms,
        queue_packets=plan.queue_packets,
        loss_ratio=plan.loss_ratio,
        seed=plan.seed,
        packet_bytes=plan.packet_bytes,
        film_s=plan.film_s,
        via=VIA[plan.place],
        film=plan.folder,
        until_end=True,
    )
