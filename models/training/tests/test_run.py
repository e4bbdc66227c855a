"""Runs that are not gone on with, finished or written over."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from stable_baselines3.common.vec_env import DummyVecEnv

from models.recipes.bbr_fit import BBR_FIT
from models.recipes.recipe import Recipe
from models.training import command
from models.training.algorithms import make_model
from models.training.environment import CongestionEnv
from models.training.run import STATE, ChangedRecipeError, OtherSeedError, Run, UnfinishedError
from models.training.ship import finish, trained_runs
from models.training.tests.trained import STEPS, trained
from models.training.train import save


def test_a_copy_of_a_seed_is_none(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    for name in ("seed-1.bak", "seed-01", "seed-0", "seed-"):
        shutil.copytree(tmp_path / "seed-1", tmp_path / name)
    assert [run.folder.name for run in trained_runs(BBR_FIT, tmp_path)] == ["seed-1"]


def test_a_copy_under_another_seeds_name_is_refused(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    shutil.copytree(tmp_path / "seed-1", tmp_path / "seed-2")
    with pytest.raises(OtherSeedError, match=r"seed-2 holds a training of seed 1, a copy of which is no other seed"):
        trained_runs(BBR_FIT, tmp_path)


FASTER = BBR_FIT.with_parameters({"gamma": 0.5})
REFUSAL = "{file} was trained with {what}: remove {folder} and train this seed anew"
other_recipes = pytest.mark.parametrize(
    ("by", "what"),
    [
        (FASTER, "parameters.gamma 0.5, and the recipe of bbr-fit has {gamma}"),
        (replace(BBR_FIT, reward_text="none"), 'reward "none", and the recipe of bbr-fit has "{reward}"'),
        (replace(FASTER, name="owl"), 'policy "owl", and the recipe of bbr-fit has "bbr-fit"'),
        (
            replace(BBR_FIT, scenarios=replace(BBR_FIT.scenarios, duration_s=7.0)),
            "scenarios.duration_s 7.0, and the recipe of bbr-fit has {duration_s}",
        ),
        (replace(BBR_FIT, history=4), "space.history 4, and the recipe of bbr-fit has {history}"),
    ],
    ids=["parameter", "reward", "policy", "scenarios", "history"],
)


@other_recipes
def test_what_another_recipe_trained_is_no_ones(
    by: Recipe, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = trained(tmp_path / "bbr-fit", 1, by=by)
    what = what.format(
        gamma=BBR_FIT.parameters["gamma"],
        reward=BBR_FIT.reward_text,
        duration_s=BBR_FIT.scenarios.duration_s,
        history=BBR_FIT.space.history,
    )
    refusal = REFUSAL.format(file=run.folder / STATE, what=what, folder=run.folder)
    assert command.main(["--policy", "bbr-fit", "--resume", "--output", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{refusal}\n"
    assert command.main(["--policy", "bbr-fit", "--ship", "--output", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{refusal}\n"
    with pytest.raises(ChangedRecipeError):
        finish(run)


def test_a_parameter_that_one_recipe_lacks_is_unset(tmp_path: Path) -> None:
    run = trained(tmp_path, 1, by=BBR_FIT.with_parameters({"vf_coef": 0.25}))
    with pytest.raises(ChangedRecipeError, match=r"parameters\.vf_coef 0\.25, and the recipe .* has unset: "):
        run.trained_state()


def test_a_kill_within_a_first_checkpoint_leaves_no_model_that_passes_for_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(BBR_FIT, 1, STEPS, tmp_path)
    model = make_model(BBR_FIT, DummyVecEnv([lambda: CongestionEnv(BBR_FIT)]), seed=1)
    model.num_timesteps = STEPS
    save(run, model)
    assert run.trained_state().is_done
    model.num_timesteps = 6  # of a training that begins anew

    def stop_before_the_state(new: Path, file: Path) -> None:
        if file.name == STATE:
            raise KeyboardInterrupt
        new.rename(file)

    monkeypatch.setattr("models.training.train.os.replace", stop_before_the_state)
    with pytest.raises(KeyboardInterrupt):
        save(run, model)
    assert run.state is None


def test_a_stopped_training_is_not_finished(tmp_path: Path) -> None:
    run = trained(tmp_path, 1, done=64)
    with pytest.raises(UnfinishedError, match=r"has 64 of the 128 decisions .*: go on with --resume --steps 128"):
        finish(run)


@pytest.mark.parametrize("text", ['{"steps": 256, "steps_done": 260}', None], ids=["old", "whole"])
def test_a_longer_training_is_not_overwritten(
    text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = trained(tmp_path / "bbr-fit", 1, steps=256, done=260)
    if text is not None:
        (run.folder / STATE).write_text(text, encoding="utf-8")
    before = (run.folder / STATE).read_text(encoding="utf-8")
    assert command.main(["--policy", "bbr-fit", "--steps", "255", "--output", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"{run.folder} has a training of 256 decisions, which one of 255 would overwrite: go on with it (--resume), "
        "take another --seed or --output, or remove that folder\n"
    )
    assert (run.folder / STATE).read_text(encoding="utf-8") == before
    replace(run, steps=256).check_nothing_is_lost()  # the same again is no loss


@pytest.mark.parametrize("options", [[], ["--resume"]])
def test_an_output_that_is_a_file_is_refused(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert command.main(["--policy", "bbr-fit", "--output", str(tmp_path / "file"), *options]) == 2
    folder = tmp_path / "file" / "bbr-fit" / "seed-1"
    refusal = f"folder {folder} cannot be made: Not a directory; give another with --output\n"
    assert capsys.readouterr().err == refusal
