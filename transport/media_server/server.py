"""The media server: a socket, a certificate, and connections until it is told to stop."""

from __future__ import annotations

import asyncio
import datetime
import functools
import itertools
import logging
import random
import socket
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING

from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.packet import QuicErrorCode

from cc.core.lateness import Lateness
from cc.core.network_report import NetworkReport
from transport.aioquic_adapter.peer_limits import PEER_DATA_WINDOW_BYTES, PEER_STREAM_LIMIT_BYTES
from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.aioquic_adapter.qlog import ConnectionQlogs
from transport.aioquic_adapter.size_search import BASE_BYTES
from transport.loop_lateness import LoopLateness
from transport.media_server import flight_shares, memory_watch, work_shares
from transport.media_server.admission.lateness_gate import LatenessGate
from transport.media_server.batched_server import BatchedServer
from transport.media_server.certificate_files import CertificateFiles
from transport.media_server.certificate_rotation import CertificateRotation
from transport.media_server.certificates_in_service import CertificatesInService
from transport.media_server.content import ServedFolder
from transport.media_server.door import Door
from transport.media_server.endpoint import UdpEndpoint
from transport.media_server.hosts import is_loopback
from transport.media_server.load import Load
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.mounts import folders_in_words
from transport.media_server.network_reports import NetworkReports
from transport.media_server.offered_schemes import load_slow_modules
from transport.media_server.path_records import PathRecords
from transport.media_server.rate_limits import NO_DEMAND, RateShares
from transport.media_server.self_check import SelfCheck, SelfCheckResult
from transport.media_server.server_options import ServerOptions
from transport.media_server.service import Service
from transport.media_server.watch_list import WatchList, WatchNews
from transport.policies import PolicyReport, PolicyShelf
from transport.udp.fragments import CAN_FORBID_FRAGMENTS
from transport.udp.socket import bind, buffer_problem

if TYPE_CHECKING:
    from transport.media_server.server_metrics import ServerMetrics

MAX_DATAGRAM_FRAME_BYTES = 65_536
IDLE_TIMEOUT_S = 30.0

logger = logging.getLogger(__name__)


def connection_generators(seed: int | None) -> Callable[[], random.Random]:
    """Makes each connection's, in the order in which they come; named as the simulation names its flows'."""
    if seed is None:
        of_the_system = random.SystemRandom()  # has no state: one is enough, and nobody foretells what it gives
        return lambda: of_the_system
    numbers = itertools.count()
    return lambda: random.Random(f"{seed} flow {next(numbers)}")


def utc_now() -> datetime.datetime:
    """The time of day that certificates are held against."""
    return datetime.datetime.now(datetime.UTC)


BUSY_LATE_S, BUSY_FLIGHT_PACKETS = 0.02, 48
"""While the loop is so late, no session sends more at a time: the others wait for their turns meanwhile, and those with
small windows would get fewer of them."""


