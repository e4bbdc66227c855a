"""Carries attacks out, one after the other, and says what was found."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from e2e.abuse.attack import Attack, Outcome, carry_out, outcomes
from e2e.abuse.client.drawing import NotOpenedError
from e2e.abuse.ground import Ground
from e2e.abuse.table import outcome_table, told_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.record import RunError

UNCOUNTED = "{desc} [{elapsed}]"
"""Of an attack whose arms are not counted, or not yet."""


def run(chosen: Sequence[Attack], *, seed: int, jobs: int, is_small: bool) -> Iterator[Outcome]:
    """Each attack's as soon as it is over, with progress on standard error."""
    with tempfile.TemporaryDirectory(prefix="nuwa-abuse-") as folder:
        ground = Ground(Path(folder), seed=seed, is_small=is_small, jobs=jobs)
        with asyncio.Runner() as runner:
            for number, each in enumerate(chosen, start=1):
                name = f"{number}/{len(chosen)} {each.name}"
                with tqdm(desc=name, unit=" arm", bar_format=UNCOUNTED, file=sys.stderr) as bar:
                    ground.on_progress = _shown_in(bar)
                    found = runner.run(_carried_out(each, ground))
                yield from found


def report(found: Sequence[Outcome], *, command: str, folder: Path) -> int:
    """Prints the tables and leaves the figures; 1 where a limit does not hold, or could not be measured."""
    tables = show(found)
    measured = Measured.just_now(command, [outcome.figure for outcome in found], tables)
    file = measured.leave(folder, "abuse")
    sys.stdout.write(f"{file} (into pages: npm run bench -- pages FILE)\n")
    return 0 if all(outcome.holds for outcome in found) else 1


def show(found: Sequence[Outcome]) -> list[str]:
    """Prints the tables."""
    tables = [f"Attacks:\n\n{outcome_table(found)}"]
    told = told_table(found)
    if told is not None:
        tables.append(f"Arms that take more than most:\n\n{told}")
    sys.stdout.write("\n".join([*tables, ""]))
    return tables


async def _carried_out(each: Attack, ground: Ground) -> list[Outcome]:
    """One that fails is told of, and the others go on."""
    try:
        return await carry_out(each, ground)
    except* (RunError, NotOpenedError, OSError, asyncio.IncompleteReadError) as errors:
        for error in _leaves(errors):
            sys.stderr.write(f"{each.name}: {error}\n")
    return outcomes(each, ())


def _leaves(group: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    """Arms and their sessions are task groups inside task groups."""
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield each


def _shown_in(bar: tqdm) -> Callable[[int, int], None]:
    def show(done: int, of: int) -> None:
        bar.bar_format = None
        bar.total = of
        bar.n = done
        bar.refresh()

    return show
