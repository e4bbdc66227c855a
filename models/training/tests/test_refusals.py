"""What the commands of training refuse: a sentence that says what to do, and 2."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from stable_baselines3.common.vec_env import DummyVecEnv

from models.policies.folder import POLICIES
from models.recipes import recipe
from models.recipes.bbr_fit import BBR_FIT
from models.scenarios.scenario import ScenarioDistribution
from models.training import arena_table, command, fixed_k, job
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.export import ExportError
from models.training.run import STATE, DamagedRunError, Run
from models.training.ship import NotReadyError, ship, trained_runs
from models.training.tests.trained import STEPS, trained
from models.training.train import MODEL, REPLAY, save


def test_a_seed_is_trained_when_its_end_is_reached_and_exported(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    trained(tmp_path, 2, done=64)  # resumed for more steps, and stopped
    trained(tmp_path, 3, steps=256, exported=128)  # resumed to the end, and not exported
    trained(tmp_path, 4, done=144)  # the last round goes beyond
    runs = trained_runs(BBR_FIT, tmp_path)
    assert [(run.seed, run.steps) for run in runs] == [(1, STEPS), (4, STEPS)]


def test_without_seeds_the_folder_and_the_command_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotReadyError) as refusal:
        ship(BBR_FIT, tmp_path, tmp_path)
    assert str(refusal.value) == (
        f"bbr-fit: 3 seeds, trained with the same steps, are needed, and {tmp_path} has none; "
        "train the next: npm run train -- --policy bbr-fit --seed 1"
    )


def test_seeds_with_other_steps_are_listed(tmp_path: Path) -> None:
    for seed, steps in ((1, 256), (2, STEPS), (3, STEPS)):
        trained(tmp_path, seed, steps=steps)
    with pytest.raises(NotReadyError) as refusal:
        ship(BBR_FIT, tmp_path, tmp_path)
    assert f"{tmp_path} has seed 1 (256 steps), seed 2 (128 steps), seed 3 (128 steps) (the" in str(refusal.value)
    assert str(refusal.value).endswith("--policy bbr-fit --seed 2 --steps 256 --resume")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--steps", "6000"], "--steps"),
        (["--seed", "1"], "--seed"),
        (["--history", "4"], "--history"),
        (["--resume", "--processes"], "--resume and --processes"),
    ],
)
def test_ship_takes_a_policy_and_a_folder(given: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--policy", "bbr-fit", "--ship", *given]) == 2
    assert capsys.readouterr().err == (
        "--ship takes --policy and --output alone, and chooses among all seeds that are trained for the scheme's own "
        f"history: leave {named} out\n"
    )


@pytest.mark.parametrize("options", [[], ["--processes"]])
def test_a_scheme_that_asks_nothing_is_a_sentence(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    brief = ScenarioDistribution(duration_s=0.001, traces=("6mbit",))
    monkeypatch.setattr(job, "recipe", lambda name: replace(recipe(name), scenarios=brief))
    assert command.main(["--policy", "bbr-fit", "--output", str(tmp_path), *options]) == 2
    assert capsys.readouterr().err.startswith("scheme bbr-fit asked for no decision in 20 scenarios in a row")


def test_a_model_that_was_exported_wrongly_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def export_wrongly(_run: Run) -> None:
        raise ExportError("bbr-fit.onnx differs from the trained model by 1, more than 1e-05")

    monkeypatch.setattr(job, "train", lambda _run, *, resumes: None)
    monkeypatch.setattr(job, "finish", export_wrongly)
    assert command.main(["--policy", "bbr-fit", "--output", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "bbr-fit.onnx differs from the trained model by 1, more than 1e-05\n"


def test_a_memory_takes_no_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--policy", "nuwa-rl", "--history", "4", "--output", str(tmp_path)]) == 2
    assert "policy nuwa-rl keeps its own memory (recurrent-ppo)" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_summary_says_whose_interval_it_is() -> None:
    comparison = json.loads((POLICIES / "bbr-fit.json").read_text(encoding="utf-8"))["results"]["test"]
    low, high = (comparison["reward"]["difference"][name] for name in ("low", "high"))
    line = job.summary(BBR_FIT, comparison).splitlines()[0]
    assert f"(difference, 95 %: {low:+.4f} to {high:+.4f})" in line


def test_steps_are_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["--policy", "bbr-fit", "--steps", "many"])
    assert "argument --steps: 'many' is no whole number above 0" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", "[]", '{"steps": 128, "steps_done": 128}', '{"steps": "all"}'])
def test_a_damaged_run_is_named(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bbr-fit" / "seed-1" / STATE
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DamagedRunError):
        _ = Run(BBR_FIT, 1, STEPS, file.parent).state
    assert command.main(["--policy", "bbr-fit", "--resume", "--output", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{file} is damaged: remove {file.parent} and train this seed anew\n"


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def turn_a_bit(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1
    file.write_bytes(whole)


def replace_by_text(file: Path) -> None:
    file.write_text("no model", encoding="utf-8")


def replace_by_another_archive(file: Path) -> None:
    with ZipFile(file, "w") as archive:
        archive.writestr("note", "no model")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of trainings that has one of DQN v1, stopped after 64 of 128 steps."""
    folder = tmp_path_factory.mktemp("stopped")
    small = recipe("dqn-v1").with_parameters({"buffer_size": 100})
    run = Run(recipe("dqn-v1"), 1, STEPS, folder / "dqn-v1" / "seed-1")
    run.folder.mkdir(parents=True)
    model = make_model(small, DummyVecEnv([lambda: CongestionEnv(small)]), seed=1)
    model.num_timesteps = 64
    save(run, model)
    return folder


