"""A run in the browser as a cell: what the cell is told, and what becomes of one that fails."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.places.browser import cell_of, play
from e2e.laboratory.places.cell import cell_command
from e2e.laboratory.places.watched_child import CellError, run_watched
from e2e.laboratory.plan import PlayerPlan
from e2e.laboratory.request import LinkChoice
from e2e.laboratory.tests.samples import sample_link, sample_plan

PLAN = replace(sample_plan(duration_s=0.5), place="browser", player=PlayerPlan("nuwa", "dashjs"))


@pytest.fixture
def link() -> LoadedLink:
    return sample_link(LinkChoice("2mbit", 20, 300, "droptail", 0.01))


def test_a_cell_is_asked_for_what_the_plan_says(
    tmp_path: Path, link: LoadedLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("e2e.laboratory.places.cell.require_node", lambda: Path("node"))
    command = " ".join(cell_command(cell_of(PLAN, link), tmp_path))
    for words in (
        "--scheme cubic",
        "--estimator dashjs",
        "--queue 300",
        "--via relay",
        "--max-datagram-bytes 1200",
        "--seconds 0.5",
    ):
        assert words in command
    assert "--film" not in command
    assert "--until-end" not in command


def test_a_run_whose_cell_fails_says_where_its_log_is(
    tmp_path: Path, link: LoadedLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("e2e.laboratory.places.cell.require_node", lambda: Path(sys.executable))  # which reads no .mjs
    folder = tmp_path / "bundle"
    with pytest.raises(CellError, match=r"^browser cell: \w*Error.*; cell\.log in .*bundle$"):
        play(PLAN, link, folder=folder)
    assert (folder / "link.up").is_file()


@pytest.mark.parametrize(
    ("script", "limit_s", "said"),
    [
        ("print('one'); raise SystemExit('the page is gone')", 60.0, "the page is gone"),
        ("import time; time.sleep(600)", 0.2, "it hung, and was stopped after 0 s"),
    ],
)
def test_a_child_that_fails_or_hangs_is_ended(tmp_path: Path, script: str, limit_s: float, said: str) -> None:
    with pytest.raises(CellError, match=said):
        run_watched([sys.executable, "-u", "-c", script], tmp_path / "cell.log", limit_s)
