"""`links`: the links that have names, and their traces. Nothing but Python itself must be installed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser
from cc.links.catalogue import UnknownLinkError
from cc.links.traces.formats.mahimahi import format_trace
from transport.relay.traces_option import add_traces_option, catalogue_of


def main(arguments: Sequence[str], *, prog: str = "nuwa links") -> int:
    """Print the list, or a trace; 2 for a link that cannot be had."""
    parser = OneSentenceParser(prog=prog, description="List the links that have names.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--trace", metavar="LINK", help="print the trace of a name, a rate or a file instead, in mahimahi's format"
    )
    parser.add_argument("--uplink", action="store_true", help="the way up instead of the way down")
    add_traces_option(parser)
    options = parser.parse_args(arguments)
    if options.uplink and options.trace is None:
        parser.error("--uplink: of which link? Add --trace LINK")
    try:
        sys.stdout.write(_list(options) if options.trace is None else _trace(options))
    except UnknownLinkError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    return 0


def _list(options: argparse.Namespace) -> str:
    entries, notes = catalogue_of(options).entries_and_notes()
    sys.stderr.writelines(f"{note}; it is left out\n" for note in notes)
    if options.json:
        return json.dumps([asdict(entry) for entry in entries], indent=2) + "\n"
    width = max(len(entry.name) for entry in entries)
    return "".join(f"{entry.name.ljust(width)}  {entry.summary}\n" for entry in entries)


def _trace(options: argparse.Namespace) -> str:
    """Raises UnknownLinkError."""
    traces = catalogue_of(options).find(options.trace, may_be_file=True)
    opportunities_ms = traces.uplink_ms if options.uplink else traces.downlink_ms
    if opportunities_ms is None:
        raise UnknownLinkError(f"link {options.trace} has no trace")
    return format_trace(opportunities_ms)
