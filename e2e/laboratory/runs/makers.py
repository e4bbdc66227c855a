"""What makes a run in each place, and what that rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.places.browser import play
from e2e.laboratory.places.emulated_link import OpenLink
from e2e.laboratory.places.emulation import emulate
from e2e.laboratory.places.environment import Mahimahi
from e2e.laboratory.places.mahimahi import open_shell
from e2e.laboratory.places.relay import open_relay
from e2e.laboratory.places.simulation import simulate
from e2e.laboratory.plan import Place, RunPlan
from e2e.laboratory.result import RunResult
from e2e.laboratory.runs.attempt import MakeRun
from e2e.laboratory.store.sources import sources_of

FindQlog = Callable[[RunPlan], Path | None]
"""Where an emulated run leaves its server's qlog; None for nowhere."""

FindBundle = Callable[[RunPlan], Path]
"""Where a run in the browser leaves its bundle."""


def leave_no_qlog(plan: RunPlan) -> Path | None:
    """Nowhere."""
    return None


@dataclass(frozen=True, slots=True)
class Emulated:
    """Makes runs over an emulated link; can be sent elsewhere where its parts can."""

    open_link: OpenLink
    find_qlog: FindQlog

    def __call__(self, plan: RunPlan, link: LoadedLink) -> RunResult:
        """Raises RunError."""
        return emulate(plan, link, open_link=self.open_link, qlog_folder=self.find_qlog(plan))


def sources_by_place(places: Iterable[Place], mahimahi: Mahimahi | None) -> Mapping[Place, str]:
    """Hash of the programs by place, that of the simulation among them: it makes the references."""
    version = () if mahimahi is None else (mahimahi.version,)
    chosen: set[Place] = {"simulation", *places}
    return {place: sources_of(place, *(version if place == "mahimahi" else ())) for place in sorted(chosen)}


def makers_of(
    mahimahi: Mahimahi | None, find_qlog: FindQlog = leave_no_qlog, find_bundle: FindBundle | None = None
) -> Mapping[Place, MakeRun]:
    """Without mahimahi where it is not there, without a browser where nobody says where its bundles go."""
    makers: dict[Place, MakeRun] = {"simulation": simulate}
    makers["relay"] = Emulated(open_relay, find_qlog)
    if mahimahi is not None:
        makers["mahimahi"] = Emulated(partial(open_shell, mahimahi), find_qlog)
    if find_bundle is not None:
        makers["browser"] = _played(find_bundle)
    return makers


def _played(find_bundle: FindBundle) -> MakeRun:
    def make(plan: RunPlan, link: LoadedLink) -> RunResult:
        return play(plan, link, folder=find_bundle(plan))

    return make
