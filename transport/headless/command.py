"""`receive`: download without a browser. aioquic is imported once the options are understood."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, MOST_SECONDS, OneSentenceParser, origin, seconds_up_to
from cc.receiver.presets import DEFAULT_PRESET, PRESETS, preset
from cc.registry import DEFAULT_SCHEME, SCHEMES, scheme
from transport.command_options import DEFAULT_ORIGIN, add_log_level, log_to_stderr, sentence
from transport.windows import refuse_windows

SECONDS = 10.0
_seconds = seconds_up_to(MOST_SECONDS)


def main(arguments: Sequence[str], *, prog: str = "nuwa receive") -> int:
    """Download, and print the report; 2 where no server answers."""
    refuse_windows(prog)
    options = _parser(prog).parse_args(arguments)
    log_to_stderr(options.log_level)
    from transport.headless.client import MalformedUrlError  # noqa: PLC0415 - help needs no aioquic

    try:
        text = asyncio.run(_report(options))
    except (MalformedUrlError, OSError) as error:
        sys.stderr.write(f"{prog}: {sentence(error)}\n")
        return EXIT_USAGE
    sys.stdout.write(text + "\n")
    return 0


async def _report(options: argparse.Namespace) -> str:
    from transport.headless.receive import OnOff, ReceiveOptions, receive  # noqa: PLC0415

    report = await receive(
        ReceiveOptions(
            url=options.url,
            origin=options.origin,
            token=options.token,
            scheme=scheme(options.scheme),
            preset=preset(options.preset),
            seconds=options.seconds,
            begin_at_s=options.begin_at,
            interval_s=options.interval,
            source=None if options.on_off is None else OnOff(*options.on_off),
            qlog_directory=options.qlog_dir,
        )
    )
    return json.dumps(report.as_json()) if options.json else report.as_text()


def _parser(prog: str) -> OneSentenceParser:
    parser = OneSentenceParser(prog=prog, description="Download without a browser and say what the link gave.")
    add = parser.add_argument
    add("url", metavar="URL", help="the server, as in https://127.0.0.1:4433")
    add("--origin", type=origin, default=DEFAULT_ORIGIN, help="Origin to claim (default: %(default)s)")
    add("--token", help="that opens the session, where the server asks for one (nuwa session-token)")
    add("--scheme", choices=[entry.name for entry in SCHEMES], default=DEFAULT_SCHEME, help="default: %(default)s")
    add("--preset", choices=[entry.name for entry in PRESETS], default=DEFAULT_PRESET, help="default: %(default)s")
    add("--seconds", type=_seconds, default=SECONDS, help="how long (default: %(default)g)")
    add("--json", action="store_true", help="print one line of JSON")
    add("--begin-at", type=float, metavar="EPOCH_S", help="open the session now, ask for data then")
    add("--interval", type=_seconds, metavar="S", help="add what each stretch of this length brought")
    add("--qlog-dir", type=Path, help="write a qlog of what the receiver measures and asks for here")
    add("--on-off", type=_on_off, metavar="BYTES/S", help="download so many bytes, pause so long, and again")
    add_log_level(parser)
    return parser


def _on_off(text: str) -> tuple[int, float]:
    on_bytes, _, off_s = text.partition("/")
    if not on_bytes.isdecimal() or int(on_bytes) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form BYTES/SECONDS, as in 500000/2")
    return int(on_bytes), _seconds(off_s)
