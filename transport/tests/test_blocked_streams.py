"""A client that stops reading one response, while it waits for others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStream

from transport.headless.client import ClientProtocol
from transport.media_server.media_protocol import MediaProtocol
from transport.media_server.session_base import MOST_PIECE_BYTES, Session
from transport.tests.serving import until, with_both_ends

STREAM_CREDIT_BYTES = 300_000
UNREAD = f"generated/{16 * STREAM_CREDIT_BYTES}"
SOME = "generated/100000"


class Miser(QuicConnection):
    """Gives no stream more than its first credit."""

    def _write_stream_limits(self, builder: QuicPacketBuilder, space: QuicPacketSpace, stream: QuicStream) -> None:
        """Nothing."""


def miser(configuration: QuicConfiguration) -> ClientProtocol:
    """A client that reads no response further."""
    configuration.max_stream_data = STREAM_CREDIT_BYTES
    return ClientProtocol(Miser(configuration=configuration))


def with_unread_response(
    film: Path, scenario: Callable[[ClientProtocol, MediaProtocol, Session], Awaitable[None]]
) -> None:
    """Run a scenario in a session of which one response has used up its stream's credit."""

    async def whole(client: ClientProtocol, connection: MediaProtocol) -> None:
        received = bytearray()
        unread = asyncio.create_task(client.download(UNREAD, on_data=received.extend))
        await until(lambda: len(received) > STREAM_CREDIT_BYTES - 1000)  # the response's head is the rest
        assert connection._session is not None
        await scenario(client, connection, connection._session)
        unread.cancel()
        await asyncio.wait([unread])

    with_both_ends(film, whole, make_client=miser)


def test_others_are_answered_while_one_response_is_not_read(film: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol, session: Session) -> None:
        for priority in (None, 1, 1, 1):
            assert (await client.download(SOME, priority=priority, on_data=lambda data: None))["status"] == 200

    with_unread_response(film, scenario)


def test_nothing_is_written_beyond_a_streams_credit(film: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol, session: Session) -> None:
        assert max(session._written_bytes.values()) == STREAM_CREDIT_BYTES
        session.write_ahead(now_s=connection._loop.time())
        assert session.ready_bytes == 0

    with_unread_response(film, scenario)


def test_nothing_is_written_beyond_the_connections_credit(film: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol, session: Session) -> None:
        left_bytes = MOST_PIECE_BYTES // 2
        connection._quic._remote_max_data = connection._quic._remote_max_data_used + left_bytes
        asked = asyncio.create_task(client.download(UNREAD, on_data=lambda data: None))
        await until(lambda: connection._quic._remote_max_data_used == connection._quic._remote_max_data)
        assert sum(session._written_bytes.values()) <= STREAM_CREDIT_BYTES + left_bytes
        asked.cancel()
        await asyncio.wait([asked])

    with_unread_response(film, scenario)


def test_a_sender_that_waits_for_credit_is_application_limited(film: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol, session: Session) -> None:
        await until(lambda: connection.connection.ledger.is_app_limited)

    with_unread_response(film, scenario)
