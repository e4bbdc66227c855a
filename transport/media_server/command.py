"""`serve`: a packaged film over WebTransport. aioquic is imported once the options are understood."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from cc.command_line.arguments import (
    EXIT_USAGE,
    OneSentenceParser,
    http_url,
    number_within,
    origin,
    port,
    seconds_up_to,
    whole_within,
)
from cc.command_line.cores import usable_cores
from transport.aioquic_adapter.size_search import BASE_BYTES, MOST_BYTES
from transport.command_options import DEFAULT_ORIGIN, add_log_level, log_to_stderr, sentence
from transport.media_server.admission.limits import DEFAULT_LIMITS
from transport.media_server.in_flight_limit import ALL_IN_FLIGHT_LIMIT_BYTES
from transport.media_server.lifetime import LIFETIME
from transport.media_server.mounts import mount
from transport.media_server.offered_schemes import offered_schemes
from transport.media_server.option_limits import IN_FLIGHT_MIB, RATE_LIMITS_MBIT, WORKERS
from transport.media_server.workers.shared_port import CAN_SHARE, Share

EXIT_INTERRUPTED = 128 + signal.SIGINT
"""As shells have it."""
WORKERS_PACKAGES = ("aioquic", "cryptography")


def main(arguments: Sequence[str], *, prog: str) -> int:
    """Serve until it is stopped; 2 where that cannot begin."""
    parser = _parser(prog)
    options = parser.parse_args(arguments)
    options.origin = options.origin or [DEFAULT_ORIGIN]
    if (options.certificate is None) != (options.key is None):
        parser.error("--certificate and --key go together")
    if options.http3 is not None and options.session_key is not None:
        parser.error("--http3 and --session-key exclude each other: a plain GET brings no token")
    if options.shared_port and not CAN_SHARE:
        parser.error("--shared-port works on Linux alone: leave it out, and each worker has a port of its own")
    options.workers = options.workers or min(WORKERS[1], usable_cores())
    if options.worker is not None:
        prog = "nuwa serve"  # what people typed who read the sentence of a parent's child
    log_to_stderr(options.log_level, who="" if options.worker is None else f"worker {options.worker}: ")
    try:
        return asyncio.run(_serve(options))
    except KeyboardInterrupt:  # before it listened to that
        return EXIT_INTERRUPTED
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{prog}: {sentence(error)}\n")
        return EXIT_USAGE


async def _serve(options: argparse.Namespace) -> int:
    if options.workers > 1:
        _require_packages()
        from transport.media_server.workers.parent import serve_by_workers  # noqa: PLC0415 - help needs neither

        return await serve_by_workers(options)
    from transport.media_server.orders import is_told_to_begin  # noqa: PLC0415 - nor does a parent need aioquic
    from transport.media_server.serve import serve  # noqa: PLC0415

    if options.worker is None or is_told_to_begin():
        return await serve(options)
    return 0


def _require_packages() -> None:
    """Raises ModuleNotFoundError: a parent imports none of them, and would hear of it from each worker."""
    for package in WORKERS_PACKAGES:
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)


def _parser(prog: str) -> OneSentenceParser:
    parser = OneSentenceParser(prog=prog, description="Serve the files of a DASH presentation over WebTransport.")
    _add_films(parser)
    _add_listening(parser)
    _add_workers(parser)
    _add_certificates(parser)
    _add_limits(parser)
    _add_watching(parser)
    _add_running(parser)
    add_log_level(parser)
    return parser


def _add_films(parser: OneSentenceParser) -> None:
    """What is served."""
    add = parser.add_argument
    add("directory", type=Path, metavar="FOLDER", help="with the manifest and the segments")
    add(
        "--mount",
        type=mount,
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="serve the media files of another folder, too, below NAME/; repeatable",
    )


def _add_listening(parser: OneSentenceParser) -> None:
    """Where it listens, to whom, and how pages find it."""
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    add(
        "--port",
        type=port,
        default=0,
        help="UDP port, and of further workers those that follow it unless they share it; 0 takes free ones "
        "(default: %(default)s)",
    )
    add(
        "--public-host",
        metavar="NAME",
        help="what the address file calls this machine, or a balancer in front of it (default: --host)",
    )
    add(
        "--address-file",
        type=Path,
        metavar="FILE",
        help="keep the workers' addresses here, in JSON, for pages to fetch; removed at the end",
    )
    add(
        "--origin",
        type=origin,
        action="append",
        help=f"page that may open sessions; repeatable (default: {DEFAULT_ORIGIN})",
    )
    add(
        "--session-key",
        type=Path,
        metavar="FILE",
        help="open sessions for those alone who have a token of this key (nuwa session-token)",
    )
    add(
        "--schemes",
        type=offered_schemes,
        metavar="LIST",
        help="schemes that clients may ask for, such as kuafu,nuwa,cubic (default: all)",
    )
    add(
        "--http3",
        metavar="SCHEME",
        help="answer plain GETs, too, under this sender's scheme: any player's, with CMSD (etp, rtt)",
    )


def _add_workers(parser: OneSentenceParser) -> None:
    """By which processes."""
    add = parser.add_argument
    add(
        "--workers",
        type=whole_within(*WORKERS, "processes"),
        metavar="N",
        help="processes that share the work, each with a certificate, and a port unless they share one; limits on "
        "connections, sessions and memory are for each (default: the cores)",
    )
    add(
        "--shared-port",
        action="store_true",
        help="one UDP port for all workers, on Linux: connection IDs name the worker, and newcomers come to any",
    )
    add("--worker", type=int, help=argparse.SUPPRESS)  # its number; it takes orders on standard input
    add("--port-share", type=Share.parse, help=argparse.SUPPRESS)  # what its parent has for it
    add("--measure", action="store_true", help=argparse.SUPPRESS)  # a worker's metrics are asked for by an order


def _add_certificates(parser: OneSentenceParser) -> None:
    """With which certificate."""
    add = parser.add_argument
    for option, what in (("certificate", "one with its issuers' behind it"), ("key", "its key")):
        add(
            f"--{option}",
            type=Path,
            metavar="FILE",
            help=f"{what}, in PEM form, for browsers that trust it by its issuer; read again when it changes",
        )
    add(
        "--certificate-lifetime-s",
        type=seconds_up_to(LIFETIME.total_seconds()),
        default=LIFETIME.total_seconds(),
        metavar="S",
        help=f"a certificate is replaced a day before its end, a short-lived one at two thirds "
        f"(default: {LIFETIME.days} days)",
    )


def _add_limits(parser: OneSentenceParser) -> None:
    """How much at most."""
    add = parser.add_argument
    for option, of in (("session", "one session"), ("total", "all sessions of all workers together")):
        add(
            f"--{option}-rate-mbit",
            type=number_within(*RATE_LIMITS_MBIT, "Mbit/s"),
            metavar="R",
            help=f"send no faster than this to {of} (default: no limit)",
        )
    add(
        "--in-flight-mib",
        type=whole_within(*IN_FLIGHT_MIB, "MiB"),
        default=ALL_IN_FLIGHT_LIMIT_BYTES // 2**20,
        metavar="N",
        help="for all sessions of a worker together, keep no more that was sent and is not acknowledged; give "
        "more where many watch over long or fast paths (default: %(default)s)",
    )
    add(
        "--max-datagram-bytes",
        type=whole_within(BASE_BYTES, MOST_BYTES, "bytes"),
        default=MOST_BYTES,
        metavar="N",
        help="send datagrams of up to this many bytes where a path is found to carry them (default: %(default)s); "
        f"{BASE_BYTES} looks for no more",
    )
    add(
        "--sessions-per-address",
        type=whole_within(1, DEFAULT_LIMITS.sessions.total, "sessions"),
        default=DEFAULT_LIMITS.sessions.per_prefix,
        metavar="N",
        help="of one client's address, for each worker; more where a balancer hides addresses (default: %(default)s)",
    )


def _add_watching(parser: OneSentenceParser) -> None:
    """What it tells of itself, and hears of the network."""
    add = parser.add_argument
    add(
        "--network-reports",
        type=http_url,
        metavar="URL",
        help="ask here once a second what the network's switches count, for schemes that listen (relay --report)",
    )
    add("--qlog-dir", type=Path, help="write a qlog for each connection here")
    add(
        "--metrics-port",
        type=port,
        metavar="PORT",
        help="answer GET /metrics, for Prometheus, and GET /healthz on this TCP port; 0 takes a free one",
    )
    add("--metrics-host", default="127.0.0.1", help="address of that port (default: %(default)s)")
    add("--beat", action="store_true", help="say on standard output twice a second that it lives")
    add("--self-check", action="store_true", help="say on standard output every 10 s whether a new session opens")


def _add_running(parser: OneSentenceParser) -> None:
    """How it draws, and when it ends."""
    add = parser.add_argument
    add(
        "--seed",
        type=int,
        metavar="N",
        help="of the random numbers that schemes draw, for experiments with --workers 1",
    )
    add("--stop-with-stdin", action="store_true", help="end when standard input ends")
