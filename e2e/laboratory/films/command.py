"""`nuwa bench films`: films in virtual time, each scheme with each rule and each estimator over each link.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from e2e.laboratory.ending import ended
from e2e.laboratory.films.ending import say_failures
from e2e.laboratory.films.options import make_parser


def main(arguments: Sequence[str], *, prog: str = "nuwa bench films") -> int:
    """0 with a table; 1 where a film failed, it was stopped, or no rows can be written; 2 for what cannot be played."""
    options = make_parser(prog).parse_args(arguments)
    return ended(prog, lambda: _play(options))


def _play(options: argparse.Namespace) -> int:
    from e2e.laboratory.films.columns import FILMS  # noqa: PLC0415 - help needs Python alone
    from e2e.laboratory.films.expand import film_matrix  # noqa: PLC0415
    from e2e.laboratory.films.outcome import directory_of, play_matrix, table_of  # noqa: PLC0415
    from e2e.laboratory.films.rows import films_frame  # noqa: PLC0415
    from e2e.laboratory.store.tables import write_table  # noqa: PLC0415

    matrix = film_matrix(options)
    outcome = play_matrix(matrix, directory_of(options), request=options, jobs=options.jobs, output=sys.stderr)
    if options.rows is not None:
        write_table(options.rows, films_frame(outcome.cells), FILMS, outcome.about)
    sys.stdout.write(f"{table_of(outcome.cells)}\n{os.path.relpath(outcome.rows)}\n{os.path.relpath(outcome.page)}\n")
    say_failures(outcome.failures, of=len(matrix.films))
    return 1 if outcome.failures else 0