class MediaServer:
    """A running server."""

    def __init__(
        self,
        endpoint: UdpEndpoint,
        server: BatchedServer,
        *,
        service: Service,
        certificates: CertificatesInService,
    ) -> None:
        self._endpoint = endpoint
        self._server = server
        self._service = service
        self.certificates = certificates
        self.on_fault: Callable[[], None] = lambda: None
        """Called when a part of the server has ended that should not: it is better started anew."""
        self._tasks: list[asyncio.Task[None]] = []
        self._watch = LoopLateness(is_busy=lambda: service.door.admission.connections > 0, on_wake=self._on_wake)
        service.most_packets = self._most_packets
        self.keep_running(certificates.run())
        self.keep_running(memory_watch.watch(lambda: server.connections))
        self.keep_running(flight_shares.watch(lambda: server.connections, total_bytes=service.all_in_flight_bytes))
        self.keep_running(work_shares.watch(lambda: server.connections))

    @property
    def port(self) -> int:
        """The bound UDP port."""
        return int(self._endpoint.address[1])

    def _most_packets(self) -> int | None:
        return BUSY_FLIGHT_PACKETS if self.lateness.latest_s > BUSY_LATE_S else None

    @property
    def lateness(self) -> Lateness:
        """How late the event loop wakes: what a server does late looks like a slow network to its viewers."""
        return self._watch.lateness

    @property
    def lateness_gate(self) -> LatenessGate:
        """Shut while the loop is so late that there are no more sessions."""
        return self._service.door.lateness_gate

    def _on_wake(self, now_s: float) -> None:
        self.lateness_gate.watch(self.lateness.median_s, now_s=now_s)

    @property
    def connections(self) -> Sequence[BatchedProtocol]:
        """Those that have not been forgotten yet."""
        return list(self._server.connections)

    def load(self) -> Load:
        """How much it has to do now."""
        rates = self._service.rates
        demand = NO_DEMAND if rates is None else rates.demand(now_s=asyncio.get_running_loop().time())
        return Load(sessions=len(self._service.sessions), lateness_s=self.lateness.p99_s, demand=demand)

    def measure(self, worker: str) -> ServerMetrics:
        """Metrics of this process, which others know by that name."""
        from transport.media_server.server_metrics import ServerMetrics  # noqa: PLC0415 - few servers are measured

        return ServerMetrics(
            worker,
            self._service,
            self._endpoint,
            lambda: self._server.connections,
            lambda: self.certificates.announced[0],
        )

    def share_watch_list(self, tell: Callable[[WatchNews], None]) -> Callable[[WatchNews], None]:
        """Tell others whom to watch; what is returned takes what they tell."""
        self._service.watch_list.on_news = tell
        return self._service.watch_list.learn

    def limit_total_rate(self, mbit: float) -> None:
        """What all sessions of this process together are sent at most from now on."""
        if self._service.rates is not None:
            self._service.rates.set_total(mbit)

    async def stop(self) -> None:
        """End every connection, with a last word to each peer, and close the socket; logs are written out.

        No closing period is waited for: aioquic repeats nothing in it, and a successor is waited for.
        """
        for task in self._tasks:
            task.cancel()
        self._watch.stop()
        self._service.door.close()
        for connection in self._server.connections:
            connection.dismiss("the server ends", error_code=QuicErrorCode.NO_ERROR)
        self._server.close()
        for policy in list(self._service.deciding):
            self._service.end_policy(policy)

    def tell_of_policies(self, observer: Callable[[PolicyReport], None]) -> None:
        """Tell what became of a learned scheme's decisions, whenever a session with one is over."""
        self._service.on_policy_report = observer

    def listen_to(self, url: str) -> None:
        """Ask that agent of the network, and hand what it tells to the schemes that listen, until the server stops."""
        self.keep_running(NetworkReports(url, self._on_network_report).run())

    def _on_network_report(self, report: NetworkReport) -> None:
        for connection in self._server.connections:
            connection.on_network_report(report)

    def check_itself(self, url: str, *, origin: str, observer: Callable[[SelfCheckResult], None]) -> None:
        """Tell again and again whether a newcomer gets in at `https://HOST:PORT`, until it stops."""
        self.keep_running(self._service.self_check.run(url, origin=origin, on_result=observer))

    def keep_running(self, part: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run a part of the server until it stops; its end before is a fault, unless it was cancelled."""
        task = asyncio.create_task(part)
        task.add_done_callback(self._on_part_ended)
        self._tasks.append(task)
        return task

    def _on_part_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            logger.error("a part of the server has ended: %s", task.get_coro(), exc_info=task.exception())
            self.on_fault()


async def start_server(
    options: ServerOptions,
    *,
    clock: Callable[[], datetime.datetime] = utc_now,
    open_socket: Callable[[str, int], socket.socket] = bind,
) -> MediaServer:
    """Start serving; raises OSError for an address that cannot be had, NotADirectoryError for no directory.

    `open_socket` gives the socket for host and port; another than `bind` keeps a test off the network.
    """
    load_slow_modules(options.schemes, plain=options.plain_scheme)  # while nobody waits
    content = ServedFolder(options.directory, options.mounts)
    configuration = _configuration(options)
    certificates = CertificatesInService(_certificates(options, now=clock()), configuration, clock)
    door = Door(options.limits)
    service = Service(
        door=door,
        content=content,
        origins=options.origins,
        make_rng=connection_generators(None),
        make_scheme_rng=connection_generators(options.seed),
        policies=PolicyShelf(options.policy_directory),
        records=PathRecords(asyncio.get_running_loop().time),
        watch_list=WatchList(asyncio.get_running_loop().time),
        most_datagram_bytes=options.most_datagram_bytes if CAN_FORBID_FRAGMENTS else BASE_BYTES,
        all_in_flight_bytes=options.all_in_flight_bytes,
        schemes=options.schemes,
        session_key=options.session_key,
        plain_scheme=options.plain_scheme,
        rates=RateShares(options.rate_limits) if options.rate_limits.any else None,
        self_check=SelfCheck(options.name_id),
    )
    server = BatchedServer(
        configuration=configuration,
        create_protocol=functools.partial(MediaProtocol, service=service),
        door=door,
        limits=options.limits,
        reset_key=options.reset_key,
        name_id=options.name_id,
    )
    sock = open_socket(options.host, options.port)
    problem = buffer_problem(sock)
    if problem is not None:  # whoever serves this machine alone need not mind
        logger.log(logging.INFO if is_loopback(options.host) else logging.WARNING, problem)
    endpoint = UdpEndpoint(sock, server)
    server.connection_made(endpoint)
    logger.info("serving %s", folders_in_words(options.directory, options.mounts))
    media_server = MediaServer(endpoint, server, service=service, certificates=certificates)
    if options.network_reports is not None:
        media_server.listen_to(options.network_reports)
    return media_server


def _certificates(options: ServerOptions, *, now: datetime.datetime) -> CertificateRotation | CertificateFiles:
    if options.certificate_files is not None:
        return CertificateFiles(options.certificate_files, now=now)
    return CertificateRotation(options.host, now=now, lifetime=options.certificate_lifetime)


def _configuration(options: ServerOptions) -> QuicConfiguration:
    """QUIC as this server speaks it."""
    configuration = QuicConfiguration(
        alpn_protocols=H3_ALPN,
        is_client=False,
        idle_timeout=IDLE_TIMEOUT_S,
        max_data=PEER_DATA_WINDOW_BYTES,
        max_stream_data=PEER_STREAM_LIMIT_BYTES,
        max_datagram_frame_size=MAX_DATAGRAM_FRAME_BYTES,
        max_datagram_size=BASE_BYTES,
    )
    if options.qlog_directory is not None:
        options.qlog_directory.mkdir(parents=True, exist_ok=True)
        configuration.quic_logger = ConnectionQlogs(options.qlog_directory)
    return configuration
