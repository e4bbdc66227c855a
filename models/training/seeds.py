"""Several seeds of a policy, side by side, and what they came to."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from models.evaluation.student import mean_interval
from models.executors.processes import executor_of
from models.executors.workers import Workers
from models.recipes import recipe
from models.recipes.recipe import Recipe
from models.training.run import Run
from models.training.ship import finish
from models.training.train import train


@dataclass(frozen=True, slots=True)
class Training:
    """A seed to be trained, as it can be sent: a recipe's functions cannot."""

    policy: str
    history: int | None
    """Another than the scheme's."""
    seed: int
    steps: int
    folder: Path
    uses_processes: bool
    commit: str

    def run(self) -> Run:
        """Raises UnknownRecipeError and VariantError."""
        chosen = recipe(self.policy)
        if self.history is not None:
            chosen = chosen.with_history(self.history)
        return Run(chosen, self.seed, self.steps, self.folder, self.uses_processes, self.commit)


@dataclass(frozen=True, slots=True)
class Trained:
    """What became of a seed: exactly one of both is set."""

    comparison: dict[str, Any] | None
    """As `finish` gives it."""
    problem: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Of a worker."""

    comparison: dict[str, Any]
    files: bytes | None
    """The run's folder, where the worker's files are not ours."""


def train_all(
    trainings: Sequence[Training], workers: Workers, refusals: tuple[type[Exception], ...], *, resumes: bool
) -> dict[int, Trained]:
    """By seed; one that raises one of `refusals` leaves the others alone. Raises RunError before anything begins."""
    if not resumes:
        for each in trainings:
            each.run().check_nothing_is_lost()
    found: dict[int, Trained] = {}
    jobs = min(workers.jobs, len(trainings))
    label = f"{trainings[0].policy}, {jobs} side by side"
    with executor_of(workers.make_executor, jobs) as executor, _bar(len(trainings), label) as bar:
        futures: dict[Future[Answer], Training] = {}
        for each in trainings:
            if workers.shares_files:
                future = executor.submit(train_here, each, resumes)
            else:
                future = executor.submit(train_elsewhere, each, packed(each.folder) if resumes else None)
            futures[future] = each
        for future in as_completed(futures):
            seed = futures[future].seed
            found[seed] = _trained(future, futures[future].folder, refusals)
            if found[seed].problem is not None:
                bar.write(f"seed {seed} failed: {found[seed].problem}", file=sys.stderr)
            bar.update()
    return {each.seed: found[each.seed] for each in trainings}


def _bar(total: int, label: str) -> tqdm:
    return tqdm(total=total, desc=label, unit="seed", mininterval=0.1 if sys.stderr.isatty() else 20)


def train_here(training: Training, resumes: bool) -> Answer:
    """In this process, silently: bars of several trainings would draw over each other. Raises RunError."""
    run = training.run()
    with redirect_stderr(io.StringIO()):
        train(run, resumes=resumes)
        return Answer(finish(run), None)


def train_elsewhere(training: Training, files: bytes | None) -> Answer:
    """In a folder of its own, which is handed back; goes on from `files`, if there are. Raises RunError."""
    with tempfile.TemporaryDirectory(prefix="nuwa-train-") as name:
        moved = replace(training, folder=Path(name) / training.folder.name)
        if files is not None:
            unpack(files, moved.folder)
        answer = train_here(moved, files is not None)
        return replace(answer, files=packed(moved.folder))


def _trained(future: Future[Answer], folder: Path, refusals: tuple[type[Exception], ...]) -> Trained:
    try:
        answer = future.result()
    except refusals as error:
        return Trained(None, str(error))
    except BrokenExecutor:
        return Trained(None, "its process ended early; did it run out of memory?")
    if answer.files is not None:
        unpack(answer.files, folder)
    return Trained(answer.comparison, None)


def packed(folder: Path) -> bytes | None:
    """A folder as an archive; None where there is none."""
    if not folder.is_dir():
        return None
    with tempfile.TemporaryDirectory() as name:
        return Path(shutil.make_archive(str(Path(name) / "run"), "zip", folder)).read_bytes()


def unpack(files: bytes, folder: Path) -> None:
    """Over what is there."""
    with tempfile.TemporaryDirectory() as name:
        archive = Path(name) / "run.zip"
        archive.write_bytes(files)
        shutil.unpack_archive(archive, folder)


def seeds_table(chosen: Recipe, found: Mapping[int, Trained]) -> str:
    """A row a seed, on the validation scenarios; below them the means with Student's t interval over the seeds."""
    known = {seed: each.comparison for seed, each in found.items() if each.comparison is not None}
    if not known:
        return f"{chosen.name}: no seed was trained"
    first = next(iter(known.values()))
    header = ("seed", "reward", f"reward above {first['rival']}'s", "utilisation", "latency, ms")
    rows = [(str(seed), *(f"{value:.4f}" for value in _values(comparison))) for seed, comparison in known.items()]
    columns = list(zip(*map(_values, known.values()), strict=True))
    means = tuple(_mean(column) for column in columns)
    table = [header, *rows, ("mean", *means)]
    widths = [max(len(row[at]) for row in table) for at in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    scenarios = f"{chosen.name}, validation: {first['scenarios']} scenarios, 95 % intervals over {len(known)} seeds"
    return "\n".join((scenarios, *lines))


def _values(comparison: Mapping[str, Any]) -> tuple[float, float, float, float]:
    reward = comparison["reward"]
    utilisation, latency_s = comparison["utilisation"]["policy"], comparison["latency_s"]["policy"]
    return reward["policy"], reward["difference"]["mean"], utilisation, 1000 * latency_s


def _mean(values: tuple[float, ...]) -> str:
    interval = mean_interval(values)
    assert interval is not None
    if len(values) == 1:
        return f"{interval.value:.4f}"
    return f"{interval.value:.4f} ({interval.low:.4f} to {interval.high:.4f})"
