"""Cells that a stub plays: what is tried again, what is said, and what is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from e2e.laboratory.films.in_browser.attempt import attempt_in_browser, cell_of
from e2e.laboratory.films.in_browser.tests.sample import leave_bundle, plan_of
from e2e.laboratory.places.cell import cell_command
from e2e.laboratory.places.watched_child import CellError


class Stub:
    """Fails so often, then leaves a bundle."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.tried: list[Path] = []

    def __call__(self, command: Sequence[str], log: Path, limit_s: float) -> None:
        """As `run_watched`."""
        self.tried.append(log.parent)
        log.write_text("words\n")
        assert (log.parent / "link.down").read_text().startswith("1")
        if len(self.tried) <= self.failures:
            (log.parent / "screenshot.png").write_bytes(b"")
            raise CellError("the page reported errors")
        leave_bundle(log.parent)


def test_a_cell_that_fails_is_played_once_more(tmp_path: Path) -> None:
    stub = Stub(1)
    record = attempt_in_browser(plan_of(tmp_path), tmp_path / "cell", stub)
    assert record.failure is None
    assert record.results is not None
    assert record.results[0].played.has_ended
    assert [folder.name for folder in stub.tried] == ["attempt-1", "attempt-2"]


def test_one_that_fails_again_says_where_log_and_picture_are(tmp_path: Path) -> None:
    record = attempt_in_browser(plan_of(tmp_path), tmp_path / "cell", Stub(2))
    assert record.results is None
    there = tmp_path / "cell" / "attempt-2"
    assert record.failure == f"the page reported errors; cell.log and screenshot.png in {there}"


def test_a_cell_is_told_its_place(tmp_path: Path) -> None:
    plan = replace(plan_of(tmp_path), place="browser-mahimahi", preset="live")
    words = cell_command(cell_of(plan), tmp_path)
    options = dict(pairwise(words))
    assert (options["--via"], options["--preset"], options["--film"]) == ("mahimahi", "live", str(tmp_path))
    assert "--until-end" in words
