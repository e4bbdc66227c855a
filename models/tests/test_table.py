"""The table of all policies, and that README has it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev

import pytest

from models import command
from models.evaluation import table
from models.evaluation.table import policy_table
from models.policies.card import CardError, read_card
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError, known_policies
from models.recipes import RECIPES

README = POLICIES.parent / "README.md"
BEGIN, END = "<!-- begin of `nuwa models table` -->\n", "<!-- end of `nuwa models table` -->\n"


def test_readme_has_the_table_that_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["table"]) == 0
    between = README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert between == capsys.readouterr().out, "README.md's table is out of date: put what the command prints there"


def test_a_row_for_each_recipe_with_what_its_card_says() -> None:
    _, _, *rows = policy_table().splitlines()
    for recipe, row in zip(RECIPES, rows, strict=True):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[:3] == [f"`{recipe.name}`", recipe.scheme.title, recipe.algorithm]
        if recipe.name not in known_policies():
            assert cells[3:] == ["no", "", "", "", "", "", ""]
            continue
        results = read_card(POLICIES / f"{recipe.name}.json").results
        test = results["test"]
        reward, difference = test["reward"], test["reward"]["difference"]
        assert cells[3:7] == ["yes", f"{reward['policy']:.4f}", test["rival"], f"{reward['rival']:.4f}"]
        assert cells[7].startswith(f"{difference['mean']:+.4f} ({difference['low']:+.4f} to ")
        seeds = list(results["test_reward_of_seeds"].values())
        average, _, deviation, number = cells[8].split()
        assert float(average) == pytest.approx(mean(seeds), abs=1e-4)
        assert float(deviation) == pytest.approx(stdev(seeds), abs=1e-4)
        assert number == f"({len(seeds)})"
        assert float(cells[9]) == pytest.approx((POLICIES / f"{recipe.name}.onnx").stat().st_size / 1000, abs=0.5)


def test_nothing_is_shipped_in_an_empty_folder(tmp_path: Path) -> None:
    assert policy_table(tmp_path).count("| no |") == len(RECIPES)


def test_a_recipe_without_its_scheme_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(table, "RECIPES", (replace(RECIPES[0], name="owl-x"),))
    assert command.main(["table"]) == 2
    assert capsys.readouterr().err.startswith("scheme 'owl-x' is unknown (did you mean owl?); known schemes: ")


def test_what_a_shipped_policy_lacks_is_named(tmp_path: Path) -> None:
    name = known_policies()[0]
    card_file = tmp_path / f"{name}.json"
    shutil.copy(POLICIES / card_file.name, card_file)
    with pytest.raises(PolicyError, match=rf"{name}\.onnx cannot be read"):
        policy_table(tmp_path)
    model = (POLICIES / f"{name}.onnx").read_bytes()
    (tmp_path / f"{name}.onnx").write_bytes(model[:-1])
    with pytest.raises(PolicyError, match=r"its card says .*: put back its own, or ship "):
        policy_table(tmp_path)
    (tmp_path / f"{name}.onnx").write_bytes(model)
    card = json.loads(card_file.read_text(encoding="utf-8"))
    card_file.write_text(json.dumps({**card, "results": {}}), encoding="utf-8")
    with pytest.raises(CardError, match="has no results of test scenarios: ship the policy again"):
        policy_table(tmp_path)


def test_a_row_says_that_traces_were_missing(tmp_path: Path) -> None:
    name = known_policies()[0]
    shutil.copy(POLICIES / f"{name}.onnx", tmp_path)
    card = json.loads((POLICIES / f"{name}.json").read_text(encoding="utf-8"))
    card["results"]["missing_test_traces"] = ["one", "another"]
    (tmp_path / f"{name}.json").write_text(json.dumps(card), encoding="utf-8")
    assert "| yes, without 2 of the test traces |" in policy_table(tmp_path)
