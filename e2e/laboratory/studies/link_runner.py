"""Makes the runs of studies that were not made before with the same sources."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.learned.episode_runs import Settings
from e2e.laboratory.places.environment import known_mahimahi, require_mahimahi
from e2e.laboratory.plan import Place, plan_key
from e2e.laboratory.result import RunResult
from e2e.laboratory.runs.attempt import KeyedRun, MakeRun
from e2e.laboratory.runs.makers import makers_of, sources_by_place
from e2e.laboratory.runs.run_all import Means, run_all
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.studies.link_runs import LinkRun
from models.executors.workers import local_workers


@dataclass(slots=True)
class LinkRunner:
    """Runs over links, in the places that were got ready."""

    makers: Mapping[Place, MakeRun]
    sources: Mapping[Place, str]
    """Of the programs that make runs there."""
    settings: Settings
    store: RunStore
    recorded: tuple[Path, ...] = ()
    """Folders of recorded traces."""
    failed: int = 0
    """Runs so far that came to nothing."""

    @classmethod
    def prepare(cls, places: Collection[Place], settings: Settings, folder: Path) -> LinkRunner:
        """Looks for mahimahi, or fetches it, where a study needs it. Raises MissingProgramError."""
        mahimahi = require_mahimahi() if "mahimahi" in places else known_mahimahi()
        recorded = () if mahimahi is None else (Path(mahimahi.traces),)
        return cls(makers_of(mahimahi), sources_by_place(places, mahimahi), settings, RunStore(folder), recorded)

    def run(self, runs: Sequence[LinkRun]) -> list[RunResult | None]:
        """In their order; None for a run that failed, which is said on standard error."""
        keyed = [KeyedRun(plan_key(run.plan, self.sources[run.plan.place]), run.plan, run.link) for run in runs]
        if self.settings.is_fresh:
            for each in keyed:
                self.store.forget(each.key)
        self._say_what_is_older(keyed)
        run_all(keyed, self.store, Means(self.makers, local_workers(self.settings.jobs)))
        records = [self.store.read(each.key) for each in keyed]
        results = [None if record is None else record.result for record in records]
        self.failed += results.count(None)
        return results

    def _say_what_is_older(self, runs: Sequence[KeyedRun]) -> None:
        records = [self.store.read(run.key) for run in runs]
        known = sorted(record.finished_at for record in records if record is not None and record.result is not None)
        if known:
            first = f"{len(known)} of {len(runs)} runs were made earlier, from {known[0]} on"
            sys.stderr.write(f"{first}; --fresh makes them again\n")
