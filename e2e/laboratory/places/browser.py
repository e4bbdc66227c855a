"""A run in a real browser: the demo film, over the relay."""

from __future__ import annotations

import subprocess
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE
from cc.command_line.clone import ROOT
from cc.links.defaults import PACKET_BYTES
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.places.cell import CELL, CellPlan, left_by_cell, play_cell
from e2e.laboratory.places.environment import BOOTSTRAP, MissingProgramError, require_node
from e2e.laboratory.places.film_bundle import read_film_bundle
from e2e.laboratory.places.watched_child import CellError
from e2e.laboratory.plan import PlayerPlan, RunPlan
from e2e.laboratory.result import RunResult


def play(plan: RunPlan, link: LoadedLink, *, folder: Path) -> RunResult:
    """Its bundle stays in the folder. Raises RunError."""
    try:
        play_cell(cell_of(plan, link), folder)
    except CellError as error:
        raise CellError(f"browser cell: {error}; {left_by_cell(folder)}") from error
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


def cell_of(plan: RunPlan, link: LoadedLink) -> CellPlan:
    """The cell that a run is."""
    flow, player = plan.arm.flows[0], plan.player
    assert player is not None, "a run in the browser has a player"
    return CellPlan(
        scheme=flow.scheme,
        preset=flow.preset,
        rule=player.rule,
        estimator=player.estimator,
        downlink_ms=link.downlink_ms,
        uplink_ms=link.uplink_ms,
        start_ms=plan.link.start_ms,
        delay_ms=plan.link.delay_ms,
        queue_packets=plan.link.queue_packets,
        loss_ratio=plan.link.loss_ratio,
        seed=plan.seed,
        packet_bytes=PACKET_BYTES,
        film_s=plan.duration_s,
    )
