"""The command that plays shipped policies, and a variant of a recipe with a scheme of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cc import registry
from cc.registry import SCHEMES, scheme
from models import command
from models.evaluation import evaluate
from models.evaluation.comparison import compare
from models.policies.card import read_card
from models.policies.folder import POLICIES
from models.recipes import recipe
from models.recipes.recipe import Recipe
from models.scenarios.scenario import Scenario
from models.scenarios.splits import Split

SCENARIOS = [Scenario(f"{mbit_per_s}mbit", 0.040, queue_packets=30, duration_s=2.0) for mbit_per_s in (6, 8)]


@pytest.fixture
def splits(monkeypatch: pytest.MonkeyPatch) -> list[Split]:
    """Those that were asked for; each is two short scenarios."""
    asked: list[Split] = []

    def scenarios(_recipe: Recipe, split: Split) -> list[Scenario]:
        asked.append(split)
        return SCENARIOS

    monkeypatch.setattr(evaluate, "evaluation_scenarios", scenarios)
    return asked


def test_prints_the_tables(splits: list[Split], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["evaluate", "bbr-fit"]) == 0
    printed = capsys.readouterr()
    assert splits == ["test"]
    assert printed.out.startswith("bbr-fit, test scenarios, policy / bbr:\n\n| links | n | reward |")
    assert "| all | 2 |" in printed.out
    assert printed.err.splitlines() == [f"bbr-fit, test: {number} of 2 scenarios" for number in (1, 2)]


def test_prints_the_comparison(splits: list[Split], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["evaluate", "bbr-fit", "--split", "validation", "--json"]) == 0
    assert splits == ["validation"]
    assert json.loads(capsys.readouterr().out) == compare(recipe("bbr-fit"), POLICIES, SCENARIOS)


def test_what_there_is_not_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["evaluate", "owls"]) == 2
    assert "policy 'owls' is unknown: did you mean owl?" in capsys.readouterr().err
    assert command.main(["evaluate", "bbr-fit", "--folder", str(tmp_path)]) == 2
    assert "policy 'bbr-fit' has no card" in capsys.readouterr().err


def test_a_variant_takes_a_name_and_a_line_of_the_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "bbr-fit-x"
    line = replace(scheme("bbr-fit"), name=name, policy=name)
    monkeypatch.setattr(registry, "SCHEMES", (*SCHEMES, line))
    variant = replace(recipe("bbr-fit"), name=name)
    card = replace(read_card(POLICIES / "bbr-fit.json"), name=name, scheme=name)
    (tmp_path / f"{name}.json").write_text(card.as_json(), encoding="utf-8")
    (tmp_path / f"{name}.onnx").write_bytes((POLICIES / "bbr-fit.onnx").read_bytes())
    assert variant.scheme is line
    assert variant.space == recipe("bbr-fit").space
    found = compare(variant, tmp_path, SCENARIOS)
    assert found == compare(recipe("bbr-fit"), POLICIES, SCENARIOS)
