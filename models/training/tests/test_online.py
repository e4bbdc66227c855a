"""Learning off and on over the same runs: where it sets out, what is printed, what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from stable_baselines3.common.vec_env import DummyVecEnv

from cc.core.decision import DecisionRequest
from cc.sender.owl import utility
from models.policies.policy import PolicyError, load_policy
from models.recipes import RECIPES, recipe
from models.recipes.dqn_v1 import online_value
from models.recipes.recipe import Recipe
from models.training import online
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.export import export
from models.training.online_runs import CannotLearnError, Part, Runs, arms, learns_on, q_network
from models.training.samples import sample_card

SEED = 7
LEARNING = [each for each in RECIPES if learns_on(each)]
KNOWN = ", ".join(each.name for each in LEARNING)
each_learning = pytest.mark.parametrize("chosen", LEARNING, ids=lambda chosen: chosen.name)


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Untrained ones, of all that learn: PyTorch's export takes seconds."""
    folder = tmp_path_factory.mktemp("policies")
    for chosen in LEARNING:
        untrained(chosen, folder)
    return folder


def untrained(chosen: Recipe, folder: Path) -> Path:
    """The folder, with a policy in it."""
    small = chosen.with_parameters({"buffer_size": 1})
    model = make_model(small, DummyVecEnv([lambda: CongestionEnv(small)]), seed=SEED)
    file = folder / f"{chosen.name}.onnx"
    export(model, chosen, file)
    card = sample_card(chosen, model, file).as_json()
    (folder / f"{chosen.name}.json").write_text(card, encoding="utf-8")
    return folder


def test_owl_and_dqn_learn_during_a_run() -> None:
    values = {each.name: each.online_value for each in LEARNING}
    assert values["owl"] is utility
    assert values["dqn-v1"] is values["dqn-v2"] is online_value
    assert online_value(3.0, 5.0) == 3.0
    assert not learns_on(replace(recipe("owl"), algorithm="ppo"))


def test_a_recipe_without_discount_is_told_to_name_one(tmp_path: Path) -> None:
    parameters = {name: value for name, value in recipe("owl").parameters.items() if name != "gamma"}
    with pytest.raises(CannotLearnError, match="recipe owl names no gamma"):
        arms(replace(recipe("owl"), parameters=parameters), tmp_path)


@each_learning
def test_learning_sets_out_from_what_serves(chosen: Recipe, policies: Path) -> None:
    network, runner = q_network(chosen, policies).eval(), load_policy(chosen.name, policies).runner()
    rng = np.random.default_rng(SEED)
    low, high = ([getattr(each, end) for each in chosen.space.features] for end in ("low", "high"))
    for sequence in range(20):
        seen = tuple(rng.uniform(low * chosen.space.history, high * chosen.space.history))
        with torch.no_grad():
            values = network(torch.tensor([seen], dtype=torch.float32))
        assert runner.decide(DecisionRequest(sequence, seen)) == int(values.argmax())


def test_a_model_of_another_network_is_named(tmp_path: Path) -> None:
    folder = untrained(replace(recipe("dqn-v1"), hidden=(8, 8)), tmp_path)
    with pytest.raises(PolicyError) as refusal:
        q_network(recipe("dqn-v1"), folder)
    file = folder / "dqn-v1.onnx"
    expected = f"model {file} is of another network than the recipe dqn-v1 has now: train it anew"
    assert str(refusal.value) == expected


def test_the_same_command_prints_the_same(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--policy", "owl", "--folder", str(policies), "--trace", "2mbit", "--seconds", "20", "--seeds", "1"]
    assert online.main(command) == 0
    printed = capsys.readouterr().out
    title, _, *lines = printed.splitlines()
    assert title == "owl over 2mbit, 20 s, seeds 1 to 1, learning off and on"
    assert [line.split()[1] for line in lines[2:13]] == [*(str(until) for until in range(2, 21, 2)), "all"]
    assert lines[-1].endswith(", 1 runs of each.")
    assert online.main(command) == 0
    assert capsys.readouterr().out == printed


def test_rows_are_means_of_runs_and_the_difference_is_of_pairs() -> None:
    runs: Runs = {
        "off": [[Part(0.1, 0.5, 0.00)] * 11, [Part(0.3, 0.7, 0.02)] * 11],
        "on": [[Part(0.2, 0.6, 0.01)] * 11, [Part(0.5, 0.8, 0.04)] * 11],
    }
    _, _, first, *others, _, difference = online.table(runs, 100.0, ["12mbit", "24mbit"]).splitlines()
    assert first == "| 10 | 0.2000 | 0.3500 | 0.600 | 0.700 | 1.00 | 2.50 |"
    assert others[-1] == "| all | 0.2000 | 0.3500 | 0.600 | 0.700 | 1.00 | 2.50 |"
    assert difference == "Reward with learning less without: +0.1500, 2 runs of each."


def test_intervals_are_over_traces() -> None:
    rewards = {"off": [0.0] * 6, "on": [0.1, 0.1, 0.2, 0.2, 0.3, 0.3]}
    runs: Runs = {arm: [[Part(reward, 0.5, 0.0)] * 11 for reward in its] for arm, its in rewards.items()}
    pairs = online.table(runs, 100.0, ["1mbit", "1mbit", "2mbit", "2mbit", "3mbit", "3mbit"]).splitlines()[-1]
    assert pairs == "Reward with learning less without: +0.2000 (-0.0484 to +0.4484), 6 runs of each."
    assert online.table(runs, 100.0, ["1mbit"] * 6).splitlines()[-1].endswith("without: +0.2000, 6 runs of each.")


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--policy", "bbr-fit"], f"policy bbr-fit does not learn during a run; those that do: {KNOWN}\n"),
        (["--policy", "dqn-v3"], "policy 'dqn-v3' is unknown: did you mean dqn-v2?"),
        (["--policy", "owl", "--folder", "/nowhere"], "policy 'owl' has no card /nowhere/owl.json; known policies: "),
    ],
)
def test_what_cannot_be_played_is_named(arguments: list[str], refusal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert online.main(arguments) == 2
    assert capsys.readouterr().err.startswith(refusal)


def test_a_missing_policy_names_the_way_to_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert online.main(["--policy", "owl", "--folder", "/nowhere"]) == 2
    way = "npm run train -- --policy owl --seed 1 trains one, --folder .build/train/owl/seed-1 takes it\n"
    assert capsys.readouterr().err.endswith(way)


def test_a_link_that_there_is_not_is_named(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert online.main(["--policy", "dqn-v1", "--folder", str(policies), "--trace", "nowhere"]) == 2
    assert capsys.readouterr().err.startswith("trace 'nowhere': ")


def test_ten_parts_take_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        online.main(["--policy", "owl", "--seconds", "9"])
    assert "argument --seconds: '9' is no number of at least 10" in capsys.readouterr().err
