"""An honest viewer behind an emulated link, and the media server in memory: both in virtual time."""

from __future__ import annotations

import asyncio
import time
from random import Random
from ssl import CERT_NONE

from aioquic.h3.connection import H3_ALPN
from aioquic.quic.configuration import QuicConfiguration

from cc.core.receiver_base import ReceiverScheme
from cc.links.link import QueueLimit, constant_rate_opportunities_ms
from cc.receiver.observer import Observer
from cc.receiver.presets import preset
from cc.registry import scheme
from e2e.fuzzing.memory_server import MemoryServer
from e2e.fuzzing.virtual_loop import MemorySocket, VirtualLoop
from e2e.fuzzing.wire_samples import ORIGIN
from transport.headless.client import MAX_DATAGRAM_FRAME_BYTES, RECEIVE_WINDOW_BYTES, ClientProtocol, make_client
from transport.media_server.media_protocol import MediaProtocol
from transport.relay.pipe import LinkPipe, Packet, PipeLink
from transport.relay.queues import QueueKind
from transport.udp.marking import CodePoint

SERVER_ADDRESS = ("192.0.2.1", 4433)
CLIENT_ADDRESS = ("198.51.100.1", 5000)
RATE_MBIT = 24
DELAY_S = 0.02
QUEUE_PACKETS = 300
STEP_S = 0.005
"""As a loop that is a little late finds them, several packets are read at a time."""
OPENING_LIMIT_S = 5.0
DOWNLOAD = "generated/1000000000000"


class NotOpenedError(Exception):
    """The server let an honest viewer in only after `OPENING_LIMIT_S`, or never."""


class Viewer:
    """One session that downloads without end. Not for two threads."""

    def __init__(self, name: str) -> None:
        """`name`: of the scheme. Raises NotOpenedError."""
        self.server = MemoryServer()
        self.received_bytes = 0
        self._socket = MemorySocket()
        self._loop = VirtualLoop(self._socket)
        self._now_s = 0.0
        self._down, self._up = (_way(RATE_MBIT), _way(10 * RATE_MBIT))
        self._client, self._opened = self._loop.run_until_complete(self._begin(name))
        while not self._opened.done():
            if self._now_s > OPENING_LIMIT_S:
                raise NotOpenedError(f"no session under {name} within {OPENING_LIMIT_S:g} s")
            self._step()
        self._opened.result()
        self._download = self._loop.create_task(self._client.download(DOWNLOAD, on_data=self._count))

    @property
    def protocol(self) -> MediaProtocol:
        """The server's end."""
        (protocol,) = self.server.server.connections
        assert isinstance(protocol, MediaProtocol)
        return protocol

    def watch(self, seconds: float) -> float:
        """Go on for so long; the CPU time of the server meanwhile, in seconds."""
        return sum(self._step() for _ in range(round(seconds / STEP_S)))

    def close(self) -> None:
        """Leave, and end the server."""
        self._download.cancel()
        self._loop.run_until_complete(asyncio.wait([self._download]))
        self._loop.close()
        self._socket.close()
        self.server.close()

    async def _begin(self, name: str) -> tuple[ClientProtocol, asyncio.Task[None]]:
        client = make_client(
            QuicConfiguration(
                alpn_protocols=H3_ALPN,
                is_client=True,
                max_data=RECEIVE_WINDOW_BYTES,
                max_stream_data=RECEIVE_WINDOW_BYTES,
                max_datagram_frame_size=MAX_DATAGRAM_FRAME_BYTES,
                server_name=SERVER_ADDRESS[0],
                verify_mode=CERT_NONE,
            )
        )
        client.connection_made(_Uplink(self))
        client.connect(SERVER_ADDRESS, transmit=False)
        chosen = scheme(name)
        receiver: ReceiverScheme = Observer()
        if chosen.make_receiver is not None:
            receiver = chosen.make_receiver(preset("on-demand").parameters)
        path = f"/v1/{name}?preset=on-demand"
        opening = client.open(authority=SERVER_ADDRESS[0], path=path, origin=ORIGIN, receiver=receiver)
        return client, asyncio.get_running_loop().create_task(opening)

    def leave_client(self, datagram: bytes) -> None:
        """One sets out for the server."""
        self._up.offer(Packet(datagram, None), at_s=self._now_s)

    def _step(self) -> float:
        arriving = self._up.take_due(now_s=self._now_s)
        began_s = time.thread_time()
        self.server.socket.delivered.extend((packet.data, CLIENT_ADDRESS) for packet in arriving)
        sent = self.server.wait(STEP_S)
        cpu_s = time.thread_time() - began_s
        for datagram, _ in sent:
            self._down.offer(Packet(datagram, None), at_s=self._now_s)
        for packet in self._down.take_due(now_s=self._now_s):
            self._client.on_arrival(self._loop.time(), CodePoint.NOT_ECT)
            self._client.datagram_received(packet.data, SERVER_ADDRESS)
        self._loop.advance(STEP_S)
        self._now_s += STEP_S
        return cpu_s

    def _count(self, data: bytes) -> None:
        self.received_bytes += len(data)


class _Uplink(asyncio.DatagramTransport):
    """What the client takes for its socket."""

    def __init__(self, viewer: Viewer) -> None:
        super().__init__()
        self._viewer = viewer

    def sendto(self, data: object, addr: object = None) -> None:
        assert isinstance(data, bytes)
        self._viewer.leave_client(data)

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing is open."""


def _way(rate_mbit: int) -> LinkPipe[None]:
    pipe: LinkPipe[None] = LinkPipe(loss_rng=Random(1), queue_rng=Random(1))
    queue = QueueKind(limit=QueueLimit(packets=QUEUE_PACKETS))
    opportunities_ms = constant_rate_opportunities_ms(rate_mbit)
    link = PipeLink(
        opportunities_ms, queue=queue, delay_ahead_s=DELAY_S, delay_behind_s=0.0, loss_ratio=0.0, started_s=0.0
    )
    pipe.change(link, now_s=0.0)
    return pipe