@pytest.mark.parametrize(
    ("name", "damage", "what"),
    [
        (MODEL, cut, "damaged"),
        (MODEL, turn_a_bit, "damaged"),
        (MODEL, replace_by_text, "damaged"),
        (MODEL, replace_by_another_archive, "damaged"),
        (MODEL, Path.unlink, "missing"),
        (REPLAY, cut, "damaged"),
        (REPLAY, replace_by_text, "damaged"),
        (REPLAY, Path.unlink, "missing"),
    ],
)
def test_a_damaged_checkpoint_is_named(
    name: str,
    damage: Callable[[Path], None],
    what: str,
    stopped: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(stopped, tmp_path / "runs")
    file = tmp_path / "runs" / "dqn-v1" / "seed-1" / name
    damage(file)
    resume = ["--policy", "dqn-v1", "--resume", "--steps", str(STEPS), "--output", str(tmp_path / "runs")]
    assert command.main(resume) == 2
    assert capsys.readouterr().err == f"{file} is {what}: remove {file.parent} and train this seed anew\n"


def test_a_scheme_that_there_is_not_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(job, "recipe", lambda name: replace(recipe(name), name="bbr-fat"))
    assert command.main(["--policy", "bbr-fit", "--processes", "--output", str(tmp_path)]) == 2
    assert "scheme 'bbr-fat' is unknown" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_tables_without_a_trained_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fixed_k.main(["--folder", str(tmp_path)]) == 2
    assert f"policy 'nuwa-rl' has no card {tmp_path / 'nuwa-rl.json'}" in capsys.readouterr().err
    monkeypatch.setattr(arena_table, "TRAININGS", tmp_path)
    assert arena_table.main(["--policy", "zixia"]) == 2
    assert capsys.readouterr().err.endswith("; npm run train -- --policy zixia --seed 1 trains it\n")


def test_every_0th_scenario_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        fixed_k.main(["--every", "0"])
    assert "argument --every: '0' is no whole number above 0" in capsys.readouterr().err


def test_the_other_half_of_a_scheme_can_have_another_history() -> None:
    without_memory = replace(recipe("nuwa-rl"), algorithm="ppo", lstm_units=None)
    changed = without_memory.with_history(4)
    assert changed.space == replace(without_memory.space, history=4)
    assert changed.with_history(1).space == without_memory.space
