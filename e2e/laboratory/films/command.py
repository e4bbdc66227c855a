"""`nuwa bench films`: films in virtual time, each scheme with each rule and each estimator over each link.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, count, existing_folder, number_within, whole_within
from e2e.laboratory.interruption import interrupt_on_signals
from models.executors.processes import available_cores

MOST_QUEUE_PACKETS = 1_000_000
MOST_STARTS = 1000
DESCRIPTION = (
    "Plays a packaged film by the page's own player (dash.js, our rules) over simulated flows, every scheme with every "
    "rule and every estimator over every link, and says what viewers met: medians over where in the link's trace they "
    "began."
)


def main(arguments: Sequence[str], *, prog: str = "nuwa bench films") -> int:
    """0 with a table; 1 where a player or a scheme failed, or no rows can be written; 2 for what cannot be played."""
    options = make_parser(prog).parse_args(arguments)
    from e2e.laboratory.films.matrix import FilmFailure, UnplayableError, by_names, plans_of, play_all  # noqa: PLC0415 - help
    from e2e.laboratory.films.rows import write_films  # noqa: PLC0415
    from e2e.laboratory.films.table import films_table  # noqa: PLC0415

    try:
        plans = plans_of(options)
    except UnplayableError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    interrupt_on_signals()
    busy_s = children_cpu_s()
    try:
        films = play_all(plans, jobs=options.jobs)
    except FilmFailure as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return 1
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"{prog}: stopped by {stopped}\n")
        return 1
    busy_s = children_cpu_s() - busy_s
    if busy_s > 0:  # Windows counts none
        sys.stderr.write(f"{3600 * len(films) / busy_s:,.0f} films per core and hour\n")
    sys.stdout.write(films_table(by_names(plans, films)))
    if options.rows is not None:
        try:
            write_films(options.rows, plans, films)
        except OSError as error:
            sys.stderr.write(f"{prog}: --rows {options.rows}: {error.strerror}\n")
            return 1
    return 0


def children_cpu_s() -> float:
    """Processor time of all processes that have ended and were waited for, with theirs."""
    times = os.times()
    return times.children_user + times.children_system


def make_parser(prog: str) -> argparse.ArgumentParser:
    """Checks what needs no list of the project."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)

    def names(name: str, default: str, text: str) -> None:
        parser.add_argument(name, metavar="LIST", type=_names, default=_names(default), help=f"{text} ({default})")

    names("--schemes", "nuwa,cubic", "schemes; nuwa:live takes a preset")
    names("--rules", "nuwa,dynamic", "adaptation rules")
    names("--estimators", "nuwa,dashjs", "whose estimate of the bandwidth rules see; truth knows the link")
    names("--links", "lte-like", "names of `nuwa links`, rates such as 24mbit, files")
    parser.add_argument(
        "--starts", type=whole_within(1, MOST_STARTS, "starts"), default=3, help="in each link's trace (%(default)s)"
    )
    parser.add_argument(
        "--film", type=existing_folder, metavar="FOLDER", help="a packaged film (the demo film: `npm run package-film`)"
    )
    parser.add_argument(
        "--queue",
        type=whole_within(1, MOST_QUEUE_PACKETS, "packets"),
        default=1000,
        help="of the link, packets (%(default)s)",
    )
    parser.add_argument(
        "--delay", type=number_within(1, 1000, "ms"), default=20.0, help="of the link, ms each way (%(default)g)"
    )
    parser.add_argument("--rows", type=_parquet, metavar="FILE", help="write a row a film there, Parquet")
    parser.add_argument(
        "--jobs", type=count, default=available_cores(), help="films at the same time (one a core: %(default)s)"
    )
    return parser


def _parquet(text: str) -> Path:
    file = Path(text)
    if file.suffix != ".parquet" or file.is_dir() or not file.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no FILE.parquet in a folder that exists")
    return file


def _names(text: str) -> list[str]:
    names = text.split(",")
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty entry")
    return names
