"""What a study is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from e2e.laboratory.learned.episode_runs import Episodes
from e2e.laboratory.learned.report import Findings


@dataclass(frozen=True, slots=True)
class Study:
    """One subject."""

    name: str
    """On the command line."""
    title: str
    text: str
    """How it is measured, for whoever has only the page."""
    report: Callable[[Episodes], Findings]
    is_of_test_links: bool = False
    """Whether it runs over links of its own, which are for tests, whatever the split."""
