"""The command, with tiny policies and few seconds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from e2e.laboratory.__main__ import ROOT, main
from e2e.laboratory.benchmarks import Benchmark, benchmarks
from e2e.laboratory.learned.episode_runs import Settings
from e2e.laboratory.learned.lineup import evaluation
from e2e.laboratory.learned.store import STORE
from e2e.laboratory.studies.options import make_parser
from e2e.laboratory.studies.study import load_study
from models.evaluation.comparison import compare
from models.policies.folder import POLICIES
from models.recipes import recipe
from models.tests.stand_in import TESTDATA, stand_in

OF_EPISODES = (
    "rewards",
    "bbr-fit-links",
    "bbr-fit-room",
    "low-rates",
    "dqn-rates",
    "dqn-queues",
    "known-network",
    "k-front",
    "models",
)
TRAINING_PACKAGES = ("torch", "gymnasium", "stable_baselines3", "sb3_contrib", "onnx")


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    """A policy of Nuwa-RL's kind, and nothing else."""
    folder = tmp_path / "policies"
    folder.mkdir()
    stand_in("recurrent", "nuwa-rl", folder)
    return folder


def study_of(policies: Path, name: str, *more: str) -> dict[str, Any]:
    """What a study leaves."""
    output = policies.parent / "output"
    folders = ("--policies", str(policies), "--store", str(policies.parent / "store"), "--output", str(output))
    assert main([name, *folders, "--jobs", "1", *more]) == 0
    (file,) = output.glob(f"*-{name}.json")
    (found,) = json.loads(file.read_text(encoding="utf-8"))["studies"]
    shutil.rmtree(output)
    return dict(found)


