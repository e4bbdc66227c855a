"""A training from beginning to end, in seconds: checkpoints, a resumption, the export, the card, what is shipped."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import DummyVecEnv

from cc.core.decision import Choices, DecisionRequest, Feature, PolicySpace
from models.policies.card import Card, read_card
from models.policies.policy import load_policy
from models.policies.runner import PolicyRunner
from models.recipes import RECIPES, recipe
from models.recipes.recipe import Recipe
from models.scenarios.scenario import Scenario, ScenarioDistribution
from models.training.algorithms import UnknownAlgorithmError, make_model
from models.training.environment import CongestionEnv
from models.training.export import TOLERANCE, ExportedPolicy, export, largest_difference
from models.training.job import stale_vectors
from models.training.normaliser import RangeNormaliser
from models.training.progress import Progress, steps_at_end
from models.training.run import STATE, DamagedRunError, Run, State
from models.training.ship import finish, ship, trained_runs
from models.training.train import REPLAY, train
from models.training.train import _learn as learn

TINY = ScenarioDistribution(duration_s=3.0, traces=("6mbit",))
STEPS = 64
SCENARIO = Scenario("6mbit", 0.040, queue_packets=30, duration_s=2.0)


def tiny(chosen: Recipe) -> Recipe:
    parameters = {"n_steps": 16, "batch_size": 16, "n_epochs": 2} if "ppo" in chosen.algorithm else {}
    if chosen.algorithm == "dagger":
        parameters = {"n_steps": 16, "chunk": 8, "chunks": 2, "updates": 2}
    short = replace(chosen, scenarios=replace(chosen.scenarios, duration_s=1.5, traces=("6mbit",)), paper_setting=())
    return replace(short, environments=2).with_parameters(parameters)


@pytest.mark.parametrize("chosen", RECIPES, ids=lambda chosen: chosen.name)
def test_trains_ships_and_resumes(chosen: Recipe, tmp_path: Path) -> None:
    chosen = tiny(chosen)
    run = Run(chosen, 1, STEPS, tmp_path / "runs" / "seed-1", commit="abc")
    train(run, resumes=False)
    done = state_of(run).steps_done
    assert done >= STEPS
    finish(run)
    for seed in (2, 3):
        pretend_seed(run, seed)
    card = ship(chosen, tmp_path / "runs", tmp_path / "policies")
    assert set(card.results["test_reward_of_seeds"]) == {"1", "2", "3"}
    assert read_card(tmp_path / "policies" / f"{chosen.name}.json") == card
    page = (tmp_path / "policies" / f"{chosen.name}.md").read_text(encoding="utf-8")
    assert card.sha256 in page
    assert "standard deviation" in page
    assert load_policy(chosen.name, tmp_path / "policies").card.training.commit == "abc"
    longer = replace(run, steps=2 * STEPS)
    assert train(longer, resumes=True).num_timesteps >= 2 * STEPS
    assert state_of(longer).resumed_at_steps == (done,)
    assert [run.seed for run in trained_runs(chosen, tmp_path / "runs")] == [2, 3]  # the first is not finished again


def pretend_seed(run: Run, seed: int) -> None:
    """A copy of a finished run as another seed's: PyTorch's export takes seconds, and is the same for each."""
    folder = run.folder.with_name(f"seed-{seed}")
    shutil.copytree(run.folder, folder)
    (folder / STATE).write_text(replace(state_of(run), seed=seed).as_json(), encoding="utf-8")


def test_of_seeds_that_differ_the_best_in_validation_is_shipped(tmp_path: Path) -> None:
    chosen = tiny(recipe("bbr-fit"))
    runs = [Run(chosen, seed, STEPS, tmp_path / "runs" / f"seed-{seed}", commit="abc") for seed in (1, 2, 3)]
    rewards = {}
    for run in runs:
        train(run, resumes=False)
        rewards[run.seed] = finish(run)["reward"]["policy"]
    card = ship(chosen, tmp_path / "runs", tmp_path / "policies")
    best = max(runs, key=lambda run: rewards[run.seed])
    assert card.results["shipped_seed"] == best.seed
    exported = [(run.folder / "bbr-fit.onnx").read_bytes() for run in runs]
    assert len(set(exported)) == 3
    assert (tmp_path / "policies" / "bbr-fit.onnx").read_bytes() == exported[best.seed - 1]


def test_neither_seeds_nor_resumptions_share_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[Sequence[int | None]] = []

    def noted(run: Run, model: BaseAlgorithm, *, is_new: bool) -> None:
        assert model.env is not None
        seeds.append(tuple(model.env._seeds))
        learn(run, model, is_new=is_new)

    monkeypatch.setattr("models.training.train._learn", noted)
    chosen = tiny(recipe("bbr-fit"))
    for seed in (1, 2):
        train(Run(chosen, seed, 32, tmp_path / f"seed-{seed}"), resumes=False)
    train(Run(chosen, 1, 64, tmp_path / "seed-1"), resumes=True)
    assert seeds == [(1_000_003, 1_000_004), (2_000_006, 2_000_007), (1_000_035, 1_000_036)]


def state_of(run: Run) -> State:
    state = run.state
    assert state is not None
    return state


def finished_card(run: Run) -> Card:
    finish(run)
    return read_card(run.folder / f"{run.recipe.name}.json")


def test_a_card_tells_what_the_training_was_for_and_where_it_was_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = tiny(recipe("bbr-fit"))
    monkeypatch.setattr("models.training.ship.evaluation_scenarios", lambda _recipe, _split: [SCENARIO])
    run = Run(chosen, 1, 40, tmp_path / "seed-1")
    train(run, resumes=False)
    assert "64/64" in capsys.readouterr().err  # rollouts of 2 x 16 decisions
    fewer = replace(run, steps=10)
    train(fewer, resumes=True)  # there is nothing to do
    training = finished_card(fewer).training
    assert (training.command, training.steps) == ("npm run train -- --policy bbr-fit --seed 1 --steps 40", 64)
    assert training.resumed_at_steps == ()
    longer = replace(run, steps=65)
    train(longer, resumes=True)
    assert "96/96" in capsys.readouterr().err
    training = finished_card(longer).training
    assert (training.command, training.steps) == ("npm run train -- --policy bbr-fit --seed 1 --steps 65", 96)
    assert training.resumed_at_steps == (64,)


def test_what_came_to_its_end_is_finished_without_its_replay_buffer(tmp_path: Path) -> None:
    run = Run(tiny(recipe("dqn-v1")), 1, 40, tmp_path / "seed-1")
    train(run, resumes=False)
    (run.folder / REPLAY).unlink()
    assert train(run, resumes=True).num_timesteps == state_of(run).steps_done
    assert finished_card(run).training.resumed_at_steps == ()
    with pytest.raises(DamagedRunError, match=f"{REPLAY} is missing"):
        train(replace(run, steps=80), resumes=True)


@pytest.mark.parametrize(
    ("chosen", "steps"),
    [
        (tiny(recipe("bbr-fit")).with_parameters({"n_steps": 24}), 96),  # 2 x 24
        (tiny(recipe("owl")), 68),  # 2 x 2
    ],
    ids=["on policy", "off policy"],
)
def test_the_bar_ends_where_the_rollouts_end(chosen: Recipe, steps: int, tmp_path: Path) -> None:
    model = make_model(chosen, DummyVecEnv([lambda: CongestionEnv(chosen)] * 2), seed=1)
    assert steps_at_end(model, 65) == steps
    model.learn(65)
    assert model.num_timesteps == steps
    assert steps_at_end(model, steps) == steps


@pytest.mark.parametrize("policy", ["bbr-fit", "nuwa-rl", "zixia", "indigo"])
def test_a_checkpoint_has_learned_from_all_that_was_played(policy: str, tmp_path: Path) -> None:
    chosen = tiny(recipe(policy))
    kept: list[tuple[int, int]] = []
    model = make_model(chosen, DummyVecEnv([lambda: CongestionEnv(chosen)] * 2), seed=1)
    progress = Progress(Run(chosen, 1, 128, tmp_path), lambda _, at: kept.append((at.num_timesteps, at._n_updates)))
    model.learn(128, callback=progress)
    assert kept == [(32, 2), (64, 4), (96, 6)]  # rollouts of 2 x 16, each learned from twice


def test_answers_of_the_policy_before_are_to_be_renewed(tmp_path: Path) -> None:
    assert stale_vectors("nuwa-rl", tmp_path) == ""
    file = tmp_path / "nuwa-rl.vectors.json"
    file.write_text("{}", encoding="utf-8")
    line = stale_vectors("nuwa-rl", tmp_path)
    assert line.endswith(f"renew it: .venv/bin/python -m models.evaluation.vectors nuwa-rl > {file}\n")


SPACE = PolicySpace(
    features=(
        Feature("rate", "bytes/s", 1e3, 1e7, "rate", is_logarithmic=True),
        Feature("delay", "s", 0.0, 1.0, "delay"),
    ),
    history=3,
    actions=Choices((0.5, 1.0, 2.0), "factor"),
    interval="test",
)


def discrete(algorithm: str, *, lstm_units: int | None = None) -> Recipe:
    parameters = {"n_steps": 16, "batch_size": 16} if "ppo" in algorithm else {}
    base = replace(recipe("bbr-fit"), scenarios=TINY, variant_space=SPACE, algorithm=algorithm)
    return replace(base, parameters=parameters, lstm_units=lstm_units)


@pytest.mark.parametrize(("algorithm", "units"), [("ppo", None), ("a2c", None), ("dqn", None), ("recurrent-ppo", 16)])
def test_every_algorithm_is_exported_as_it_is(algorithm: str, units: int | None, tmp_path: Path) -> None:
    chosen = discrete(algorithm, lstm_units=units)
    model = make_model(chosen, DummyVecEnv([lambda: CongestionEnv(chosen)]), seed=1)
    file = tmp_path / "model.onnx"
    export(model, chosen, file)
    assert largest_difference(ExportedPolicy(model, chosen), chosen, file, samples=1000) <= TOLERANCE
    again, other = (runner(chosen, file, units) for _ in range(2))
    rng = np.random.default_rng(2)
    requests = [DecisionRequest(number, tuple(rng.uniform((1e3, 0.0) * 3, (1e7, 1.0) * 3))) for number in range(50)]
    actions = [again.decide(request) for request in requests]
    assert all(action in (0, 1, 2) for action in actions)
    assert [other.decide(request) for request in requests] == actions  # its memory is its own


def runner(chosen: Recipe, file: Path, units: int | None) -> PolicyRunner:
    card = Card("t", "bbr-fit", "", chosen.space, "", 18, units, training=None)  # type: ignore[arg-type]
    return PolicyRunner(card, onnxruntime.InferenceSession(str(file)))


def test_the_first_layer_spreads_features_by_their_ranges() -> None:
    env = CongestionEnv(discrete("ppo"))
    layer = RangeNormaliser(env.observation_space, is_logarithmic=[True, False])
    spread = layer(torch.tensor([[1e5, 0.5, 1e7, 1.0, 0.0, -3.0]]))
    assert spread.tolist()[0] == pytest.approx([0.0, 0.0, 1.0, 1.0, -1.0, -1.0], abs=1e-6)


def test_an_unknown_algorithm_names_those_there_are() -> None:
    chosen = discrete("sac")
    with pytest.raises(UnknownAlgorithmError, match="'sac' is unknown; known algorithms: ppo, "):
        make_model(chosen, DummyVecEnv([lambda: CongestionEnv(chosen)]), seed=1)
