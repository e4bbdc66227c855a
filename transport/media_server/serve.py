"""`serve` in one process: a media server until it is asked to stop."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import functools
import logging
import os
import signal
import sys
import time
from collections.abc import Sequence

from transport.media_server.address_file import LATENESS_DIGITS, AddressFile, WorkerAddress, address_url
from transport.media_server.admission.limits import DEFAULT_LIMITS
from transport.media_server.advice import advice
from transport.media_server.announcements import BEAT_INTERVAL_S, Announcer
from transport.media_server.certificate import Certificate, hashes_of
from transport.media_server.certificate_files import CertificatePaths
from transport.media_server.garbage import look_for_cycles_seldom
from transport.media_server.line_limit import LineLimit
from transport.media_server.load import Load
from transport.media_server.orders import Order, listen_to_stdin
from transport.media_server.plain_scheme import plain_scheme
from transport.media_server.process_metrics import ProcessMetrics
from transport.media_server.rate_limits import RateLimits
from transport.media_server.reset_key import reset_key
from transport.media_server.self_check import SelfCheckResult
from transport.media_server.server import MediaServer, start_server
from transport.media_server.server_options import ServerOptions
from transport.media_server.session_key import SessionKey, read_session_key
from transport.media_server.watch_list import WatchNews
from transport.media_server.workers.shared_port import Share
from transport.policies import PolicyReport
from transport.udp.socket import bind

EXIT_FAULT = 1
"""A part of the server has ended: whoever supervises it starts another."""

logger = logging.getLogger(__name__)


def _certificate_files(options: argparse.Namespace) -> CertificatePaths | None:
    return None if options.certificate is None else CertificatePaths(options.certificate, options.key)


def _session_key(options: argparse.Namespace) -> SessionKey | None:
    return None if options.session_key is None else SessionKey(read_session_key(options.session_key))


async def serve(options: argparse.Namespace) -> int:
    """Serve until a signal or the end of standard input; the exit code.

    Raises OSError or ValueError where that cannot begin.
    """
    for handler in logging.getLogger().handlers:
        handler.addFilter(LineLimit(time.monotonic))
    share: Share | None = options.port_share
    server = await start_server(
        ServerOptions(
            directory=options.directory,
            mounts=options.mount,
            host=options.host,
            port=options.port,
            origins=frozenset(options.origin),
            qlog_directory=options.qlog_dir,
            certificate_files=_certificate_files(options),
            certificate_lifetime=datetime.timedelta(seconds=options.certificate_lifetime_s),
            network_reports=options.network_reports,
            rate_limits=RateLimits(session_mbit=options.session_rate_mbit, total_mbit=options.total_rate_mbit),
            all_in_flight_bytes=options.in_flight_mib * 2**20,
            seed=options.seed,
            most_datagram_bytes=options.max_datagram_bytes,
            reset_key=reset_key(os.environ),
            schemes=options.schemes,
            session_key=_session_key(options),
            plain_scheme=None if options.http3 is None else plain_scheme(options.http3),
            limits=DEFAULT_LIMITS.with_sessions_per_prefix(options.sessions_per_address),
            name_id=bytes if share is None else share.name_id,
        ),
        open_socket=bind if share is None else share.open_socket,
    )
    try:
        served = _Served(server, options)
        try:
            return await served.until_stopped()
        finally:
            served.close()
    finally:
        await server.stop()


class _Served:
    """What a running server tells of itself, and to whom it listens."""

    def __init__(self, server: MediaServer, options: argparse.Namespace) -> None:
        """Raises OSError where the address cannot be written, or metrics not be told."""
        self._server = server
        self._options = options
        self._load = Load()
        self._announcer = Announcer(sys.stdout)
        self._url = address_url(options.host, server.port)
        self._is_certificate_told = True
        self._has_fault = False
        self._file = None if options.address_file is None else AddressFile(options.address_file)
        self._metrics = ProcessMetrics(server, options)
        self._learn = server.share_watch_list(self._announcer.watch if options.worker is not None else _tell_nobody)
        if self._file is not None:
            self._file.write([self._address()])

    async def until_stopped(self) -> int:
        """Until a signal, the end of standard input, or the end of a part of the server; the exit code."""
        server, options, announcer = self._server, self._options, self._announcer
        stopping = self._stopping()
        server.certificates.on_change = self._on_certificates
        server.on_fault = functools.partial(self._on_fault, stopping)
        server.tell_of_policies(self._on_policy)
        certificates = server.certificates.announced
        announcer.ready(host=options.host, port=server.port, certificates=certificates, metrics_port=self._metrics.port)
        if not options.stop_with_stdin:
            logger.info(advice(options, self._url))
        if options.self_check or options.metrics_port is not None:
            server.check_itself(self._url, origin=options.origin[0], observer=self._on_newcomer)
        watching = server.keep_running(self._watch_load())
        look_for_cycles_seldom()
        await stopping.wait()
        announcer.stopping(server.lateness.summary())
        watching.cancel()
        return EXIT_FAULT if self._has_fault else 0

    def close(self) -> None:
        """Tell nothing any more."""
        if self._file is not None:
            self._file.remove()
        self._metrics.close()

    def _stopping(self) -> asyncio.Event:
        """Set when the server is asked to stop."""
        stopping = asyncio.Event()
        loop = asyncio.get_running_loop()
        is_worker = self._options.worker is not None
        if is_worker:  # a terminal interrupts the whole group: its parent ends it
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        for number in (signal.SIGTERM,) if is_worker else (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stopping.set)
        loop.add_signal_handler(signal.SIGUSR1, self._server.certificates.rotate)
        if self._options.stop_with_stdin:
            listen_to_stdin(self._obey if is_worker else None, stopping.set)
        return stopping

    def _obey(self, order: Order) -> None:
        match order["order"]:
            case "watch":
                self._learn(WatchNews(order["host"], order["port"]))
            case "total-rate":
                self._server.limit_total_rate(order["mbit"])
            case "metrics":
                self._announcer.metrics(self._metrics.as_text())

    def _on_fault(self, stopping: asyncio.Event) -> None:
        self._has_fault = True
        stopping.set()

    def _on_certificates(self, certificates: Sequence[Certificate]) -> None:
        self._keep_address()
        self._is_certificate_told = self._announcer.certificates(certificates)

    def _on_policy(self, report: PolicyReport) -> None:
        self._metrics.on_policy_report(report)
        self._announcer.policy(report)

    def _on_newcomer(self, result: SelfCheckResult) -> None:
        self._metrics.on_self_check(result)
        if self._options.self_check:
            self._announcer.newcomers(result)

    async def _watch_load(self) -> None:
        """Twice a second: tell what there is to do, and that the loop turns."""
        is_heard = self._options.beat
        while True:
            await asyncio.sleep(BEAT_INTERVAL_S)
            self._load = self._server.load()
            self._metrics.on_beat(self._load)
            self._keep_address()
            if not self._is_certificate_told:  # a reader that stood still has missed it
                self._is_certificate_told = self._announcer.certificates(self._server.certificates.announced)
            is_heard = is_heard and self._announcer.beat(self._load)

    def _keep_address(self) -> None:
        if self._file is not None:
            self._file.keep([self._address()])

    def _address(self) -> WorkerAddress:
        url = address_url(self._options.public_host or self._options.host, self._server.port)
        announced = self._server.certificates.announced
        return WorkerAddress(
            url,
            tuple(hashes_of(announced)),
            announced[0].not_after_text,
            self._load.sessions,
            round(self._load.lateness_s, LATENESS_DIGITS),
        )


def _tell_nobody(news: WatchNews) -> None:
    """There is only this process."""
