"""The headless receiver acknowledges as Chromium does."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable

import pytest
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import QuicEvent
from aioquic.tls import Epoch

from transport.aioquic_adapter.client_acks import acknowledge_as_chromium
from transport.aioquic_adapter.client_arrival import ArrivalProtocol
from transport.media_server.certificate import make_certificate

CERTIFICATE = make_certificate("127.0.0.1", now=datetime.datetime.now(datetime.UTC))
SERVER_ADDRESS, CLIENT_ADDRESS = ("127.0.0.1", 4433), ("127.0.0.1", 5555)
ONE_WAY_S = 0.020
EARLY_PACKETS = 100


class Pair:
    """A client and a server by one hand-moved clock, 20 ms apart while they shake hands."""

    def __init__(
        self, *, on_client: Callable[[QuicConnection], object], on_server: Callable[[QuicConnection], object]
    ) -> None:
        """Each is told of its connection before that begins."""
        configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"], max_datagram_size=1350)
        configuration.certificate = CERTIFICATE.certificate
        configuration.private_key = CERTIFICATE.private_key
        self.client = QuicConnection(
            configuration=QuicConfiguration(is_client=True, alpn_protocols=["h3"], verify_mode=0)
        )
        on_client(self.client)
        self.client.connect(SERVER_ADDRESS, now=0.0)
        self.now_s = 0.0
        first = self.client.datagrams_to_send(0.0)
        self.server = QuicConnection(
            configuration=configuration,
            original_destination_connection_id=self.client.original_destination_connection_id,
        )
        on_server(self.server)
        self.now_s += ONE_WAY_S
        self._to_server(first)
        for _ in range(4):
            flight = self.server.datagrams_to_send(self.now_s)
            self.now_s += ONE_WAY_S
            self._to_client(flight)
            flight = self.client.datagrams_to_send(self.now_s)
            self.now_s += ONE_WAY_S
            self._to_server(flight)
        self.stream_id = self.server.get_next_available_stream_id(is_unidirectional=True)

    def packets(self, count: int) -> list[bytes]:
        """Full packets of stream data, as soon as the server's window and pacer let them leave."""
        self.server.send_stream_data(self.stream_id, bytes(1250 * count))
        packets: list[bytes] = []
        for _ in range(100):
            packets += [data for data, _ in self.server.datagrams_to_send(self.now_s)]
            if len(packets) >= count:
                return packets[:count]
            self.now_s += 0.001
        raise AssertionError(f"the server sent {len(packets)} packets of {count}")

    def receive(self, packet: bytes, *, after_s: float) -> int:
        """Give the client a packet; how many packets it sends in answer, which reach the server."""
        self.now_s += after_s
        self.client.receive_datagram(packet, SERVER_ADDRESS, self.now_s)
        return self.answer()

    def answer(self, *, after_s: float = 0.0) -> int:
        """What the client sends now reaches the server."""
        self.now_s += after_s
        answers = self.client.datagrams_to_send(self.now_s)
        self._to_server(answers)
        return len(answers)

    def _to_server(self, datagrams: list[tuple[bytes, tuple[str, int]]]) -> None:
        for data, _ in datagrams:
            self.server.receive_datagram(data, CLIENT_ADDRESS, self.now_s)

    def _to_client(self, datagrams: list[tuple[bytes, tuple[str, int]]]) -> None:
        for data, _ in datagrams:
            self.client.receive_datagram(data, SERVER_ADDRESS, self.now_s)


def chromium_pair() -> Pair:
    return Pair(on_client=acknowledge_as_chromium, on_server=lambda server: None)


def warmed_up() -> Pair:
    """The first hundred packets, of which Chromium acknowledges every second, are over."""
    pair = chromium_pair()
    for _ in range(EARLY_PACKETS // 2):
        for packet in pair.packets(2):
            pair.receive(packet, after_s=0.0)
    pair.answer(after_s=0.030)
    return pair


def test_the_private_parts_exist() -> None:
    client = chromium_pair().client
    space = client._spaces[Epoch.ONE_RTT]
    assert all(hasattr(space, name) for name in ("ack_at", "largest_received_packet"))
    assert hasattr(client._loss, "_rtt_min")


def test_ten_packets_draw_one_ack() -> None:
    pair = warmed_up()
    assert [pair.receive(packet, after_s=0.0001) for packet in pair.packets(10)] == [0] * 9 + [1]


def test_fewer_are_acknowledged_after_a_quarter_of_the_rtt() -> None:
    pair = warmed_up()
    (packet,) = pair.packets(1)
    received_s = pair.now_s
    assert pair.receive(packet, after_s=0.0) == 0
    timer_s = pair.client.get_timer()
    assert timer_s is not None
    # the handshake took 40 ms; a quarter of that is less than 25 ms
    assert timer_s - received_s == pytest.approx(0.040 / 4, abs=1e-3)
    pair.now_s = timer_s
    assert pair.answer() == 1


def test_a_shorter_rtt_that_was_measured_later_counts() -> None:
    pair = warmed_up()
    pair.client._loss._rtt_min = 0.020
    (packet,) = pair.packets(1)
    received_s = pair.now_s
    assert pair.receive(packet, after_s=0.0) == 0
    timer_s = pair.client.get_timer()
    assert timer_s is not None
    assert timer_s - received_s == pytest.approx(0.020 / 4, abs=1e-3)


def test_a_gap_is_told_at_once() -> None:
    pair = warmed_up()
    lost, *others = pair.packets(6)
    assert [pair.receive(packet, after_s=0.0001) for packet in others] == [1, 1, 1, 1, 0]
    assert lost


def test_an_ack_that_waits_goes_with_a_datagram_that_leaves() -> None:
    pair = warmed_up()
    (packet,) = pair.packets(1)
    assert pair.receive(packet, after_s=0.0) == 0
    pair.client.send_datagram_frame(b"feedback")
    assert len(pair.client.datagrams_to_send(pair.now_s)) == 1
    assert pair.client._spaces[Epoch.ONE_RTT].ack_at is None


class Listener(ArrivalProtocol):
    def quic_event_received(self, event: QuicEvent) -> None:
        """What came matters to nobody."""


class Sent(asyncio.DatagramTransport):
    def __init__(self) -> None:
        super().__init__()
        self.datagrams = 0

    def sendto(self, data: object, addr: object = None) -> None:
        self.datagrams += 1


def test_a_late_client_acknowledges_no_more_often_than_one_in_time() -> None:
    async def read_late(packets: list[bytes]) -> int:
        protocol, sent = Listener(pair.client), Sent()
        protocol.connection_made(sent)
        for number, packet in enumerate(packets):  # all are read long after they arrived
            protocol.arrived_s = pair.now_s + 0.003 * number
            protocol.datagram_received(packet, SERVER_ADDRESS)
        return sent.datagrams

    pair = warmed_up()
    assert 0 < asyncio.run(read_late(pair.packets(20))) <= 7  # four of them are a quarter of the round trip apart


def test_what_asks_for_no_ack_leaves_the_timer_alone() -> None:
    pair = warmed_up()
    (packet,) = pair.packets(1)
    pair.receive(packet, after_s=0.0)
    before_s = pair.client.get_timer()
    pair.client.receive_datagram(bytes(50), SERVER_ADDRESS, pair.now_s + 0.001)  # no packet of QUIC
    assert pair.client.get_timer() == before_s
