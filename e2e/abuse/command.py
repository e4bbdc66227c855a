"""`nuwa bench abuse [NAME...]`: every attack, or those that are named, and whether its limit holds."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, count, generator_seed
from e2e.abuse.attack import Attack, Outcome, carry_out, outcomes
from e2e.abuse.client.drawing import NotOpenedError
from e2e.abuse.ground import Ground
from e2e.abuse.registry import ATTACKS, UnknownAttackError, attack
from e2e.abuse.table import outcome_table, told_table
from e2e.laboratory.figures.measured import Measured
from e2e.laboratory.interruption import interrupt_on_signals
from e2e.laboratory.record import RunError
from e2e.laboratory.studies.options import BENCH

JOBS = 4
"""Arms at 5 Mbit/s each are mostly waiting."""
DESCRIPTION = "Attacks servers that it starts, and says whether each limit holds. Takes some minutes an attack."


def main(arguments: Sequence[str], *, prog: str = "nuwa bench abuse") -> int:
    """0 if all limits hold; 1 if one does not, or could not be measured; 2 for an attack that there is not."""
    parser = OneSentenceParser(prog=prog, description=f"{DESCRIPTION} Attacks: {', '.join(map(_name, ATTACKS))}.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an attack (default: all)")
    parser.add_argument(
        "--seed", type=generator_seed, default=1, metavar="N", help="of all random numbers (default: 1)"
    )
    parser.add_argument("--jobs", type=count, default=JOBS, metavar="N", help="arms at a time (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="seconds an attack, and few arms, as in the tests")
    parser.add_argument("--output", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    options = parser.parse_args(arguments)
    try:
        chosen = [attack(name) for name in options.names] or ATTACKS
    except UnknownAttackError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    interrupt_on_signals()
    try:
        found = _run(chosen, seed=options.seed, jobs=options.jobs, is_small=options.small)
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}\n")
        return 1
    tables = [f"Attacks:\n\n{outcome_table(found)}"]
    told = told_table(found)
    if told is not None:
        tables.append(f"Arms that take more than most:\n\n{told}")
    sys.stdout.write("\n".join([*tables, ""]))
    command = f"npm run bench -- {shlex.join(['abuse', *arguments])}"
    measured = Measured.just_now(command, [outcome.figure for outcome in found], tables)
    sys.stdout.write(f"{_write(measured, options.output)} (into pages: python -m e2e.laboratory pages FILE)\n")
    return 0 if all(outcome.holds for outcome in found) else 1


def _run(chosen: Sequence[Attack], *, seed: int, jobs: int, is_small: bool) -> list[Outcome]:
    found: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="nuwa-abuse-") as folder:
        ground = Ground(Path(folder), seed=seed, is_small=is_small, jobs=jobs)
        with asyncio.Runner() as runner:
            for number, each in enumerate(chosen, start=1):
                with tqdm(desc=f"{number}/{len(chosen)} {each.name}", unit="arm", file=sys.stderr) as bar:
                    ground.on_progress = _shown_in(bar)
                    found += runner.run(_measured(each, ground))
    return found


async def _measured(each: Attack, ground: Ground) -> list[Outcome]:
    """One that fails is told of, and the others go on."""
    try:
        return await carry_out(each, ground)
    except* (RunError, NotOpenedError) as errors:
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
        bar.total = of
        bar.n = done
        bar.refresh()

    return show


def _write(measured: Measured, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{measured.measured_at.replace(':', '-')}-abuse.json"
    file.write_text(f"{json.dumps(asdict(measured), indent=1, allow_nan=False)}\n", encoding="utf-8")
    return file


def _name(each: Attack) -> str:
    return each.name
