"""Runs of targets as children, and what of them is kept: counts of different seeds add up."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from cc.command_line.clone import ROOT
from e2e.fuzzing.findings import save
from e2e.fuzzing.registry import NodeTarget, entry

FOLDER = ROOT / ".build" / "e2e" / "fuzz"
CHILD = (sys.executable, "-m", "e2e.fuzzing.child")
NODE_CHILD = ("node", "--expose-gc", "--import", "tsx", "e2e/fuzzing/typescript/child.ts")
GRACE_S = 120.0
"""Beyond the time that a run was given; then it stands still, and is ended."""

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


def carry_out(request: Request, folder: Path = FOLDER, *, commit: str) -> Run:
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
    limit_s = None if request.seconds is None else request.seconds + GRACE_S
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit_s, check=False)
        problem = None if done.returncode == 0 else f"exit status {done.returncode}\n{done.stderr[-4000:]}"
        lines = done.stdout.splitlines()
    except subprocess.TimeoutExpired:
        problem, lines = f"stood still for {GRACE_S:g} s", []
    if problem is not None or not lines:
        told = f"{' '.join(command)}\n{problem or 'no result'}"
        finding = save(findings, request.target, "death", [], told)
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


def still_fails(finding: Path) -> bool:
    """Whether a finding's inputs are too much for the target as it is."""
    name = json.loads(finding.read_text(encoding="utf-8"))["target"]
    child = NODE_CHILD if isinstance(entry(name), NodeTarget) else CHILD
    done = subprocess.run([*child, name, "--replay", str(finding)], cwd=ROOT, capture_output=True, check=False)
    return done.returncode != 0
