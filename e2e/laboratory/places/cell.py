"""A film in a real browser over an emulated link: a cell of e2e/browser as a child that leaves a bundle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from e2e.laboratory.places.emulated_link import write_windows
from e2e.laboratory.places.environment import BOOTSTRAP, require_node
from e2e.laboratory.places.watched_child import run_watched

CELL = ("run", "e2e/browser/cell.ts")
LOG, SCREENSHOT = "cell.log", "screenshot.png"
OPEN_AT_S = 20.0
"""After the link's time began: more than browser and page take to load."""
STALLS_S = 300.0
"""So much longer than its film a browser may take, at most."""
WATCHDOG_S = 420.0
"""What browser, page and bundle may take beside: a cell that takes longer is stopped."""
ENCODING_S = 3600.0
"""Where nobody has played the demo film yet, it is encoded first, which takes a slow machine this long at most."""

Via = Literal["relay", "mahimahi"]
"""What emulates the link."""
RunCommand = Callable[[Sequence[str], Path, float], None]
"""Runs a command, with its log in a file, for so long at most. Raises CellError."""


@dataclass(frozen=True, slots=True)
class CellPlan:
    """What a browser plays, over which link."""

    scheme: str
    preset: str
    rule: str
    estimator: str
    downlink_ms: Sequence[int]
    """The trace's opportunities; it repeats."""
    uplink_ms: Sequence[int]
    start_ms: int
    """Where in the trace the page opens."""
    delay_ms: float
    """Each way."""
    queue_packets: int | None
    loss_ratio: float
    seed: int
    packet_bytes: int
    """Full packets, UDP payload."""
    film_s: float
    """So much of the film is played."""
    via: Via = "relay"
    film: Path | None = None
    """Folder of a packaged film; None is the demo film."""
    until_end: bool = False
    """Whether the film is played until its end, however long it stalls."""


def play_cell(plan: CellPlan, folder: Path, run: RunCommand = run_watched) -> None:
    """Leaves traces, log and bundle in the folder. Raises CellError, and OSError where nothing can be kept."""
    folder.mkdir(parents=True, exist_ok=True)
    from_ms = plan.start_ms - round(1000 * OPEN_AT_S)
    length_ms = round(1000 * (OPEN_AT_S + plan.film_s + STALLS_S))
    write_windows(folder, plan.downlink_ms, plan.uplink_ms, from_ms=from_ms, length_ms=length_ms)
    limit_s = plan.film_s + STALLS_S + WATCHDOG_S + (ENCODING_S if plan.film is None else 0.0)
    run(cell_command(plan, folder), folder / LOG, limit_s)


def cell_command(plan: CellPlan, folder: Path) -> list[str]:
    """A run of e2e/browser/cell.ts with the traces in the folder. Raises MissingProgramError without Node."""
    options = {
        "scheme": plan.scheme,
        "preset": plan.preset,
        "rule": plan.rule,
        "estimator": plan.estimator,
        "link": str(folder / "link.down"),
        "delay": f"{plan.delay_ms:g}",
        "queue": str(plan.queue_packets),
        "loss": str(plan.loss_ratio),
        "via": plan.via,
        "seed": str(plan.seed),
        "max-datagram-bytes": str(plan.packet_bytes),
        "open-at": f"{OPEN_AT_S:g}",
        "seconds": f"{plan.film_s + (STALLS_S if plan.until_end else 0.0):g}",
        "output": str(folder),
    }
    if plan.film is not None:
        options["film"] = str(plan.film)
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    return [str(require_node()), str(BOOTSTRAP), *CELL, *words, *(["--until-end"] if plan.until_end else [])]


def left_by_cell(folder: Path) -> str:
    """What there is to look at, in words."""
    names = [name for name in (LOG, SCREENSHOT) if (folder / name).exists()]
    return f"{' and '.join(names) or 'nothing'} in {folder}"
