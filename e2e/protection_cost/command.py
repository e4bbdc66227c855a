"""`nuwa bench protection-cost`: what withheld packets, bounds and limits cost viewers who are honest.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser, count
from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.figures.measured import BENCH
from e2e.laboratory.interruption import interrupt_on_signals

NAME = "protection-cost"
MAKINGS = 12
BLOCKS = 20
DESCRIPTION = (
    "An honest viewer's download at 24 Mbit/s in virtual time, with the server's protection and without, in turn: CPU "
    "time of the server for each Mbit, and goodput."
)


def main(arguments: Sequence[str], *, prog: str = f"nuwa bench {NAME}") -> int:
    """0 if both arms ran, whatever the figures say; 1 if it was stopped."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION)
    parser.add_argument(
        "--makings", type=count, default=MAKINGS, metavar="N", help="servers made anew (default: %(default)s)"
    )
    parser.add_argument("--output", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    options = parser.parse_args(arguments)
    from tqdm import tqdm  # noqa: PLC0415 - help needs Python alone

    from e2e.laboratory.figures.markdown import figure_table  # noqa: PLC0415
    from e2e.laboratory.figures.measured import Measured  # noqa: PLC0415
    from e2e.protection_cost.measure import SCHEMES, figures, pairs_of  # noqa: PLC0415

    interrupt_on_signals()
    found = []
    try:
        for scheme in SCHEMES:
            pairs = pairs_of(scheme, makings=options.makings, blocks=BLOCKS)
            total = options.makings * BLOCKS
            found += figures(scheme, list(tqdm(pairs, desc=scheme, total=total, unit="pair", file=sys.stderr)))
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}\n")
        return 1
    measured = Measured.just_now(bench_command(NAME, *arguments), found)
    sys.stdout.write(f"{figure_table(found)}\n\n{measured.leave(options.output, NAME)}\n")
    return 0
