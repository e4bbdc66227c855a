"""`trace VERB ...`: traces of links. A plot alone needs packages."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, at_least, existing_folder
from cc.links.catalogue import LinkCatalogue, parse_rate, trace_directories
from cc.links.traces.formats.base import Gaps
from cc.links.traces.formats.csv_columns import UNITS
from cc.links.traces.formats.registry import FORMATS
from e2e.laboratory.trace_tool import verbs
from e2e.laboratory.trace_tool.source import TraceToolError

GAPS: tuple[Gaps, ...] = ("close", "hold", "outage")
_amount = at_least(0.0)
EPILOG = f"""
IN is a trace file, or a link with a name (`nuwa links` lists them) or a rate (24mbit). The format of a file is
told by its name's end, else by its first line; OUT's by its name's end, or --format.

formats:
{chr(10).join(f"  {f.name:<11} {', '.join(f.suffixes):<24} {f.summary}" for f in FORMATS)}
"""


def main(arguments: Sequence[str], *, prog: str = "nuwa trace") -> int:
    """Run a verb; the exit code is 2 where what was asked for cannot be done, 1 where a trace is not valid."""
    options = _parser(prog).parse_args(arguments)
    try:
        code: int = options.run(options, LinkCatalogue(trace_directories(os.environ, options.traces)))
    except TraceToolError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    return code


def _parser(prog: str) -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = OneSentenceParser(prog=prog, description="Traces of links.", epilog=EPILOG, formatter_class=form)
    commands = parser.add_subparsers(metavar="VERB", required=True)

    def verb(name: str, run: verbs.Verb, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name, help=text, description=text.capitalize() + ".", epilog=EPILOG, formatter_class=form
        )
        command.set_defaults(run=run)
        return command

    show = verb("show", verbs.show, "print a trace's figures")
    validate = verb("validate", verbs.validate, "check files; exit code 1 if one is no trace")
    plot = verb("plot", verbs.plot, "draw the rate over time")
    writing = [
        verb("convert", verbs.convert, "write a trace in another format"),
        verb("cut", verbs.cut, "write a part of a trace"),
        verb("scale", verbs.scale, "write a trace with other rates"),
        verb("repeat", verbs.repeat, "write a trace over and over until it is long enough"),
    ]
    validate.add_argument("inputs", nargs="+", metavar="IN")
    for command in (show, plot, *writing):
        command.add_argument("input", metavar="IN")
    plot.add_argument("output", type=Path, nargs="?", metavar="OUT", help=".svg, .png or .html (default: IN.svg here)")
    for command in (show, plot):
        _bin(command, "how long the stretches are whose mean rates are taken")
    for command in writing:
        command.add_argument("output", type=Path, metavar="OUT")
        command.add_argument("--format", choices=[f.name for f in FORMATS], help="of OUT")
        _bin(command, "in formats of rates, how long opportunities are counted (default: 0.1)")
    _operations(*writing[1:])
    for command in (show, validate, plot, *writing):
        _reading(command)
    return parser


def _operations(cut: argparse.ArgumentParser, scale: argparse.ArgumentParser, repeat: argparse.ArgumentParser) -> None:
    cut.add_argument("--from", dest="from_s", type=_amount, default=0.0, metavar="S", help="default: 0")
    cut.add_argument("--to", dest="to_s", type=_amount, metavar="S", help="default: the end")
    to = scale.add_mutually_exclusive_group()
    to.add_argument("--mean", type=_rate, metavar="RATE", help="scale to this mean, as 12mbit")
    to.add_argument("--factor", type=_amount, metavar="N", help="scale by this factor")
    scale.add_argument("--cap", type=_rate, metavar="RATE", help="then take away what lies above")
    repeat.add_argument("--for", dest="duration_s", type=_amount, required=True, metavar="S", help="how long in all")


def _bin(command: argparse.ArgumentParser, text: str) -> None:
    command.add_argument("--bin", dest="bin_s", type=_bin_length, metavar="S", help=text)


def _reading(command: argparse.ArgumentParser) -> None:
    named = command.add_argument_group("links with names")
    named.add_argument("--uplink", action="store_true", help="the way up instead of the way down")
    named.add_argument(
        "--traces", type=existing_folder, action="append", default=[], metavar="DIRECTORY", help="look here, too"
    )
    table = command.add_argument_group("tables (CSV)")
    table.add_argument("--column", metavar="NAME", help="that with the rate")
    table.add_argument("--unit", choices=list(UNITS), help="of the rate, a second")
    table.add_argument("--time-column", metavar="NAME", help="that with the time; without a header columns are numbers")
    table.add_argument(
        "--where", type=_condition, action="append", default=[], metavar="NAME=VALUE", help="take only such rows"
    )
    measured = command.add_argument_group("measurements")
    measured.add_argument(
        "--gaps",
        choices=GAPS,
        default=GAPS[0],
        help="time in which nothing was measured: left out (default), the rate before, or an outage",
    )


def _bin_length(text: str) -> float:
    seconds = _amount(text)
    if seconds < 0.001:
        raise argparse.ArgumentTypeError(f"{text!r} is too short; at least 0.001 s")
    return seconds


def _rate(text: str) -> float:
    mbit_per_s = parse_rate(text)
    if mbit_per_s is None or mbit_per_s == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a rate such as 24mbit, 800kbit or 1.5gbit")
    return mbit_per_s * 1e6


def _condition(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not a condition such as run_num=1")
    return name.strip(), value.strip()
