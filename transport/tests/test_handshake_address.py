"""A handshake whose second half has another source: nobody at that address has ever said a word."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from aioquic.quic.events import HandshakeCompleted
from aioquic.quic.rangeset import RangeSet
from aioquic.tls import Epoch

from transport.media_server.server import start_server
from transport.tests.serving import options_for, run, until
from transport.tests.test_door import answers, client_connection
from transport.udp.socket import bind

ATTACKER, VICTIM = "127.0.0.1", "127.0.0.2"


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux all of 127.0.0.0/8 is this machine")
def test_only_where_the_handshake_began_is_an_address_proven_and_blamed(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        address, loop = ("127.0.0.1", server.port), asyncio.get_running_loop()
        with bind(ATTACKER, 0) as attacker, bind(VICTIM, 0) as victim:
            quic = client_connection()
            quic.connect(address, now=loop.time())
            for data, _ in quic.datagrams_to_send(now=loop.time()):
                attacker.sendto(data, address)
            while not isinstance(quic.next_event(), HandshakeCompleted):
                quic.receive_datagram(await loop.sock_recv(attacker, 65_535), address, now=loop.time())
            finished = [data for data, _ in quic.datagrams_to_send(now=loop.time())]
            (protocol,) = server._server.connections
            path = protocol.connection.path
            for data in finished:
                victim.sendto(data, address)
            for data in finished:  # read after those of the victim
                attacker.sendto(data, address)
            await until(lambda: path.proven_address is not None)
            assert path.proven_address == path.peer_address == attacker.getsockname()
            assert answers(victim) == []

            # from now on a client may come from elsewhere, and is asked to prove it before it is blamed there
            space = quic._spaces[Epoch.ONE_RTT]
            space.ack_queue, space.ack_at = RangeSet([range(10**6)]), 0.0
            for data, _ in quic.datagrams_to_send(now=loop.time()):
                victim.sendto(data, address)
            watch_list = server._service.watch_list
            await until(lambda: watch_list.is_watched(ATTACKER))
            assert not watch_list.is_watched(VICTIM)
        await server.stop()

    run(whole())
