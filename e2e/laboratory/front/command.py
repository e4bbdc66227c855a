"""`nuwa bench front`: every scheme over every link, and which of them lead in throughput against delay.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from cc.command_line.arguments import OneSentenceParser, count, file_to_write, number_within, whole_within
from cc.command_line.clone import build_folder
from cc.links.defaults import DEEP_QUEUE_PACKETS, DELAY_MS
from cc.links.limits import LIMITS
from e2e.laboratory.ending import ended
from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.unseen_links import UNSEEN, UNSEEN_LINKS

NAME = "front"
APPLICATIONS = ("bulk", "segments")
DESCRIPTION = (
    "Runs schemes over links in simulation, one flow at a time, from several places in each trace. Says which scheme "
    "is dominated (another has its throughput or more with its p95 queueing delay or less), of how many pairs of a "
    "sender-side scheme and a link it has 0.99 of the throughput with less p95 delay, and how far the omniscient "
    "sender is. Leaves rows (Parquet), a page and figures."
)


def main(arguments: Sequence[str], *, prog: str = f"nuwa bench {NAME}") -> int:
    """0 with the tables; 1 where runs failed, nothing can be kept or it was stopped; 2 for what cannot be run."""
    options = make_parser(prog).parse_args(arguments)
    return ended(prog, lambda: _run(arguments, options))


def _run(arguments: Sequence[str], options: argparse.Namespace) -> int:
    from e2e.laboratory.front.figures import leave  # noqa: PLC0415 - help needs Python alone
    from e2e.laboratory.front.page import write_page, write_picture  # noqa: PLC0415
    from e2e.laboratory.front.plans import conditions_of  # noqa: PLC0415
    from e2e.laboratory.front.runs import measure, write_points  # noqa: PLC0415
    from e2e.laboratory.front.tables import tables_of, text  # noqa: PLC0415
    from e2e.laboratory.origin import shortened  # noqa: PLC0415

    measured = measure(conditions_of(options), folder=options.output, jobs=options.jobs, output=sys.stderr)
    tables, failed = tables_of(measured.points), len(measured.bundle.failures)
    sys.stdout.write(text(tables))
    write_points(options.output, measured)
    write_page(options.output / "front.html", measured, tables, options)
    sys.stdout.write(f"{os.path.relpath(options.output / 'front.html')}\n")
    versions = measured.bundle.versions
    commit = shortened(versions.commit, has_local_changes=versions.has_local_changes)
    made = f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}"
    lacks_picture = options.picture is not None and not write_picture(options.picture, measured.points, made=made)
    if lacks_picture:
        sys.stderr.write(f"--picture {options.picture} is not drawn: no scheme has a point\n")
    if failed:
        sys.stderr.write(f"{failed} runs failed: no figures are left for pages\n")
        return 1
    command = bench_command(NAME, *arguments)
    file = leave(measured.points, tables, command=command, name=NAME, folder=options.figures)
    sys.stdout.write(f"{os.path.relpath(file)}\n")
    return 1 if lacks_picture else 0


def make_parser(prog: str) -> argparse.ArgumentParser:
    """Checks what needs no list of the project."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument(
        "--links",
        metavar="LIST",
        default="lte-like,5g-like,wifi-like,steps,12mbit",
        help="names of `nuwa links`, rates, files, or families with mean and seed: lte-like/5mbit/7 (%(default)s); or "
        f"{UNSEEN}: {len(UNSEEN_LINKS)} of six families, on which no constant was chosen",
    )
    parser.add_argument(
        "--schemes", metavar="LIST", help="nuwa:preset=live chooses a preset (all, receiver-driven ones as on-demand)"
    )
    parser.add_argument("--application", choices=APPLICATIONS, default="bulk", help="what sends (%(default)s)")
    parser.add_argument("--starts", type=whole_within(1, 1000, "starts"), default=3, help="in each trace (%(default)s)")
    parser.add_argument(
        "--seconds", type=number_within(1, 3600, "s"), default=30.0, metavar="S", help="of each run (%(default)g)"
    )
    parser.add_argument(
        "--queue",
        type=whole_within(1, int(LIMITS.queue_packets.max), "packets"),
        default=DEEP_QUEUE_PACKETS,
        metavar="PACKETS",
        help="(%(default)s)",
    )
    parser.add_argument(
        "--delay",
        type=whole_within(1, int(LIMITS.delay_ms.max), "ms"),
        default=DELAY_MS,
        metavar="MS",
        help="each way (%(default)s)",
    )
    parser.add_argument(
        "--loss",
        type=number_within(LIMITS.loss_ratio.min, LIMITS.loss_ratio.max, "ratio"),
        default=0.0,
        metavar="RATIO",
        help="at random (%(default)g)",
    )
    parser.add_argument(
        "--most",
        type=number_within(1, 10_000, "Mbit/s"),
        default=100.0,
        metavar="MBIT",
        help="a faster link is thinned out to this mean, for all schemes alike (%(default)g)",
    )
    parser.add_argument(
        "--picture", type=file_to_write(".svg"), metavar="FILE", help="leave the chart there, too, as SVG"
    )
    parser.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N", help="processes (one a core)")
    folder = build_folder() / "e2e"
    parser.add_argument(
        "--output",
        type=Path,
        default=folder / NAME,
        metavar="FOLDER",
        help=f"of runs, which are not made twice, rows and page (.build/e2e/{NAME})",
    )
    parser.add_argument(
        "--figures", type=Path, default=folder / "bench", metavar="FOLDER", help="of figures (.build/e2e/bench)"
    )
    return parser
