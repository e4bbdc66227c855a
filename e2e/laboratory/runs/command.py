"""`nuwa bench --schemes ...`: runs a matrix, prints the means, leaves rows and a report.

Exit status: 0 measured (whatever the figures say), 1 a run failed, nothing can be kept or it was
stopped, 2 the options make no sense.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cc.command_line.arguments import EXIT_USAGE
from e2e.laboratory.ending import ended
from e2e.laboratory.matrix.options import PROGRAM, parse_options
from e2e.laboratory.request import MatrixRequest
from models.executors.workers import ClusterError, ClusterGoneError


def main(arguments: Sequence[str], *, prog: str = PROGRAM) -> int:
    """The command's exit status."""
    return ended(prog, lambda: _run(parse_options(arguments, prog)))


def _run(request: MatrixRequest) -> int:
    from e2e.laboratory.places.environment import MissingProgramError  # noqa: PLC0415 - help needs Python alone
    from e2e.laboratory.runs.laboratory import run_laboratory  # noqa: PLC0415

    try:
        outcome = run_laboratory(request, sys.stderr)
    except ClusterGoneError as error:
        sys.stderr.write(f"{error}; the same command goes on\n")
        return 1
    except (MissingProgramError, ClusterError) as error:
        sys.stderr.write(f"{error}\n")
        return EXIT_USAGE
    sys.stdout.write(f"\n{outcome.tables}\n{os.path.relpath(outcome.directory / 'report.html')}\n")
    if outcome.failed > 0:
        sys.stderr.write(f"{outcome.failed} of {outcome.finished + outcome.failed} runs failed\n")
    return 1 if outcome.failed > 0 else 0
