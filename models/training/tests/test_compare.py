"""Variants of recipes, curves of their learning, and the command that compares them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.recipes import recipe
from models.recipes.nuwa_rl import NUWA_RL
from models.recipes.recipe import Falling, VariantError
from models.training import compare
from models.training.curves import chart, curve
from models.training.environment import CongestionEnv
from models.training.variants import HISTORY_WITHOUT_MEMORY, variant

STEPS = 400


def test_an_algorithm_without_memory_sees_a_history_instead() -> None:
    changed = variant(NUWA_RL, {"algorithm": "dqn"})
    assert changed.algorithm == "dqn"
    assert changed.lstm_units is None
    assert changed.space.history == HISTORY_WITHOUT_MEMORY
    assert changed.parameters["gamma"] == NUWA_RL.parameters["gamma"]
    assert NUWA_RL.space.history == 1
    observation, _ = CongestionEnv(changed).reset(seed=1)
    assert observation.shape == (4 * HISTORY_WITHOUT_MEMORY,)
    lows = np.tile([feature.low for feature in changed.space.features], HISTORY_WITHOUT_MEMORY - 1)
    assert observation[:-4] == pytest.approx(lows)  # nothing was before the first


def test_an_algorithm_with_a_memory_sees_one_interval() -> None:
    changed = variant(recipe("bbr-fit"), {"algorithm": "recurrent-ppo"})
    assert changed.space.history == 1
    assert changed.lstm_units is not None


def test_the_recipes_own_algorithm_is_the_recipe() -> None:
    assert variant(NUWA_RL, {"algorithm": "recurrent-ppo"}) is NUWA_RL


def test_a_history_is_that_of_the_scheme_that_is_stepped() -> None:
    changed = variant(recipe("bbr-fit"), {"history": "4"})
    assert changed.space.history == 4
    observation, _ = CongestionEnv(changed).reset(seed=1)
    assert observation.shape == (12,)
    assert variant(changed, {"gamma": "0.5"}).space.history == 4


def test_a_parameter_and_a_family() -> None:
    changed = variant(NUWA_RL, {"gamma": "0.9", "family": "lte-like"})
    assert changed.parameters["gamma"] == 0.9
    assert changed.scenarios.traces is not None
    assert all(name.startswith("lte-like/") for name in changed.scenarios.traces)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("nuwa-rl", {"algorithm": "sac"}, "algorithm 'sac' is none to compare with; known: a2c, dqn, ppo"),
        ("bbr-fit", {"algorithm": "dqn"}, "bbr-fit wants an amount"),
        ("nuwa-rl", {"history": "0"}, "history must be a whole number of at least 1, not '0'"),
        ("nuwa-rl", {"family": "adsl"}, "family 'adsl' has no traces to train with; known families: 5g-like"),
        ("nuwa-rl", {"colour": "1"}, "nuwa-rl has no 'colour' that could vary; known: algorithm, history, family"),
        ("nuwa-rl", {"gamma": "high"}, "gamma must be a number of at least 0, not 'high'"),
        ("nuwa-rl", {"gamma": "inf"}, "gamma must be a number of at least 0, not 'inf'"),
        ("bbr-fit", {"n_steps": "1.5"}, "n_steps must be a whole number of at least 1, not '1.5'"),
        ("bbr-fit", {"batch_size": "1"}, "batch_size must be at least 2: the advantage of one decision has no "),
        ("indigo", {"chunk": "100"}, "n_steps 512 must be a whole number of chunks of 100"),
        ("bbr-fit", {"policy_kwargs": "1"}, "bbr-fit has no 'policy_kwargs' that could vary; known: algorithm, "),
        ("zixia", {"algorithm": "ppo"}, "policy zixia shares an episode's reward, and ppo does not: dual-ppo does"),
        ("indigo", {"algorithm": "ppo"}, "policy indigo has an expert, and ppo imitates nobody: dagger and an expert"),
        ("nuwa-rl", {"history": "4"}, "policy nuwa-rl keeps its own memory .* sees one interval at a time, not 4"),
    ],
)
def test_changes_that_cannot_be_made_name_those_that_can(name: str, changes: dict[str, str], message: str) -> None:
    with pytest.raises(VariantError, match=message):
        variant(recipe(name), changes)


def test_a_curve_is_the_mean_of_the_seeds_in_bins_of_a_fortieth() -> None:
    # 400 steps in bins of ten; both seeds climb from 0 to 1 in the middle, and the second ends 0.2 higher
    first = [(step, 0.0 if step <= 200 else 1.0) for step in range(10, 401, 10)]
    second = [(step, 0.0 if step <= 200 else 1.2) for step in range(10, 401, 10)]
    found = curve([first, second, []], STEPS)
    assert found is not None
    assert len(found.steps) == 40
    assert found.mean == pytest.approx([0.0] * 20 + [1.1] * 20)
    assert (found.low[-1], found.high[-1]) == (1.0, 1.2)
    assert found.final == (1.0, 1.2)
    assert found.final_mean == pytest.approx(1.1)
    assert found.final_spread == pytest.approx(0.02**0.5)
    assert found.reached_steps == 210


def test_what_learns_nothing_reaches_nothing() -> None:
    found = curve([[(10, 1.0), (400, 0.5)]], STEPS)
    assert found is not None
    assert found.reached_steps is None
    assert found.final_spread is None
    assert curve([[]], STEPS) is None


def test_panels_are_facets() -> None:
    assert "facet" in chart([], title="", has_panels=True)
    assert "layer" in chart([], title="", has_panels=False)


def test_the_command_trains_compares_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    short = replace(NUWA_RL, scenarios=replace(NUWA_RL.scenarios, duration_s=3.0, traces=("6mbit",)))
    monkeypatch.setattr(compare, "recipe", lambda _name: replace(short, environments=1))
    arguments = ["--policy", "nuwa-rl", "--vary", "algorithm=a2c,ppo", "--steps", "512", "--seeds", "1"]
    arguments += ["--output", str(tmp_path)]  # of A2C the first 500 steps are told together
    assert compare.main(arguments) == 0
    printed = capsys.readouterr()
    assert "2 of 2: nuwa-rl, algorithm=ppo, seed 1" in printed.err
    assert "| algorithm=a2c |" in printed.out
    folder = tmp_path / "nuwa-rl" / "compare"
    numbers = json.loads((folder / "comparison.json").read_text())
    assert set(numbers["variants"]) == {"algorithm=a2c", "algorithm=ppo"}
    assert {row["line"] for row in numbers["curves"]} == {"a2c", "ppo"}
    trained = (folder / "algorithm=ppo" / "512-steps" / "seed-1" / "checkpoint.zip").stat().st_mtime_ns
    assert compare.main(arguments) == 0
    assert (folder / "algorithm=ppo" / "512-steps" / "seed-1" / "checkpoint.zip").stat().st_mtime_ns == trained
    assert json.loads((folder / "comparison.json").read_text()) == numbers


def test_a_rate_that_falls_falls_from_another_one_too() -> None:
    assert variant(recipe("owl-ppo"), {"learning_rate": "1e-4"}).parameters["learning_rate"] == Falling(1e-4)


def test_what_cannot_be_gone_on_with_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "bbr-fit" / "compare" / "history=2" / "600-steps" / "seed-1"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{", encoding="utf-8")
    arguments = ["--policy", "bbr-fit", "--vary", "history=2", "--steps", "600", "--seeds", "1", "--output"]
    assert compare.main([*arguments, str(tmp_path)]) == 2
    refusal = f"{folder / 'run.json'} is damaged: remove {folder} and train this seed anew\n"
    assert capsys.readouterr().err.endswith(refusal)
    (tmp_path / "file").touch()
    assert compare.main([*arguments, str(tmp_path / "file")]) == 2
    assert "cannot be made: Not a directory; give another with --output" in capsys.readouterr().err


@pytest.mark.parametrize("vary", [["algorithm"], ["=1"], ["history=2,,4"]])
def test_a_dimension_without_values_is_refused(vary: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        compare.main(["--policy", "nuwa-rl", "--vary", *vary])
    assert "is not NAME=VALUE,VALUE,..." in capsys.readouterr().err


def test_three_dimensions_are_too_many(capsys: pytest.CaptureFixture[str]) -> None:
    vary = [word for name in ("history=1", "gamma=0.9", "family=rate") for word in ("--vary", name)]
    assert compare.main(["--policy", "nuwa-rl", *vary]) == 2
    assert "at most two things can vary" in capsys.readouterr().err
