"""`simulate`: schemes over an emulated link in virtual time, for people; with `-`, runs as JSON lines for programs."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cc.command_line.arguments import (
    EXIT_USAGE,
    MOST_SECONDS,
    OneSentenceParser,
    existing_folder,
    generator_seed,
    number_within,
    seconds_up_to,
    whole_within,
)
from cc.links.catalogue import LinkCatalogue, LinkTraces, UnknownLinkError, trace_directories
from cc.links.defaults import DELAY_MS, PACKET_BYTES, QUEUE_PACKETS
from cc.links.limits import LIMITS
from cc.links.queueing.registry import DISCIPLINES, DROPTAIL
from cc.receiver.presets import DEFAULT_PRESET, PRESETS
from cc.registry import SCHEMES, UnknownSchemeError, scheme
from cc.simulation.answer import run_and_answer
from cc.simulation.checked_scheme import SchemeError
from cc.simulation.json_lines import answers
from cc.simulation.omniscient import OMNISCIENT
from cc.simulation.request import prepare_run
from models.command import add_policies_option
from models.policies.find import find_policy
from models.simulation.next_step import SHARED_OPTIONS, bench_command
from models.simulation.qlogs import logged
from models.simulation.table import result_table

JSON_LINES = "-"
READ_WITH_JSON_LINES = ("schemes", "policies")
EXIT_FAILED = 1
Answer = dict[str, Any]


def main(arguments: Sequence[str], *, prog: str = "nuwa simulate") -> int:
    """Print what came of the runs; 2 for a run that cannot be, 1 where a scheme failed."""
    parser = simulate_parser(prog)
    options = parser.parse_args(arguments)
    find = partial(find_policy, folder=options.policies)
    if options.schemes == [JSON_LINES]:
        for name, value in vars(options).items():
            if name not in READ_WITH_JSON_LINES and value != parser.get_default(name):
                parser.error(f"with {JSON_LINES} each run says its own: leave --{name.replace('_', '-')} out")
        return _answer_lines(find)
    try:
        for name in options.schemes:
            if name != OMNISCIENT:
                scheme(name)
        link = LinkCatalogue(trace_directories(os.environ, options.traces)).find(options.link, may_be_file=True)
        requests = [_request(options, link, names) for names in _runs(options)]
        found = _answered(requests, find, options.qlog_dir)
    except SchemeError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_FAILED
    except OSError as error:
        sys.stderr.write(f"{prog}: --qlog-dir {options.qlog_dir}: {error.strerror}\n")
        return EXIT_USAGE
    except (UnknownSchemeError, UnknownLinkError, ValueError) as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    if options.json:
        sys.stdout.write(_json(found))
    else:
        sys.stdout.write(_text(options, link, found))
        command = bench_command(options, {name: parser.get_default(name) for name in SHARED_OPTIONS})
        if command is not None:
            sys.stderr.write(f"\nseveral seeds, with intervals and a report: {command}\n")
    return 0


def _answer_lines(find: Callable[..., Any]) -> int:
    try:
        for line in answers(sys.stdin, random.Random, find):
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    except BrokenPipeError:  # who read them has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python tells of it once more as it ends
        return EXIT_FAILED
    return 0


def _runs(options: argparse.Namespace) -> list[list[str]]:
    """The schemes of each run."""
    return [options.schemes] if options.together else [[name] for name in options.schemes]


def _request(options: argparse.Namespace, link: LinkTraces, names: Sequence[str]) -> Answer:
    """A line as README.md of cc/ describes it, over the network that `nuwa bench` has. Raises UnknownLinkError."""
    if link.downlink_ms is None:
        raise UnknownLinkError(f"link {options.link} has no trace to simulate; take a name of `nuwa links`, or a rate")
    return {
        "seed": options.seed,
        "duration_s": options.seconds,
        "packet_bytes": PACKET_BYTES,
        "link": {
            "opportunities_ms": list(link.downlink_ms),
            "return_opportunities_ms": None if link.uplink_ms is None else list(link.uplink_ms),
            "clock": "exact" if all(name == OMNISCIENT for name in names) else "mahimahi",
            "queue": {"discipline": options.discipline, "packets": options.queue},
            "delay_ms": options.delay,
            "return_delay_ms": options.delay,
            "loss_ratio": options.loss,
        },
        "flows": [{"scheme": name, "preset": options.preset} for name in names],
    }


def _answered(requests: Sequence[Answer], find: Callable[..., Any], qlog_directory: Path | None) -> list[Answer]:
    """Raises SchemeError, ValueError for a run that cannot be, and OSError for a qlog that cannot be written."""
    found: list[Answer] = []
    flows = 0
    for request in requests:
        run = prepare_run(request, random.Random, find)
        with logged(run, qlog_directory, first=flows + 1):
            found.append(run_and_answer(run))
        flows += len(run.network.flows)
    return found


def _json(found: Sequence[Answer]) -> str:
    """An object of each run, a line each."""
    return "".join(json.dumps(answer, allow_nan=False, separators=(",", ":")) + "\n" for answer in found)


def _text(options: argparse.Namespace, link: LinkTraces, found: Sequence[Answer]) -> str:
    capacity = found[0]["link"]["capacity_bits_per_s"] / 1e6
    loss = f", {options.loss:g} of the packets lost by chance" if options.loss else ""
    head = (
        f"{link.title}: {options.seconds:g} s, {capacity:.3g} Mbit/s on average, {options.delay:g} ms each way, "
        f"a queue of {options.queue} packets ({options.discipline}){loss}"
    )
    together = "together, " if options.together and len(options.schemes) > 1 else ""
    return f"{head}\n{together}seed {options.seed}\n\n{result_table(found)}"


def simulate_parser(prog: str) -> OneSentenceParser:
    """Checks each value by itself."""
    parser = OneSentenceParser(
        prog=prog,
        description="Run schemes over an emulated link in virtual time: the network of `nuwa bench`, with packets of "
        f"{PACKET_BYTES} bytes, mahimahi's lateness, and ACKs over the trace of the way back. With - alone: answer "
        "runs on standard input, one JSON object a line (cc/README.md).",
    )
    add = parser.add_argument
    delay, queue, loss = LIMITS.delay_ms, LIMITS.queue_packets, LIMITS.loss_ratio
    known = ", ".join(entry.name for entry in SCHEMES)
    add("schemes", nargs="+", metavar="SCHEME", help=f"each alone: {known}, {OMNISCIENT} (knows the link); or -")
    add("--link", default="lte-like", help="a name of `nuwa links`, a rate such as 24mbit, or a trace (%(default)s)")
    add("--seconds", type=seconds_up_to(MOST_SECONDS), default=30.0, help="simulated (default: %(default)g)")
    add(
        "--delay",
        type=number_within(delay.min, delay.max, "ms"),
        default=float(DELAY_MS),
        metavar="MS",
        help="each way (%(default)g)",
    )
    add(
        "--queue",
        type=whole_within(1, int(queue.max), "packets"),
        default=QUEUE_PACKETS,
        metavar="PACKETS",
        help="the queue's limit (default: %(default)s)",
    )
    add("--discipline", choices=DISCIPLINES, default=DROPTAIL, help="of the queue (default: %(default)s)")
    add(
        "--loss",
        type=number_within(loss.min, loss.max, "0.01 is one packet in a hundred"),
        default=0.0,
        metavar="RATIO",
    )
    presets = [entry.name for entry in PRESETS]
    add("--preset", choices=presets, default=DEFAULT_PRESET, help="the receiver's (default: %(default)s)")
    add("--seed", type=generator_seed, default=1, help="of all that is drawn at random (default: %(default)s)")
    add("--together", action="store_true", help="all schemes share the link")
    add("--qlog-dir", type=Path, metavar="DIRECTORY", help="write a qlog of both ends of each flow here")
    add("--json", action="store_true", help="print a JSON object of each run instead, as with -")
    add(
        "--traces",
        type=existing_folder,
        action="append",
        default=[],
        metavar="DIRECTORY",
        help="look for recorded traces here",
    )
    add_policies_option(parser)
    return parser
