"""`nuwa bench film-fidelity`: the same films in virtual time and in a browser, and how far apart they are.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser, count, whole_within
from cc.command_line.cores import usable_cores
from cc.links.defaults import DELAY_MS, QUEUE_PACKETS
from e2e.laboratory.ending import ended
from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.figures.measured import BENCH

MOST_SEEDS = 100
DESCRIPTION = (
    "Plays the demo film to its end, in virtual time (as `nuwa bench films` does) and in a browser over the relay: the "
    "same scheme, preset, rule, estimator, link and place in its trace. Prints what viewers met in both, and how far "
    "the means are apart. A browser's film takes as long as it is; the same command goes on where it was stopped."
)


def main(arguments: Sequence[str], *, prog: str = "nuwa bench film-fidelity") -> int:
    """0 with a table, whatever it says; 1 where a film failed, or it was stopped; 2 for what cannot be played."""
    options = make_parser(prog).parse_args(arguments)
    return ended(prog, lambda: _play(arguments, options))


def _play(arguments: Sequence[str], options: argparse.Namespace) -> int:
    from e2e.laboratory.film_fidelity.measure import measure, report  # noqa: PLC0415 - help needs Python alone

    cells = measure(options, sys.stderr)
    return report(cells, command=bench_command("film-fidelity", *arguments), options=options)


def make_parser(prog: str) -> argparse.ArgumentParser:
    """Of its options: by default twelve cells, about half an hour."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)

    option = parser.add_text

    option(
        "--arms",
        "LIST",
        "nuwa/nuwa/receiver,cubic/dynamic/dashjs",
        "SCHEME/RULE/ESTIMATOR; nuwa:preset=live/nuwa/receiver chooses the receiver's preset",
    )
    option("--links", "LIST", "8mbit,lte-like", "as `nuwa bench films` takes them")
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=whole_within(1, MOST_SEEDS, "seeds"),
        default=3,
        help="how often each is played, from another place in the trace each time (%(default)s)",
    )
    option("--delay", "MS", f"{DELAY_MS}", "of the link, each way")
    option("--queue", "PACKETS", f"{QUEUE_PACKETS}", "of the link")
    option("--loss", "RATIO", "0", "of the link, behind the queue")
    parser.add_argument("--output", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    parser.add_argument("--jobs", type=count, default=usable_cores(), help="simulations side by side (%(default)s)")
    return parser
