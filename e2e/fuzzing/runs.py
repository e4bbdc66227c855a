"""Runs of targets as children, and what of them is kept: counts of different seeds add up."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from cc.command_line.clone import ROOT
from e2e.fuzzing.attendance import STILL_S, attend
from e2e.fuzzing.findings import save
from e2e.fuzzing.registry import NodeTarget, entry
from e2e.laboratory.typescript import NODE

FOLDER = ROOT / ".build" / "e2e" / "fuzz"
CHILD = (sys.executable, "-m", "e2e.fuzzing.child")
NODE_CHILD = (*NODE, "--expose-gc", "e2e/fuzzing/typescript/child.ts")

Engine = Literal["coverage", "mutation", "fast-check"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be run."""

    target: str
    engine: Engine
    seed: int
    inputs: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Run:
    """What was found."""

    target: str
    engine: str
    seed: int
    inputs: int
    understood: int
    slowest_s: float
    growth_bytes: int | None
    findings: tuple[str, ...]
    """Files."""
    commit: str

    @property
    def has_died(self) -> bool:
        """Whether the process told nothing: it died, or stood still."""
        return self.inputs == 0 and bool(self.findings)


def carry_out(request: Request, folder: Path = FOLDER, *, commit: str, still_s: float = STILL_S) -> Run:
    """Run a child to its end. One that died, or stands still, is a finding, too."""
    findings = folder / "findings"
    is_node = isinstance(entry(request.target), NodeTarget)
    command = [
        *(NODE_CHILD if is_node else CHILD),
        request.target,
        *("--engine", request.engine, "--seed", f"{request.seed}", "--inputs", f"{request.inputs}"),
        *("--findings", str(findings)),
        *(() if request.seconds is None else ("--seconds", f"{request.seconds}")),
    ]
    done = attend(command, still_s=still_s)
    lines = done.output.splitlines()
    if done.problem is not None or not lines:
        told = f"{' '.join(command)}\n{done.problem or 'no result'}"
        finding = save(findings, request.target, "death", done.inputs, told)
        return Run(request.target, request.engine, request.seed, 0, 0, 0.0, None, (finding.file,), commit)
    tally = json.loads(lines[-1])
    return Run(
        request.target,
        request.engine,
        request.seed,
        tally["inputs"],
        tally["understood"],
        tally["slowest_s"],
        tally["growth_bytes"],
        tuple(finding["file"] for finding in tally["findings"]),
        commit,
    )


def keep(run: Run, folder: Path = FOLDER) -> None:
    """Append it to those that are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "runs.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(run)) + "\n")


def kept(folder: Path = FOLDER) -> list[Run]:
    """One a target, engine and seed, the longest: the same seed feeds the same inputs."""
    file = folder / "runs.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return longest(Run(**{**fields, "findings": tuple(fields["findings"])}) for fields in map(json.loads, lines))


def longest(runs: Iterable[Run]) -> list[Run]:
    """Of those with one target, engine and seed."""
    found: dict[tuple[str, str, int], Run] = {}
    for run in runs:
        key = (run.target, run.engine, run.seed)
        if key not in found or run.inputs >= found[key].inputs:
            found[key] = run
    return list(found.values())


def still_fails(finding: Path, *, still_s: float = STILL_S) -> bool:
    """Whether a finding's inputs are too much for the target as it is; always where a process died without any."""
    content = json.loads(finding.read_text(encoding="utf-8"))
    if content["what"] == "death" and not content["inputs"]:
        return True
    child = NODE_CHILD if isinstance(entry(content["target"]), NodeTarget) else CHILD
    return attend([*child, content["target"], "--replay", str(finding)], still_s=still_s).problem is not None
