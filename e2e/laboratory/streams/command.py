"""`nuwa bench streams`: what a session costs the server, and what each of many gets, arms interleaved.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, at_least, count, number_within, whole_within
from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.figures.measured import BENCH
from e2e.laboratory.interruption import interrupt_on_signals

SESSIONS = (12, 20, 40, 60)
MOST_SESSIONS = 64
"""From one address; a server takes no more (transport/README.md)."""
MOST_WORKERS = 32
REPEATS = 2
RATE_MBIT = 4.0
SECONDS = 8.0
DESCRIPTION = (
    "Sessions side by side, each behind an emulated link of its own, under Nuwa and under CUBIC; and downloads over "
    "loopback, beside stock aioquic. Says what a second of the server's CPU time carries. Linux."
)


def main(arguments: Sequence[str], *, prog: str = "nuwa bench streams") -> int:
    """0 if all arms ran, whatever the figures say; 1 if one failed; 2 for what cannot be measured."""
    parser = make_parser(prog)
    options = parser.parse_args(arguments)
    if options.no_bulk and not options.sessions and options.workers is None:
        parser.error("--sessions 0 --no-bulk: nothing is left to measure; leave one out")
    if sys.platform != "linux":
        sys.stderr.write(f"{prog}: CPU time is read from /proc, which {sys.platform} has not; run it on Linux\n")
        return EXIT_USAGE
    from e2e.laboratory.streams.measure import measure, report  # noqa: PLC0415 - help needs Python alone

    interrupt_on_signals()
    try:
        found = measure(options)
    except KeyboardInterrupt as stopped:
        sys.stderr.write(f"stopped by {stopped}\n")
        return 1
    try:
        return report(found, command=bench_command("streams", *arguments), folder=options.output)
    except OSError as error:  # what took minutes was printed
        sys.stderr.write(f"{prog}: --output {options.output} cannot be written: {error.strerror}\n")
        return EXIT_USAGE


def make_parser(prog: str) -> argparse.ArgumentParser:
    """Of its options."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION)
    add = parser.add_argument
    listed = ",".join(map(str, SESSIONS))
    add(
        "--sessions", type=_sessions, default=SESSIONS, metavar="N,N", help=f"side by side; none: 0 (default: {listed})"
    )
    add(
        "--rate-mbit",
        type=number_within(0.5, 100, "Mbit/s"),
        default=RATE_MBIT,
        metavar="R",
        help="of each link (default: %(default)g)",
    )
    add(
        "--seconds",
        type=at_least(1),
        default=SECONDS,
        metavar="S",
        help="that count, of each run (default: %(default)g)",
    )
    add("--repeats", type=count, default=REPEATS, metavar="N", help="of all arms in turn (default: %(default)s)")
    add(
        "--beside",
        type=_clone,
        action="append",
        default=[],
        metavar="CLONE",
        help="measure its server and receivers, too",
    )
    add(
        "--workers",
        type=whole_within(2, MOST_WORKERS, "processes"),
        metavar="N",
        help="a server of N processes beside one, with 2 N downloads by light sinks, each at the lowest priority",
    )
    add("--no-bulk", action="store_true", help="no downloads over loopback")
    add("--output", type=Path, default=BENCH, metavar="FOLDER", help="of figures (.build/e2e/bench)")
    return parser


def _sessions(text: str) -> tuple[int, ...]:
    a_number = whole_within(0, MOST_SESSIONS, "sessions")
    return tuple(dict.fromkeys(number for number in map(a_number, text.split(",")) if number))


def _clone(text: str) -> Path:
    folder = Path(text).resolve()
    if not (folder / "transport" / "__main__.py").is_file():
        raise argparse.ArgumentTypeError(f"{text!r} is no clone of nuwa-stream: it has no transport/__main__.py")
    return folder
