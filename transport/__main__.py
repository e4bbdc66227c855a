"""`python -m transport serve DIRECTORY` and `python -m transport receive URL`."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import NoReturn

from cc.presets import DEFAULT_PRESET, PRESETS, preset
from cc.registry import DEFAULT_SCHEME, SCHEMES, scheme
from transport.client import MalformedUrlError
from transport.receive import receive
from transport.server import ServerOptions, start_server

EXIT_USAGE = 2
LOG_LEVELS = {"error": logging.ERROR, "warn": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the exit code is 2 where what was asked for cannot be done."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        level=LOG_LEVELS[options.log_level], format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    if options.log_level != "debug":
        logging.getLogger("quic").setLevel(logging.WARNING)
    run = _serve if options.command == "serve" else _receive
    try:
        asyncio.run(run(options))
    except (OSError, MalformedUrlError) as error:
        sys.stderr.write(f"transport {options.command}: {error}\n")
        return EXIT_USAGE
    return 0


async def _serve(options: argparse.Namespace) -> None:
    server = await start_server(
        ServerOptions(
            directory=options.directory,
            host=options.host,
            port=options.port,
            origins=frozenset(options.origin),
            qlog_directory=options.qlog_dir,
        )
    )
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    if options.stop_with_stdin:
        threading.Thread(target=_wait_for_end_of_stdin, args=(loop, stopping), daemon=True).start()
    ready = {
        "event": "ready",
        "host": options.host,
        "port": server.port,
        "certificate_sha256": [server.certificate.sha256_base64],
        "certificate_not_after": server.certificate.not_after.isoformat().replace("+00:00", "Z"),
    }
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()
    await stopping.wait()
    await server.stop()


def _wait_for_end_of_stdin(loop: asyncio.AbstractEventLoop, stopping: asyncio.Event) -> None:
    # os.read, not sys.stdin: a thread that holds the buffer's lock makes the interpreter's end fail
    while os.read(sys.stdin.fileno(), 4096):
        pass
    loop.call_soon_threadsafe(stopping.set)


async def _receive(options: argparse.Namespace) -> None:
    report = await receive(
        url=options.url,
        origin=options.origin,
        scheme=scheme(options.scheme),
        preset=preset(options.preset),
        seconds=options.seconds,
    )
    text = json.dumps(report.as_json(), indent=2) if options.json else report.as_text()
    sys.stdout.write(text + "\n")


class _OneSentenceParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"{self.prog}: {message}; see {self.prog} --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _OneSentenceParser(prog="python -m transport", description="Media over WebTransport.")
    commands = parser.add_subparsers(dest="command", required=True)

    serve = commands.add_parser("serve", help="serve a packaged film")
    serve.add_argument("directory", type=Path, help="folder with the manifest and the segments")
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    serve.add_argument("--port", type=_port, default=0, help="UDP port; 0 takes a free one (default: %(default)s)")
    serve.add_argument(
        "--origin",
        action="append",
        required=True,
        help="page that may open sessions, as in http://localhost:8080; repeatable",
    )
    serve.add_argument("--qlog-dir", type=Path, help="write a qlog for each connection here")
    serve.add_argument("--stop-with-stdin", action="store_true", help="end when standard input ends")

    download = commands.add_parser("receive", help="download without a browser and say what the link gave")
    download.add_argument("url", help="the server, as in https://127.0.0.1:4433")
    download.add_argument("--origin", default="http://localhost:8080", help="Origin to claim (default: %(default)s)")
    download.add_argument("--scheme", choices=[entry.name for entry in SCHEMES], default=DEFAULT_SCHEME)
    download.add_argument("--preset", choices=[entry.name for entry in PRESETS], default=DEFAULT_PRESET)
    download.add_argument("--seconds", type=_seconds, default=10.0, help="how long (default: %(default)s)")
    download.add_argument("--json", action="store_true", help="print JSON")

    for command in (serve, download):
        command.add_argument("--log-level", choices=list(LOG_LEVELS), default="info")
    return parser


def _port(text: str) -> int:
    if not text.isdigit() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from above 0 to 86400")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
