"""Plays what is not in the store, on several cores, and says how far it is."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from tqdm import tqdm

from e2e.laboratory.learned.arms import Arm
from e2e.laboratory.learned.plays import Play, Played, Task, play_task
from e2e.laboratory.learned.store import STORE, Store
from models.executors.processes import executor_of, make_processes
from models.policies.folder import POLICIES
from models.scenarios.scenario import Scenario
from models.scenarios.splits import Split

REPORT_EVERY_S = 20.0
Results = dict[str, list[Played]]
"""By the arms' names, in the scenarios' order."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is played, and of what."""

    policies: Path = POLICIES
    """The folder that policies are shipped in."""
    store: Path = STORE
    split: Split = "test"
    """Whose traces; for policies in the making, `validation`."""
    seconds: float | None = None
    """The most that an episode takes; None: what it should."""
    every: int = 1
    """Only each so many-th of the split's scenarios."""
    jobs: int = 1
    """Processes."""
    preset: str | None = None
    """Nuwa's in studies of links; None: each study's own."""
    is_fresh: bool = False
    """Whether what was played before is played again."""


class EpisodeRuns:
    """Plays what was not played before; `what` names it in the progress."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._store = Store(settings.store, settings.policies)
        self._played: set[Play] = set()

    def play(self, what: str, recipe: str, arms: Iterable[Arm], scenarios: Iterable[Scenario]) -> Results:
        """All arms in all scenarios. Raises PolicyError."""
        play = Play(recipe, tuple(arms), tuple(self._limited(scenario) for scenario in scenarios))
        is_known = play in self._played or not self.settings.is_fresh
        self._played.add(play)
        found = self._store.read(play) if is_known else {}
        missing = {
            index: Task(recipe, play.arms, scenario, self.settings.policies)
            for index, scenario in enumerate(play.scenarios)
            if index not in found
        }
        if missing:
            self._store.begin(play, found)
        with _progress(what, len(found), len(play.scenarios)) as bar:
            for index, arms_played in _played(missing, self.settings.jobs):
                found[index] = arms_played
                self._store.add(play, index, arms_played)
                bar.update()
        return {arm.name: [found[index][arm.name] for index in range(len(play.scenarios))] for arm in play.arms}

    def _limited(self, scenario: Scenario) -> Scenario:
        seconds = self.settings.seconds
        return scenario if seconds is None else replace(scenario, duration_s=min(seconds, scenario.duration_s))


def _progress(what: str, done: int, total: int) -> tqdm:
    """A bar on standard error; a line now and then where that is no terminal, and nothing where nothing is to do."""
    every_s = 0.1 if sys.stderr.isatty() else REPORT_EVERY_S
    return tqdm(total=total, initial=done, desc=what, unit="scenario", mininterval=every_s, disable=done == total)


def _played(tasks: dict[int, Task], jobs: int) -> Iterator[tuple[int, dict[str, Played]]]:
    if jobs == 1 or len(tasks) < 2:
        for index, task in tasks.items():
            yield index, task.play()
        return
    with executor_of(make_processes, min(jobs, len(tasks))) as pool:
        futures: dict[Future[dict[str, Played]], int] = {
            pool.submit(play_task, task): index for index, task in tasks.items()
        }
        for future in as_completed(futures):
            yield futures[future], future.result()
