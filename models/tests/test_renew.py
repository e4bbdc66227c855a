"""Cards of shipped policies whose results are measured again."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from models import command
from models.evaluation import renew
from models.evaluation.comparison import compare
from models.policies.card import read_card
from models.policies.card_page import SEEDS_ARE_OLDER, card_page
from models.policies.folder import POLICIES
from models.recipes import recipe
from models.scenarios.scenario import Scenario

SCENARIOS = [Scenario(f"{mbit_per_s}mbit", 0.040, queue_packets=30, duration_s=2.0) for mbit_per_s in (6, 8)]
FILES = ("bbr-fit.json", "bbr-fit.onnx", "bbr-fit.md")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """BBR-FIT as shipped; its test and validation scenarios are two short ones."""
    for name in FILES:
        shutil.copy(POLICIES / name, tmp_path)
    monkeypatch.setattr(renew, "evaluation_scenarios", lambda _recipe, _split: SCENARIOS)
    quick = replace(recipe("bbr-fit"), paper_setting=())
    monkeypatch.setattr(renew, "recipe", {"bbr-fit": quick}.__getitem__)
    quick = replace(recipe("bbr-fit"), paper_setting=())
    monkeypatch.setattr(renew, "recipe", {"bbr-fit": quick}.__getitem__)
    return tmp_path


def test_results_are_new_and_the_rest_stays(folder: Path) -> None:
    before = read_card(folder / "bbr-fit.json")
    assert command.main(["renew", "bbr-fit", "--folder", str(folder)]) == 0
    after = read_card(folder / "bbr-fit.json")
    assert (after.training, after.notes, after.sha256) == (before.training, before.notes, before.sha256)
    expected = compare(recipe("bbr-fit"), POLICIES, SCENARIOS)
    assert after.results["test"] == after.results["validation"] == expected
    assert after.results["test_reward_of_seeds"] == before.results["test_reward_of_seeds"]
    assert after.results[SEEDS_ARE_OLDER] is True
    page = (folder / "bbr-fit.md").read_text(encoding="utf-8")
    assert page == card_page(after) + "\n"
    assert "trained seeds on the test scenarios, as it was when the policy was shipped: " in page


def test_what_was_not_shipped_has_none_to_renew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "bbr-fit.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | {"results": {}}), encoding="utf-8")
    assert command.main(["renew", "bbr-fit", "--folder", str(folder)]) == 2
    assert "has no results to renew: its policy was not shipped" in capsys.readouterr().err


def test_an_unknown_policy_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["renew", "owls"]) == 2
    assert "policy 'owls' is unknown" in capsys.readouterr().err