def group_of(part: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (each for each in part["groups"] if each["name"] == name)
    return dict(found)


@pytest.mark.parametrize("name", OF_EPISODES)
def test_without_policies_a_study_says_so(name: str, tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    found = study_of(tmp_path / "policies", name)
    assert found["figures"]
    assert all(figure["value"] is None and figure["reach"] is None for figure in found["figures"])
    assert all(group["note"] == "not shipped" for group in found["groups"])


def test_a_policy_stands_beside_all_k_and_presets(policies: Path) -> None:
    small = ("--repeats", "1", "--every", "5", "--seconds", "1")
    rewards, front = (study_of(policies, name, *small) for name in ("rewards", "k-front"))
    models = study_of(policies, "models")
    nuwa_rl = group_of(rewards, "Nuwa-RL")
    assert [row["name"] for row in nuwa_rl["rows"]][:3] == ["Nuwa-RL", "Nuwa, k = 1", "Nuwa, k = 2"]
    assert "Nuwa, interactive" in [row["name"] for row in nuwa_rl["rows"]]
    (beaten,) = [each for each in nuwa_rl["differences"] if each["is_to_be_beaten"]]
    policy, *rest = nuwa_rl["rows"]
    best_k = next(row for row in rest if row["name"] == "Nuwa, k = 9")
    assert beaten["rival"] == best_k["name"]
    assert beaten["interval"]["value"] == pytest.approx(policy["reward"] - best_k["reward"])
    *families, untrained = front["groups"]
    assert [group["name"] for group in families] == ["Nuwa-RL, 4G", "Nuwa-RL, 5G"]
    assert (untrained["name"], untrained["note"]) == ("Nuwa-RL, goodput", "not shipped")
    for group in families:
        assert [row["name"] for row in group["rows"]] == ["Nuwa-RL", *(f"Nuwa, k = {k}" for k in (1, 2, 4, 7, 9))]
        assert set(group["front"]) <= {row["name"] for row in group["rows"][1:]}
    (size,) = (figure for figure in models["figures"] if figure["value"] is not None)
    assert size["what"] == "Nuwa-RL: model"
    assert size["value"] == pytest.approx((TESTDATA / "recurrent.onnx").stat().st_size / 1e6)
    assert size["reach"] == {"comparison": "at most", "value": 2.0}
    assert [row[0] for row in models["tables"][0]["rows"]] == ["Nuwa-RL"]


@pytest.mark.parametrize("split", ["training", "validation"])
@pytest.mark.parametrize("name", ["bbr-fit-links", "bbr-fit-room", "low-rates", "dqn-rates", "dqn-queues"])
def test_links_for_tests_are_not_played_for_another_split(policies: Path, name: str, split: str) -> None:
    found = study_of(policies, name, "--split", split)
    (group,) = found["groups"]
    assert group["note"] == f"its links are for tests, and not of the {split} split"
    assert group["rows"] == []
    assert [figure["value"] for figure in found["figures"]] == [None]


def test_rewards_are_those_of_the_card(policies: Path) -> None:
    found = study_of(policies, "rewards", "--repeats", "1", "--every", "20", "--seconds", "1")
    rewards = {row["name"]: row["reward"] for row in group_of(found, "Nuwa-RL")["rows"]}
    policy = recipe("nuwa-rl")
    chosen = evaluation(policy, Settings(policies=policies, every=20), 1)
    card = compare(policy, policies, [replace(scenario, duration_s=1.0) for scenario in chosen])
    for name, reward in (
        ("Nuwa-RL", card["reward"]["policy"]),
        ("Nuwa, k = 9", card["reward"]["rival"]),
        ("Nuwa, on-demand", card["others"]["nuwa"]["reward"]["rival"]),
    ):
        assert rewards[name] == pytest.approx(reward, abs=6e-6)  # a card has five digits


def test_a_policy_that_cannot_serve_is_named(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (policies / "nuwa-rl.onnx").write_bytes(b"no model")
    arguments = ["--policies", str(policies), "--store", str(policies), "--jobs", "1"]
    assert main(["rewards", *arguments]) == 2
    assert "nuwa-rl.onnx has SHA-256" in capsys.readouterr().err


def test_a_benchmark_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fronts"]) == 2
    assert "'fronts' is no benchmark; did you mean front?" in capsys.readouterr().err


def test_options_of_other_studies_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["fairness", "--split", "validation", "--every", "2"])
    assert "--split, --every: none of fairness plays episodes" in capsys.readouterr().err
    for study in ("rewards", "textbook"):
        assert main([study, "--preset", "live"]) == 2
        assert f"--preset live: {study} runs Nuwa with no preset that can be chosen" in capsys.readouterr().err
    assert main(["estimates", "one-loop", "--fresh"]) == 2
    assert "--fresh: estimates and one-loop keeps nothing" in capsys.readouterr().err
    assert main(["many-runs", "--repeats", "5"]) == 2
    assert "--repeats 5: many-runs measures once" in capsys.readouterr().err
    for study in ("decision-time", "served-policies"):
        assert main([study, "--policies", str(TESTDATA)]) == 2
        assert f"--policies {TESTDATA}: {study} runs the policies that are shipped" in capsys.readouterr().err


def test_beside_others_in_a_folder_the_shipped_policies_are_left_out(policies: Path) -> None:
    output = policies.parent / "output"
    folders = ("--policies", str(policies), "--store", str(policies), "--output", str(output))
    assert main(["models", "decision-time", *folders]) == 0
    (file,) = output.glob("*.json")
    models, times = json.loads(file.read_text(encoding="utf-8"))["studies"]
    assert [row[0] for row in models["tables"][0]["rows"]] == ["Nuwa-RL"]
    assert [group["note"] for group in times["groups"]] == [
        f"it runs the policies that are shipped, and not those in {policies}"
    ]


def test_help_names_every_benchmark_and_takes_no_packages() -> None:
    child = [sys.executable, "-S", "-m", "e2e.laboratory", "--help"]
    done = subprocess.run(child, cwd=ROOT, capture_output=True, text=True, check=True)
    assert all(f"\n  {each.name} " in done.stdout for each in benchmarks())
    of_one = subprocess.run([*child[:-1], "k-front", "--help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "k-front: Nuwa-RL beside Nuwa" in of_one.stdout


@pytest.mark.parametrize("benchmark", [each for each in benchmarks() if each.study], ids=lambda each: each.name)
def test_every_study_has_its_file(benchmark: Benchmark) -> None:
    study = load_study(benchmark.study or "")
    assert study.title
    assert study.text.endswith(".")


@pytest.mark.parametrize("option", ["--seconds", "--every"])
@pytest.mark.parametrize("value", ["0", "0.9", "-1", "nan", "inf", "some"])
def test_nothing_cannot_be_played(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["rewards", option, value])
    assert f"argument {option}: {value!r} is no " in capsys.readouterr().err


def test_a_card_without_its_model_is_named(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (policies / "nuwa-rl.onnx").unlink()
    assert main(["models", "--policies", str(policies)]) == 2
    assert "nuwa-rl.onnx cannot be read: No such file" in capsys.readouterr().err


def test_figures_that_cannot_be_written_are_printed(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = policies / "nuwa-rl.json"
    assert main(["models", "--policies", str(policies), "--output", str(file)]) == 2
    said = capsys.readouterr()
    assert "Nuwa-RL: model" in said.out
    assert said.err == f"--output {file} cannot be written: File exists\n"


def test_policies_of_a_folder_that_is_not_there_are_not_the_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["models", "--policies", "/nowhere"])
    assert "argument --policies: there is no folder '/nowhere'" in capsys.readouterr().err


def test_can_be_run_without_the_training_packages() -> None:
    absent = f"import sys; sys.modules.update(dict.fromkeys({TRAINING_PACKAGES}))"
    child = [sys.executable, "-c", f"{absent}; import e2e.laboratory.studies.command"]
    done = subprocess.run(child, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_policies_lie_where_they_are_shipped_and_episodes_where_they_are_kept() -> None:
    parser = make_parser("", [])
    assert (parser.get_default("policies"), parser.get_default("store")) == (POLICIES, STORE)
