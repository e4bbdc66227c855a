"""The same runs by a build and by Python: every byte that they came to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cc.command_line.clone import ROOT

ANSWERS = (sys.executable, "-P", "-m", "e2e.nuwa.compiled.answers")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the two came to."""

    compiled_by: str
    runs: int
    different: tuple[str, ...]
    """The runs that differ, by name."""
    cpu_ratio: float
    """Of the CPU time that Python takes, to the build's."""

    def __str__(self) -> str:
        found = "; ".join(self.different) if self.different else "the same bytes"
        return f"{self.compiled_by}: {self.runs} runs, {found}; {self.cpu_ratio:.1f} times as fast"


def compare(build: Path) -> Comparison:
    """Runs both, one after the other, in processes of their own."""
    compiled, interpreted = _answers(build), _answers()
    return comparison_of(compiled, interpreted)


def comparison_of(compiled: dict[str, Any], interpreted: dict[str, Any]) -> Comparison:
    """Of what the two printed."""
    names = {**compiled["hashes"], **interpreted["hashes"]}
    different = [name for name in names if compiled["hashes"].get(name) != interpreted["hashes"].get(name)]
    return Comparison(str(compiled["compiled"]), len(names), tuple(different), interpreted["cpu_s"] / compiled["cpu_s"])


def _answers(*first: Path) -> dict[str, Any]:
    path = os.pathsep.join(map(os.fspath, (*first, ROOT)))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(ANSWERS, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers
