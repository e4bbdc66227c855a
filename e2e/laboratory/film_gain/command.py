"""`nuwa bench film-gain`: what whole films gain by scheme, estimate and rule, beside the best of what there is.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser, count, existing_folder, file_to_write, whole_within
from cc.command_line.clone import build_folder
from cc.command_line.cores import usable_cores
from cc.links.defaults import DEEP_QUEUE_PACKETS, DELAY_MS
from e2e.laboratory.ending import ended
from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.figures.measured import BENCH
from e2e.laboratory.film_gain import NAME
from e2e.laboratory.films.ending import say_failures
from e2e.laboratory.unseen_links import FILM_LINKS

MOST_STARTS = 1000
LINKS = ",".join(FILM_LINKS)
DESCRIPTION = (
    "Plays a whole film by the page's own player over simulated flows: Kuafu and Nuwa with their estimate and NuwaRule "
    "beside sender-side schemes with dash.js's estimate and every rule; then each of scheme, estimate and rule "
    "exchanged alone. Every arm begins at the same places of the links' traces. Prints what is won, and leaves "
    "rows, a report and figures. The same command goes on where it was stopped."
)


def main(arguments: Sequence[str], *, prog: str = f"nuwa bench {NAME}") -> int:
    """0 with figures, whatever they say; 1 where a film failed, or it was stopped; 2 for what cannot be played."""
    options = make_parser(prog).parse_args(arguments)
    return ended(prog, lambda: _play(arguments, options))


def _play(arguments: Sequence[str], options: argparse.Namespace) -> int:
    from e2e.laboratory.film_gain.arms import film_arms  # noqa: PLC0415 - help needs Python alone
    from e2e.laboratory.film_gain.report import report  # noqa: PLC0415
    from e2e.laboratory.films.expand import Films, demo_film, links_of, matrix_of  # noqa: PLC0415
    from e2e.laboratory.films.outcome import play_matrix  # noqa: PLC0415
    from e2e.laboratory.request import SELF, FlowTemplate  # noqa: PLC0415

    films = Films([options.film or demo_film()], links_of(options), options.starts)
    matrix = matrix_of(films, film_arms(), flows=(FlowTemplate(SELF, None),), places=["simulation"])
    outcome = play_matrix(matrix, options.output, request=options, jobs=options.jobs, output=sys.stderr)
    sys.stdout.write(f"{os.path.relpath(outcome.rows)}\n{os.path.relpath(outcome.page)}\n")
    say_failures(outcome.failures, of=len(matrix.films))
    if outcome.failures:
        return 1
    report(outcome.cells, matrix.links, command=bench_command(NAME, *arguments), options=options)
    return 0


def make_parser(prog: str) -> argparse.ArgumentParser:
    """Of its options."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument(
        "--links", metavar="LIST", default=LINKS, help="as `nuwa bench films` takes them (twelve of six families)"
    )
    parser.add_argument(
        "--starts",
        metavar="N",
        type=whole_within(1, MOST_STARTS, "starts"),
        default=10,
        help="how often each arm plays over each link, from another place in the trace each time (%(default)s)",
    )
    parser.add_argument(
        "--film", metavar="FOLDER", type=existing_folder, help="a packaged film (the longest demo film)"
    )
    parser.add_argument("--delay", metavar="MS", default=f"{DELAY_MS}", help="of the link, each way (%(default)s)")
    parser.add_argument("--queue", metavar="PACKETS", default=f"{DEEP_QUEUE_PACKETS}", help="of the link (%(default)s)")
    parser.add_argument("--discipline", metavar="NAME", default="droptail", help="of the link's queue (%(default)s)")
    parser.add_argument("--loss", metavar="RATIO", default="0", help="of the link, behind the queue (%(default)s)")
    parser.add_argument(
        "--picture", type=file_to_write(".svg"), metavar="FILE", help="leave stalls against quality there, as SVG"
    )
    parser.add_argument("--jobs", type=count, default=usable_cores(), help="side by side (one a core: %(default)s)")
    parser.add_argument(
        "--output",
        type=Path,
        default=build_folder() / "e2e" / NAME,
        metavar="FOLDER",
        help=f"of films, which are not played twice, rows and report (.build/e2e/{NAME})",
    )
    parser.add_argument("--figures", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    return parser
