"""A film in a real browser, over the relay: a cell of e2e/browser as a child that leaves a bundle."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE
from cc.command_line.clone import ROOT
from cc.links.defaults import PACKET_BYTES
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.places.child import Child
from e2e.laboratory.places.emulated_link import write_traces
from e2e.laboratory.places.environment import BOOTSTRAP, MissingProgramError, require_node
from e2e.laboratory.places.film_bundle import read_film_bundle
from e2e.laboratory.plan import PlayerPlan, RunPlan
from e2e.laboratory.result import RunResult

OPEN_AT_S = 8.0
"""After the link's time began: more than a browser takes to start."""
STALLS_S = 300.0
"""So much longer than its film the link goes on."""
PREPARING_S = 3600.0
"""The first cell encodes the film, which takes a slow machine this long at most."""
CELL = ("run", "e2e/browser/cell.ts")


def play(plan: RunPlan, link: LoadedLink, *, folder: Path) -> RunResult:
    """Plays the demo film; its bundle stays in the folder. Raises RunError."""
    with tempfile.TemporaryDirectory(prefix="nuwa-laboratory-") as name:
        write_traces(plan, link, Path(name), lead_s=OPEN_AT_S, tail_s=STALLS_S)
        asyncio.run(
            _run_cell(cell_command(plan, Path(name) / "link.down", folder), plan.duration_s + STALLS_S + PREPARING_S)
        )
    return read_film_bundle(plan, folder)


def require_player(player: PlayerPlan) -> None:
    """Asks whether there is such a rule, which only the player's registry knows.

    Raises OptionError, or MissingProgramError without Node.
    """
    options = ["--check", "--rule", player.rule, "--estimator", player.estimator]
    said = subprocess.run(
        [require_node(), BOOTSTRAP, *CELL, *options], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if said.returncode == 0:
        return
    last = (said.stderr.strip().splitlines() or ["it says no more"])[-1]
    if said.returncode == EXIT_USAGE:
        raise OptionError(last)
    raise MissingProgramError(f"a browser's options cannot be checked: {last}")


def cell_command(plan: RunPlan, trace: Path, folder: Path) -> Sequence[str]:
    """A run of e2e/browser/cell.ts."""
    flow, link, player = plan.arm.flows[0], plan.link, plan.player
    assert player is not None, "a run in the browser has a player"
    options = {
        "scheme": flow.scheme,
        "preset": flow.preset,
        "rule": player.rule,
        "estimator": player.estimator,
        "link": str(trace),
        "delay": str(link.delay_ms),
        "queue": str(link.queue_packets),
        "loss": str(link.loss_ratio),
        "via": "relay",
        "seed": str(plan.seed),
        "max-datagram-bytes": str(PACKET_BYTES),
        "open-at": f"{OPEN_AT_S:g}",
        "seconds": f"{plan.duration_s:g}",
        "output": str(folder),
    }
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    return [str(require_node()), str(BOOTSTRAP), *CELL, *arguments]


async def _run_cell(command: Sequence[str], limit_s: float) -> None:
    async with await Child.start("browser cell", command) as child:
        await child.finish(limit_s)
