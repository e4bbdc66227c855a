"""What a study is, and where the list's lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from e2e.laboratory.learned.pictures import Gallery
from e2e.laboratory.plan import Place
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings


@dataclass(frozen=True, slots=True)
class Study:
    """One subject: what is measured, and what is to be reached."""

    title: str
    text: str
    """How it is measured, for whoever has only the page."""
    measure: Callable[[Bench], Findings]
    draw: Callable[[Findings], tuple[Gallery, ...]] = lambda findings: ()
    """Pictures of what was found."""
    places: tuple[Place, ...] = ()
    """Where it runs flows over links."""
    reads_preset: bool = False
    """Whether the receiver's preset can be chosen: `bench.preset_or`."""
    is_of_test_links: bool = False
    """Whether policies meet links of its own, which are for tests, whatever the split."""
    is_of_shipped: bool = False
    """Whether it runs the policies that are shipped, wherever others lie."""
    is_made_once: bool = False
    """Whether it has no repeats."""


def load_study(module: str) -> Study:
    """The study that a module of this folder holds."""
    study: Study = import_module(f"e2e.laboratory.studies.{module}").STUDY
    return study
