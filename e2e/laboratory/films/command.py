"""`nuwa bench films`: films in virtual time, each scheme with each rule and each estimator over each link.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cc.command_line.arguments import EXIT_USAGE
from e2e.laboratory.films.options import make_parser
from e2e.laboratory.interruption import interrupt_on_signals


def main(arguments: Sequence[str], *, prog: str = "nuwa bench films") -> int:
    """0 with a table; 1 where a film failed, it was stopped, or no rows can be written; 2 for what cannot be played."""
    options = make_parser(prog).parse_args(arguments)
    from e2e.laboratory.films.expand import film_matrix  # noqa: PLC0415 - help needs Python alone
    from e2e.laboratory.films.outcome import directory_of, play_matrix, table_of  # noqa: PLC0415
    from e2e.laboratory.films.rows import films_frame, write_frame  # noqa: PLC0415
    from e2e.laboratory.matrix.values import OptionError  # noqa: PLC0415

    try:
        matrix = film_matrix(options)
    except OptionError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    interrupt_on_signals()
    try:
        outcome = play_matrix(matrix, directory_of(options), jobs=options.jobs, output=sys.stderr)
        if options.rows is not None:
            write_frame(options.rows, films_frame(outcome.cells))
    except OptionError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    except OSError as error:
        sys.stderr.write(f"{prog}: {error.filename}: {error.strerror}; what is there stays, the same command goes on\n")
        return 1
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}; the same command goes on\n")
        return 1
    sys.stdout.write(f"{table_of(outcome.cells)}\n{os.path.relpath(outcome.rows)}\n{os.path.relpath(outcome.page)}\n")
    if outcome.failures:
        sys.stderr.write(f"{len(outcome.failures)} of {len(matrix.films)} films failed:\n")
        sys.stderr.writelines(f"  {failure}\n" for failure in outcome.failures)
    return 1 if outcome.failures else 0
