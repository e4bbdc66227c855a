"""The command, with tiny policies and few seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from e2e.laboratory.__main__ import main
from e2e.laboratory.learned.episode_runs import EpisodeRuns, Settings
from e2e.laboratory.learned.lineup import evaluation
from e2e.laboratory.studies.registry import STUDIES
from models.evaluation.comparison import compare
from models.recipes import recipe
from models.tests.stand_in import TESTDATA, stand_in

TRAINING_PACKAGES = ("torch", "gymnasium", "stable_baselines3", "sb3_contrib", "onnx")


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    """A policy of Nuwa-RL's kind, and nothing else."""
    folder = tmp_path / "policies"
    folder.mkdir()
    stand_in("recurrent", "nuwa-rl", folder)
    return folder


def figures(capsys: pytest.CaptureFixture[str], policies: Path, *more: str) -> dict[str, Any]:
    store = str(policies.parent / "store")
    arguments = ["figures", "--json", "--policies", str(policies), "--store", store, "--jobs", "1", *more]
    assert main(arguments) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def group_of(part: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (each for each in part["groups"] if each["name"] == name)
    return dict(found)


def test_without_policies_every_part_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, tmp_path)
    assert [part["name"] for part in found["parts"]] == [part.name for part in STUDIES]
    assert found["policies"] == []
    for part in found["parts"]:
        assert all(figure["value"] is None and figure["reach"] is None for figure in part["figures"])
        assert all(group["note"] == "not shipped" for group in part["groups"])
        assert part["figures"] or part["groups"]


def test_a_policy_stands_beside_all_k_and_presets(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ("--seeds", "1", "--every", "5", "--seconds", "1")
    found = figures(capsys, policies, "--only", "rewards,front,models", *small)
    rewards, front, models = found["parts"]
    nuwa_rl = group_of(rewards, "Nuwa-RL")
    assert [row["name"] for row in nuwa_rl["rows"]][:3] == ["Nuwa-RL", "Nuwa, k = 1", "Nuwa, k = 2"]
    assert "Nuwa, interactive" in [row["name"] for row in nuwa_rl["rows"]]
    (beaten,) = [each for each in nuwa_rl["differences"] if each["is_to_be_beaten"]]
    policy, best_k, *_ = nuwa_rl["rows"]
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
    assert found["policies"][0]["scheme"] == "nuwa-rl"


@pytest.mark.parametrize("split", ["training", "validation"])
def test_links_for_tests_are_not_played_for_another_split(
    policies: Path, split: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = ("bbr-fit-links", "low-rates", "dqn-rates")
    found = figures(capsys, policies, "--only", ",".join(parts), "--split", split)
    for part in found["parts"]:
        (group,) = part["groups"]
        assert group["note"] == f"its links are for tests, and not of the {split} split"
        assert group["rows"] == []
        assert [figure["value"] for figure in part["figures"]] == [None]
    assert main(["figures", "--only", parts[0], "--split", split]) == 0
    assert f"not of the {split} split" in capsys.readouterr().out


def test_rewards_are_those_of_the_card(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(capsys, policies, "--only", "rewards", "--seeds", "1", "--every", "20", "--seconds", "1")
    rewards = {row["name"]: row["reward"] for row in group_of(found["parts"][0], "Nuwa-RL")["rows"]}
    policy = recipe("nuwa-rl")
    chosen = evaluation(policy, EpisodeRuns(Settings(policies=policies, store=policies, seeds=1, every=20)))
    card = compare(policy, policies, [replace(scenario, duration_s=1.0) for scenario in chosen])
    for name, reward in (
        ("Nuwa-RL", card["reward"]["policy"]),
        ("Nuwa, k = 1", card["reward"]["rival"]),
        ("Nuwa, on-demand", card["others"]["nuwa"]["reward"]["rival"]),
    ):
        assert rewards[name] == pytest.approx(reward, abs=6e-6)  # a card has five digits


def test_a_policy_that_cannot_serve_is_named(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (policies / "nuwa-rl.onnx").write_bytes(b"no model")
    arguments = ["--policies", str(policies), "--store", str(policies), "--only", "rewards", "--jobs", "1"]
    assert main(["figures", *arguments]) == 2
    assert "nuwa-rl.onnx has SHA-256" in capsys.readouterr().err


def test_a_part_that_there_is_not_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["figures", "--only", "front,back"])
    assert "part 'back' is unknown; known parts: rewards" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seconds", "--every"])
@pytest.mark.parametrize("value", ["0", "0.9", "-1", "nan", "inf", "some"])
def test_nothing_cannot_be_played(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["figures", option, value])
    assert f"argument {option}: {value!r} is no " in capsys.readouterr().err


def test_a_card_without_its_model_is_named(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (policies / "nuwa-rl.onnx").unlink()
    assert main(["figures", "--policies", str(policies), "--only", "models"]) == 2
    assert "nuwa-rl.onnx cannot be read: No such file" in capsys.readouterr().err


def test_figures_that_cannot_be_written_are_printed(policies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = policies / "none" / "figures.txt"
    assert main(["figures", "--policies", str(policies), "--only", "models", "--output", str(file)]) == 2
    said = capsys.readouterr()
    assert "Nuwa-RL: model" in said.out
    assert said.err == f"--output {file} cannot be written: No such file or directory\n"


def test_policies_of_a_folder_that_is_not_there_are_not_the_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["figures", "--policies", "/nowhere"])
    assert "argument --policies: there is no folder '/nowhere'" in capsys.readouterr().err


def test_can_be_run_without_the_training_packages() -> None:
    absent = f"import sys; sys.modules.update(dict.fromkeys({TRAINING_PACKAGES}))"
    child = [sys.executable, "-c", f"{absent}; import e2e.laboratory.studies.command"]
    done = subprocess.run(child, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
