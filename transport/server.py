"""The media server: a socket, a certificate, and connections until it is told to stop."""

from __future__ import annotations

import asyncio
import datetime
import functools
import logging
import random
import secrets
from dataclasses import dataclass
from pathlib import Path

from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.logger import QuicFileLogger

from transport.certificate import Certificate, make_certificate
from transport.content import ContentIndex
from transport.endpoint import BatchedServer, UdpEndpoint, bind
from transport.media_protocol import MediaProtocol, Service

MAX_DATAGRAM_BYTES = 1200  # every path carries it (RFC 9000 section 14); aioquic does not probe for more
MAX_DATAGRAM_FRAME_BYTES = 65_536
PEER_DATA_LIMIT_BYTES = 256 * 1024  # clients send short requests
PEER_STREAM_LIMIT_BYTES = 16 * 1024
IDLE_TIMEOUT_S = 30.0
CLOSING_TIME_LIMIT_S = 1.0  # a connection's closing period is three probe timeouts (RFC 9000 section 10.2)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerOptions:
    """How the server is started."""

    directory: Path
    """The packaged film to serve."""
    host: str
    port: int
    """0 takes a free one."""
    origins: frozenset[str]
    """Pages that may open sessions, exactly as browsers write them in `Origin`."""
    qlog_directory: Path | None = None


class MediaServer:
    """A running server."""

    def __init__(self, endpoint: UdpEndpoint, server: BatchedServer, certificate: Certificate) -> None:
        self._endpoint = endpoint
        self._server = server
        self.certificate = certificate

    @property
    def port(self) -> int:
        """The bound UDP port."""
        return int(self._endpoint.address[1])

    async def stop(self) -> None:
        """Close every connection, with a last word to each peer, and the socket; logs are written out."""
        ending = [asyncio.create_task(connection.wait_closed()) for connection in self._server.connections]
        self._server.close()
        if ending:
            await asyncio.wait(ending, timeout=CLOSING_TIME_LIMIT_S)
            for task in ending:
                task.cancel()


async def start_server(options: ServerOptions) -> MediaServer:
    """Start serving; raises OSError for an address that cannot be had, NotADirectoryError for no directory."""
    content = ContentIndex(options.directory)
    certificate = make_certificate(options.host, now=datetime.datetime.now(datetime.UTC))
    service = Service(content=content, origins=options.origins, make_rng=lambda: random.Random(secrets.randbits(64)))
    server = BatchedServer(
        configuration=_configuration(options, certificate),
        create_protocol=functools.partial(MediaProtocol, service=service),
    )
    endpoint = UdpEndpoint(bind(options.host, options.port), server)
    server.connection_made(endpoint)
    logger.info("serving %d files of %s", len(content), options.directory)
    return MediaServer(endpoint, server, certificate)


def _configuration(options: ServerOptions, certificate: Certificate) -> QuicConfiguration:
    """QUIC as this server speaks it."""
    configuration = QuicConfiguration(
        alpn_protocols=H3_ALPN,
        is_client=False,
        idle_timeout=IDLE_TIMEOUT_S,
        max_data=PEER_DATA_LIMIT_BYTES,
        max_stream_data=PEER_STREAM_LIMIT_BYTES,
        max_datagram_frame_size=MAX_DATAGRAM_FRAME_BYTES,
        max_datagram_size=MAX_DATAGRAM_BYTES,
    )
    configuration.certificate = certificate.certificate
    configuration.private_key = certificate.private_key
    if options.qlog_directory is not None:
        options.qlog_directory.mkdir(parents=True, exist_ok=True)
        configuration.quic_logger = QuicFileLogger(str(options.qlog_directory))
    return configuration
