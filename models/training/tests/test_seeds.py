"""Several seeds side by side: as they are named, as they are trained, and the table of what came of them."""

from __future__ import annotations

from argparse import ArgumentTypeError
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from models.executors.workers import Workers
from models.recipes import recipe
from models.recipes.bbr_fit import BBR_FIT
from models.training import command, seeds
from models.training.command import seed_list
from models.training.job import REFUSALS
from models.training.run import STATE, OverwriteError, Run
from models.training.seeds import Answer, Trained, Training, packed, seeds_table, train_all, train_elsewhere, unpack
from models.training.tests.trained import STEPS, trained


@pytest.mark.parametrize(
    ("text", "named"), [("1-3", (1, 2, 3)), ("7", (7,)), ("1,4,9", (1, 4, 9)), ("2-3,1,3", (2, 3, 1))]
)
def test_seeds_are_ranges_and_lists(text: str, named: tuple[int, ...]) -> None:
    assert seed_list(text) == named


@pytest.mark.parametrize("text", ["", "0", "3-1", "1-", "a", "1,,2", "1-2-3", "1-99999", "-1", "4294967296"])
def test_what_names_no_seeds_is_a_sentence(text: str) -> None:
    with pytest.raises(ArgumentTypeError):
        seed_list(text)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--seeds", "1-3", "--seed", "1"], "--seed and --seeds: give one of them\n"),
        (["--cluster", "local-ray"], "--cluster and --jobs are for several seeds: give --seeds\n"),
        (["--seeds", "1-2", "--cluster", "moon"], "--cluster moon: give local-ray or ray://HOST:PORT\n"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--policy", "bbr-fit", "--output", str(tmp_path), *given]) == 2
    assert capsys.readouterr().err == said
    assert not list(tmp_path.iterdir())


def comparison(reward: float) -> dict[str, object]:
    return {
        "scenarios": 9,
        "rival": "bbr",
        "reward": {"policy": reward, "rival": 1.0, "difference": {"mean": reward - 1, "low": 0.0, "high": 0.0}},
        "utilisation": {"policy": 0.9, "rival": 0.8},
        "latency_s": {"policy": 0.05, "rival": 0.06},
    }


def training(seed: int, folder: Path, steps: int = STEPS) -> Training:
    return Training("bbr-fit", None, seed, steps, folder / f"seed-{seed}", False, "abc")


def in_threads(*, shares_files: bool = True) -> Workers:
    return Workers(2, "threads", ThreadPoolExecutor, shares_files=shares_files)


def train_pretended(run: Run, *, resumes: bool) -> None:
    """Seed 2 cannot be."""
    if run.seed == 2:
        raise OverwriteError("it would be lost")
    if not resumes:
        trained(run.folder.parent, run.seed)


@pytest.fixture
def _pretends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "train", train_pretended)
    monkeypatch.setattr(seeds, "finish", lambda run: comparison(1.0 + run.seed))


@pytest.mark.usefixtures("_pretends")
@pytest.mark.parametrize("shares_files", [True, False], ids=["here", "elsewhere"])
def test_a_seed_that_fails_leaves_the_others_alone_and_files_come_back(shares_files: bool, tmp_path: Path) -> None:
    trainings = [training(seed, tmp_path) for seed in (3, 2, 1)]
    found = train_all(trainings, in_threads(shares_files=shares_files), REFUSALS, resumes=False)
    assert list(found) == [3, 2, 1]
    assert found[2] == Trained(None, "it would be lost")
    assert found[1].comparison == comparison(2.0)
    assert {file.parent.name for file in tmp_path.glob(f"*/{STATE}")} == {"seed-1", "seed-3"}


@pytest.mark.usefixtures("_pretends")
def test_elsewhere_a_seed_goes_on_from_the_files_of_here(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    answer = train_elsewhere(training(1, tmp_path), packed(tmp_path / "seed-1"))
    assert isinstance(answer, Answer)
    assert answer.files is not None
    unpack(answer.files, tmp_path / "back")
    assert (tmp_path / "back" / STATE).read_bytes() == (tmp_path / "seed-1" / STATE).read_bytes()


def test_where_one_would_be_lost_none_begins(tmp_path: Path) -> None:
    trained(tmp_path, 2, steps=2 * STEPS)
    with pytest.raises(OverwriteError, match="seed-2 has a training of"):
        train_all([training(seed, tmp_path) for seed in (1, 2)], in_threads(), REFUSALS, resumes=False)
    assert [folder.name for folder in tmp_path.iterdir()] == ["seed-2"]


def test_a_training_is_the_run_of_its_recipe(tmp_path: Path) -> None:
    run = Training("bbr-fit", 4, 2, 100, tmp_path, True, "abc").run()
    assert run == Run(recipe("bbr-fit").with_history(4), 2, 100, tmp_path, uses_processes=True, commit="abc")


def test_the_table_has_means_with_intervals_over_seeds() -> None:
    found = {1: Trained(comparison(2.0), None), 2: Trained(None, "no"), 5: Trained(comparison(4.0), None)}
    lines = seeds_table(BBR_FIT, found).splitlines()
    assert lines[0] == "bbr-fit, validation: 9 scenarios, 95 % intervals over 2 seeds"
    assert [line.split()[0] for line in lines[1:]] == ["seed", "1", "5", "mean"]
    assert "3.0000 (-9.7062 to 15.7062)" in lines[-1]  # 12.7062 is t of one degree, and 1 the mean's error
    assert seeds_table(BBR_FIT, {2: Trained(None, "no")}) == "bbr-fit: no seed was trained"
