"""`nuwa bench abuse [NAME...]`: every attack, or those that are named, and whether their limits hold.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, count, generator_seed
from e2e.abuse.registry import NAMES, UnknownAttackError, attack
from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.figures.measured import BENCH
from e2e.laboratory.interruption import interrupt_on_signals

if TYPE_CHECKING:
    from e2e.abuse.attack import Outcome

JOBS = 4
"""Arms at 5 Mbit/s each are mostly waiting."""
DESCRIPTION = "Attacks servers that it starts, and says whether each limit holds. All of it takes half an hour."


def main(arguments: Sequence[str], *, prog: str = "nuwa bench abuse") -> int:
    """0 if all limits hold; 1 if one does not, or could not be measured; 2 for an attack that there is not."""
    parser = OneSentenceParser(prog=prog, description=f"{DESCRIPTION} Attacks: {', '.join(NAMES)}.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an attack (default: all)")
    parser.add_argument("--seed", type=generator_seed, default=1, metavar="N", help="of random numbers (default: 1)")
    parser.add_argument("--jobs", type=count, default=JOBS, metavar="N", help="arms at a time (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="seconds an attack, and few arms, as in the tests")
    parser.add_argument("--output", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    options = parser.parse_args(arguments)
    try:
        chosen = [attack(name) for name in options.names or NAMES]
    except UnknownAttackError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    from e2e.abuse.run import report, run, show  # noqa: PLC0415 - help needs Python alone

    interrupt_on_signals()
    found: list[Outcome] = []
    is_whole = False
    try:
        found.extend(run(chosen, seed=options.seed, jobs=options.jobs, is_small=options.small))
        is_whole = True
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}\n")
        return 1
    finally:
        if found and not is_whole:  # half an hour's; whatever ended it
            show(found)
    return report(found, command=bench_command("abuse", *arguments), folder=options.output)
