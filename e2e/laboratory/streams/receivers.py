"""Headless receivers side by side, as a process of their own: `python receivers.py --url URL [--url URL ...]`.

It imports nothing but transport/ and cc/, in the shape that they have had for long: run as a file it measures with the
receivers of whichever clone PYTHONPATH names. It says `ready`, is told when to begin (seconds since the Unix epoch) and
gives a line of JSON with a report for each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence

from cc.receiver.presets import preset
from cc.registry import scheme
from transport.headless.receive import OnOff, ReceiveOptions, ReceiveReport, receive


def main(arguments: Sequence[str] | None = None) -> int:
    """Downloads for a while."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", action="append", required=True)
    parser.add_argument("--scheme", required=True)
    parser.add_argument("--preset", required=True)
    options = begun(parser, arguments)
    reports = asyncio.run(_receive_all(options))
    sys.stdout.write(json.dumps([report.as_json() for report in reports]) + "\n")
    return 0


def begun(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """With the options that every client has, and `begin_at`, which it is told once it has said that it is ready."""
    parser.add_argument("--origin", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--interval", type=float, required=True)
    parser.add_argument(
        "--request-bytes", type=int, help="ask for so many at a time (default: one request without end)"
    )
    options = parser.parse_args(arguments)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    options.begin_at = float(sys.stdin.readline())
    return options


async def _receive_all(options: argparse.Namespace) -> list[ReceiveReport]:
    return await asyncio.gather(
        *(
            receive(
                ReceiveOptions(
                    url=url,
                    origin=options.origin,
                    scheme=scheme(options.scheme),
                    preset=preset(options.preset),
                    seconds=options.seconds,
                    begin_at_s=options.begin_at,
                    interval_s=options.interval,
                    source=None if options.request_bytes is None else OnOff(options.request_bytes, off_s=0.0),
                )
            )
            for url in options.url
        )
    )


if __name__ == "__main__":
    sys.exit(main())
