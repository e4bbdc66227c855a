"""Keeps what was played, a file a play and a line a scenario, so that a command goes on where it was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from cc.command_line.clone import ROOT, build_folder
from e2e.laboratory.learned.arms import model_sha256
from e2e.laboratory.learned.plays import Play, Played
from models.scenarios.splits import SPLITS_FILE

STORE = build_folder() / "figures"
SOURCES = (
    "cc/**/*.py",
    "cc/receiver/*.json",
    "models/**/*.py",
    "e2e/laboratory/learned/arms.py",
    "e2e/laboratory/learned/plays.py",
)
"""What has a say in what is played."""


class Store:
    """Results by what made them: arms, models, scenarios, traces and sources."""

    def __init__(self, folder: Path, policies: Path) -> None:
        self._folder = folder
        self._policies = policies

    def read(self, play: Play) -> dict[int, dict[str, Played]]:
        """By the scenario's place in the play; without those that were not played."""
        file = self._file(play)
        if not file.is_file():
            return {}
        found: dict[int, dict[str, Played]] = {}
        for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
            if not line.endswith("\n"):
                break  # stopped while it was written
            try:
                entry = json.loads(line)
                found[entry["scenario"]] = {name: Played(**played) for name, played in entry["arms"].items()}
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # damaged: it is played again
        return found

    def begin(self, play: Play, found: dict[int, dict[str, Played]]) -> None:
        """Write what was found, without the line that was cut off."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lines = (_line(scenario, arms) for scenario, arms in found.items())
        self._file(play).write_text("".join(lines), encoding="utf-8")

    def add(self, play: Play, scenario: int, arms: dict[str, Played]) -> None:
        """A scenario was played."""
        with self._file(play).open("a", encoding="utf-8") as file:
            file.write(_line(scenario, arms))

    def _file(self, play: Play) -> Path:
        return self._folder / f"{self.key(play)}.jsonl"

    def key(self, play: Play) -> str:
        """SHA-256 of what makes the results what they are."""
        models = {arm.policy: model_sha256(arm.policy, self._policies) for arm in play.arms if arm.policy is not None}
        made_of = {
            "recipe": play.recipe,
            "arms": [asdict(arm) for arm in play.arms],
            "scenarios": [asdict(scenario) for scenario in play.scenarios],
            "models": models,
            "splits": sha256(SPLITS_FILE.read_bytes()).hexdigest(),
            "sources": sources_sha256(),
            "onnxruntime": version("onnxruntime"),
        }
        return sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


@cache
def sources_sha256(root: Path = ROOT) -> str:
    """Of what plays: cc/, models/ without tests and the training, and who is compared here."""
    digest = sha256()
    for file in sorted(_sources(root)):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(root: Path) -> Iterable[Path]:
    for pattern in SOURCES:
        for file in root.glob(pattern):
            if not {"tests", "training"} & set(file.relative_to(root).parts):
                yield file


def _line(scenario: int, arms: dict[str, Played]) -> str:
    return json.dumps({"scenario": scenario, "arms": {name: asdict(played) for name, played in arms.items()}}) + "\n"
