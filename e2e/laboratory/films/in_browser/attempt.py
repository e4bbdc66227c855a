"""One film in a browser: a cell of e2e/browser as a child, twice where it fails; all that it leaves is in a folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from polars.exceptions import PolarsError

from cc.links.traces.formats.mahimahi import format_trace
from cc.receiver.presets import DEFAULT_PRESET
from e2e.laboratory.films.in_browser.bundle import film_of_bundle
from e2e.laboratory.films.in_browser.watched_child import CellError, run_watched
from e2e.laboratory.films.record import FilmRecord
from e2e.laboratory.films.run import FilmPlan
from e2e.laboratory.films.seen import FilmResult
from e2e.laboratory.matrix.trace_window import cut_window_ms
from e2e.laboratory.places.browser import CELL
from e2e.laboratory.places.environment import BOOTSTRAP, require_node
from e2e.laboratory.places.link_log import LinkLogError

ATTEMPTS = 2
OPEN_AT_S = 20.0
"""After the link's time began: more than browser and page take to load."""
STALLS_S = 300.0
"""So much longer than its film a browser is watched, at most."""
WATCHDOG_S = 420.0
"""What browser, page and bundle may take beside: a cell that takes longer is stopped."""
BROWSER_OVERHEAD_S = 35.0
"""What they are taken to need until one was timed."""
VIA = {"browser": "relay", "browser-mahimahi": "mahimahi"}

RunCommand = Callable[[Sequence[str], Path, float], None]
"""Runs a command, with its log in a file, for so long at most. Raises CellError."""


def attempt_in_browser(plan: FilmPlan, folder: Path, run: RunCommand = run_watched) -> FilmRecord:
    """What became of it; one that fails is tried once more. Raises OSError where nothing can be kept."""
    began_s = time.monotonic()
    failure = ""
    for number in range(1, ATTEMPTS + 1):
        attempt = folder / f"attempt-{number}"
        shutil.rmtree(attempt, ignore_errors=True)
        attempt.mkdir(parents=True)
        try:
            return FilmRecord((_play(plan, attempt, run),), None, time.monotonic() - began_s)
        except (CellError, LinkLogError, PolarsError, msgspec.DecodeError, FileNotFoundError, EOFError) as error:
            failure = f"{error}; {_left(attempt)}"
    return FilmRecord(None, failure, time.monotonic() - began_s)


def cell_command(plan: FilmPlan, folder: Path) -> list[str]:
    """A run of e2e/browser/cell.ts, which leaves its bundle in the folder."""
    options = {
        "scheme": plan.scheme,
        "preset": plan.preset or DEFAULT_PRESET,
        "rule": plan.rule,
        "estimator": plan.estimator,
        "film": str(plan.folder),
        "link": str(folder / "link.down"),
        "delay": f"{plan.delay_ms:g}",
        "queue": str(plan.queue_packets),
        "loss": str(plan.loss_ratio),
        "via": VIA[plan.place],
        "seed": str(plan.seed),
        "max-datagram-bytes": str(plan.packet_bytes),
        "open-at": f"{OPEN_AT_S:g}",
        "seconds": f"{plan.film_s + STALLS_S:g}",
        "output": str(folder),
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return [str(require_node()), str(BOOTSTRAP), *CELL, "--until-end", *words]


def _play(plan: FilmPlan, folder: Path, run: RunCommand) -> FilmResult:
    length_ms = round(1000 * (OPEN_AT_S + plan.film_s + STALLS_S))
    from_ms = plan.start_ms - round(1000 * OPEN_AT_S)
    for name, opportunities_ms in (("link.down", plan.opportunities_ms), ("link.up", plan.uplink_ms)):
        window_ms = cut_window_ms(opportunities_ms, from_ms=from_ms, length_ms=length_ms)
        (folder / name).write_text(format_trace(window_ms), encoding="ascii")
    run(cell_command(plan, folder), folder / "cell.log", plan.film_s + STALLS_S + WATCHDOG_S)
    return film_of_bundle(plan, folder)


def _left(folder: Path) -> str:
    """What there is to look at."""
    names = [name for name in ("cell.log", "screenshot.png") if (folder / name).exists()]
    return f"{' and '.join(names) or 'nothing'} in {folder}"
