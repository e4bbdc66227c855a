"""`serve`: a media server until it is asked to stop."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence

from transport.media_server.address_file import AddressFile
from transport.media_server.admission.resets import KEY_BYTES
from transport.media_server.announcements import Announcer
from transport.media_server.certificate import Certificate
from transport.media_server.line_limit import LineLimit
from transport.media_server.rate_limits import RateLimits
from transport.media_server.server import MediaServer, ServerOptions, start_server

RESET_KEY_VARIABLE = "NUWA_RESET_KEY"  # not an option: every user of the machine sees those
LOOPBACK_OF_WILDCARD = {"0.0.0.0": "127.0.0.1", "::": "::1"}

logger = logging.getLogger(__name__)


def _reset_key(text: str | None) -> bytes | None:
    """Raises ValueError for what is no key."""
    if text is None:
        return None
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise ValueError(f"{RESET_KEY_VARIABLE} has to be {2 * KEY_BYTES} hexadecimal digits")
    return key


async def serve(options: argparse.Namespace) -> None:
    """Serve until a signal or the end of standard input; raises OSError or ValueError where that cannot begin."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(LineLimit(time.monotonic))
    server = await start_server(
        ServerOptions(
            directory=options.directory,
            host=options.host,
            port=options.port,
            origins=frozenset(options.origin),
            qlog_directory=options.qlog_dir,
            certificate_lifetime=datetime.timedelta(seconds=options.certificate_lifetime_s),
            network_reports=options.network_reports,
            rate_limits=RateLimits(session_mbit=options.session_rate_mbit, total_mbit=options.total_rate_mbit),
            seed=options.seed,
            reset_key=_reset_key(os.environ.get(RESET_KEY_VARIABLE)),
        )
    )
    url = _url(options.host, server.port)
    address_file = None if options.address_file is None else AddressFile(options.address_file, url)
    try:
        if address_file is not None:
            address_file.write(server.certificates)
        await _announce_until_stopped(server, options, address_file)
    finally:
        if address_file is not None:
            address_file.remove()
        await server.stop()


async def _announce_until_stopped(
    server: MediaServer, options: argparse.Namespace, address_file: AddressFile | None
) -> None:
    announcer = Announcer(sys.stdout)

    def announce(certificates: Sequence[Certificate]) -> None:
        if address_file is not None:
            address_file.rewrite(certificates)
        announcer.certificates(certificates)

    server.on_certificates = announce
    server.tell_of_policies(announcer.policy)
    stopping = _stopping(server, with_stdin=options.stop_with_stdin)
    server.on_fault = stopping.set  # whoever supervises it starts another
    announcer.ready(host=options.host, port=server.port, certificates=server.certificates)
    if not options.stop_with_stdin:
        logger.info(_advice(options, _url(options.host, server.port)))
    beating = asyncio.create_task(announcer.beat()) if options.beat else None
    if options.self_check:
        url = _url(options.host, server.port)
        server.check_itself(url, origin=options.origin[0], observer=announcer.newcomers)
    await stopping.wait()
    announcer.stopping()
    if beating is not None:
        beating.cancel()


def _stopping(server: MediaServer, *, with_stdin: bool) -> asyncio.Event:
    """Set when the server is asked to stop."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    loop.add_signal_handler(signal.SIGUSR1, server.rotate_certificate)
    if with_stdin:
        threading.Thread(target=_wait_for_end_of_stdin, args=(loop, stopping), daemon=True).start()
    return stopping


def _wait_for_end_of_stdin(loop: asyncio.AbstractEventLoop, stopping: asyncio.Event) -> None:
    # os.read, not sys.stdin: a thread that holds the buffer's lock makes the interpreter's end fail
    while os.read(sys.stdin.fileno(), 4096):
        pass
    loop.call_soon_threadsafe(stopping.set)


def _advice(options: argparse.Namespace, url: str) -> str:
    """What whoever started the server by hand does next."""
    pages = " and ".join(options.origin)
    if options.address_file is not None:
        return (
            f"media server at {url} for pages of {pages}: give attachNuwa, as its `server`, the URL under which "
            f"your web server serves {options.address_file}"
        )
    return (
        f"media server at {url} for pages of {pages}: start it with --address-file FILE, in a folder that your web "
        "server serves, and give attachNuwa that file's URL as its `server`"
    )


def _url(host: str, port: int) -> str:
    name = LOOPBACK_OF_WILDCARD.get(host, host)
    return f"https://[{name}]:{port}" if ":" in name else f"https://{name}:{port}"
