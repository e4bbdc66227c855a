"""What a study measures with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.learned.arms import Arm
from e2e.laboratory.learned.episode_runs import Results, Settings
from e2e.laboratory.result import RunResult
from e2e.laboratory.studies.link_runs import LinkRun
from models.scenarios.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Bench:
    """Episodes of training's scenarios, and flows over links."""

    settings: Settings
    repeats: int
    """How often each arm is run: episodes of each trace, seeds of each run."""
    play: Callable[[str, str, Iterable[Arm], Iterable[Scenario]], Results]
    """All arms in all scenarios, judged by a recipe's reward; the first says what they are in the progress.

    Raises PolicyError.
    """
    recorded: tuple[Path, ...]
    """Folders of recorded traces."""
    run: Callable[[Sequence[LinkRun]], list[RunResult | None]]
    """In their order; None for a run that failed, which is said on standard error."""

    def preset_or(self, preset: str) -> str:
        """The study's own, unless told otherwise."""
        return self.settings.preset or preset
