"""`python -m transport serve DIRECTORY`, `receive URL`, `relay`, `links` and `trace NAME`."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
from pathlib import Path

from cc.receiver.presets import DEFAULT_PRESET, PRESETS, preset
from cc.registry import DEFAULT_SCHEME, SCHEMES, scheme
from transport.arguments import EXIT_USAGE, OneSentenceParser, http_url, origin, port
from transport.headless.client import MalformedUrlError
from transport.headless.receive import OnOff, ReceiveOptions, receive
from transport.media_server.certificate import LIFETIME
from transport.media_server.serve import serve
from transport.relay.command import USAGE_ERRORS, add_relay_commands, sentence

LOG_LEVELS = {"error": logging.ERROR, "warn": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 2 where what was asked for cannot be done."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        level=LOG_LEVELS[options.log_level], format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    if options.log_level != "debug":
        logging.getLogger("quic").setLevel(logging.WARNING)
    try:
        if options.command == "serve":
            asyncio.run(serve(options))
        elif options.command == "receive":
            asyncio.run(_receive(options))
        else:
            options.run(options)
    except (MalformedUrlError, *USAGE_ERRORS) as error:
        sys.stderr.write(f"transport {options.command}: {sentence(error)}\n")
        return EXIT_USAGE
    return 0


async def _receive(options: argparse.Namespace) -> None:
    report = await receive(
        ReceiveOptions(
            url=options.url,
            origin=options.origin,
            scheme=scheme(options.scheme),
            preset=preset(options.preset),
            seconds=options.seconds,
            begin_at_s=options.begin_at,
            interval_s=options.interval,
            source=None if options.on_off is None else OnOff(*options.on_off),
        )
    )
    text = json.dumps(report.as_json()) if options.json else report.as_text()
    sys.stdout.write(text + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = OneSentenceParser(prog="python -m transport", description="Media over WebTransport.")
    commands = parser.add_subparsers(dest="command", required=True)

    serving = commands.add_parser("serve", help="serve a packaged film")
    serving.add_argument("directory", type=Path, help="folder with the manifest and the segments")
    serving.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    serving.add_argument("--port", type=port, default=0, help="UDP port; 0 takes a free one (default: %(default)s)")
    serving.add_argument(
        "--origin",
        type=origin,
        action="append",
        required=True,
        help="page that may open sessions, as in http://localhost:8080; repeatable",
    )
    serving.add_argument(
        "--network-reports",
        type=http_url,
        metavar="URL",
        help="ask here once a second what the network's switches count, for schemes that listen (relay --report)",
    )
    serving.add_argument("--seed", type=int, metavar="N", help="of the dice that schemes throw, for experiments")
    serving.add_argument("--qlog-dir", type=Path, help="write a qlog for each connection here")
    serving.add_argument("--stop-with-stdin", action="store_true", help="end when standard input ends")
    serving.add_argument("--beat", action="store_true", help="say on standard output twice a second that it lives")
    serving.add_argument(
        "--address-file",
        type=Path,
        metavar="FILE",
        help="keep the server's address here, in JSON, for pages to fetch; removed at the end",
    )
    serving.add_argument(
        "--certificate-lifetime-s",
        type=_lifetime_s,
        default=LIFETIME.total_seconds(),
        help="a certificate is replaced a day before its end, a short-lived one at two thirds (default: 13 days)",
    )

    download = commands.add_parser("receive", help="download without a browser and say what the link gave")
    download.add_argument("url", help="the server, as in https://127.0.0.1:4433")
    download.add_argument(
        "--origin", type=origin, default="http://localhost:8080", help="Origin to claim (default: %(default)s)"
    )
    download.add_argument("--scheme", choices=[entry.name for entry in SCHEMES], default=DEFAULT_SCHEME)
    download.add_argument("--preset", choices=[entry.name for entry in PRESETS], default=DEFAULT_PRESET)
    download.add_argument("--seconds", type=_seconds, default=10.0, help="how long (default: %(default)s)")
    download.add_argument("--json", action="store_true", help="print one line of JSON")
    download.add_argument("--begin-at", type=float, metavar="EPOCH_S", help="open the session now, ask for data then")
    download.add_argument("--interval", type=_seconds, metavar="S", help="add what each stretch of this length brought")
    download.add_argument(
        "--on-off", type=_on_off, metavar="BYTES/S", help="download so many bytes, pause so long, and again"
    )

    add_relay_commands(commands)
    for command in commands.choices.values():
        command.add_argument("--log-level", choices=list(LOG_LEVELS), default="info")
    return parser


def _seconds(text: str) -> float:
    return _number_of_seconds(text, largest=86_400)


def _on_off(text: str) -> tuple[int, float]:
    on_bytes, _, off_s = text.partition("/")
    if not on_bytes.isdigit() or int(on_bytes) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form BYTES/SECONDS, as in 500000/2")
    return int(on_bytes), _seconds(off_s)


def _lifetime_s(text: str) -> float:
    return _number_of_seconds(text, largest=LIFETIME.total_seconds())


def _number_of_seconds(text: str, *, largest: float) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= largest:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from above 0 to {largest:.0f}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
