"""ECN code points on their way from the router to the server's scheme, by a hand-moved clock and over real sockets."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from aioquic.buffer import Buffer, BufferReadError  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import QuicFrameType
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import Epoch

from cc.core.base import AckEvent, EcnCounts
from cc.receiver.observer import Observer
from cc.sender.abc import Abc
from cc.sender.newreno import NewReno
from transport.aioquic_adapter.client_acks import acknowledge_as_chromium
from transport.aioquic_adapter.client_marks import ClientMarks
from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.mark_reports import MarkReports
from transport.headless.client import open_session
from transport.media_server.server import start_server
from transport.relay.settings import LinkSettings
from transport.tests.serving import ORIGIN, behind_link, options_for, run
from transport.tests.test_client_acks import SERVER_ADDRESS, Pair
from transport.udp.marking import CAN_MARK, CodePoint

PLAIN, ECT0, ECT1, CE = CodePoint.NOT_ECT, CodePoint.ECT0, CodePoint.ECT1, CodePoint.CE


class Watching(NewReno):
    """Keeps what it is told of marks: (packets acknowledged, marks)."""

    def __init__(self) -> None:
        super().__init__(max_datagram_bytes=1200, rng=random.Random(1))
        self.told: list[tuple[int, EcnCounts | None]] = []

    def on_ack(self, event: AckEvent) -> None:
        self.told.append((len(event.acked), event.ecn))
        super().on_ack(event)


class MarkedPair(Pair):
    """A client that counts marks, and a server under a scheme that watches."""

    def __init__(self) -> None:
        self.scheme = Watching()
        super().__init__(on_client=self._take_client, on_server=self._take_server)

    def arrive(self, *code_points: CodePoint, times: int = 1) -> None:
        """A packet reaches the client with each of these, so many times."""
        for packet, code_point in zip(self.packets(len(code_points)), code_points, strict=True):
            for _ in range(times):
                self.now_s += 0.0001
                self.marks.on_datagram(code_point)
                self.client.receive_datagram(packet, SERVER_ADDRESS, self.now_s)

    def acknowledged(self) -> list[tuple[int, EcnCounts | None]]:
        """What the scheme is told once the client has acknowledged all."""
        self.scheme.told.clear()
        self.answer(after_s=0.030)
        return self.scheme.told

    def _take_client(self, client: QuicConnection) -> None:
        acknowledge_as_chromium(client)
        self.marks = ClientMarks(client)

    def _take_server(self, server: QuicConnection) -> None:
        ControlledConnection(server, lambda size_bytes: self.scheme, random.Random(7))


def test_the_private_parts_of_packet_number_spaces_exist() -> None:
    space = QuicPacketSpace()
    names = ("received_packets", "ack_queue", "ack_at", "largest_received_packet", "largest_received_time")
    assert all(hasattr(space, name) for name in (*names, "largest_acked_packet"))
    assert hasattr(space.received_packets, "add")


def test_the_scheme_is_told_how_many_packets_came_with_which_mark() -> None:
    pair = MarkedPair()
    pair.arrive(ECT1, ECT1, ECT0, CE, ECT1)
    assert pair.acknowledged() == [(5, EcnCounts(ect0=1, ect1=3, ce=1))]
    pair.arrive(ECT0, PLAIN, ECT1)
    assert pair.acknowledged() == [(3, EcnCounts(ect0=1, ect1=1))]
    pair.arrive(PLAIN, PLAIN)
    assert pair.acknowledged() == [(2, EcnCounts())]


def test_without_marks_the_scheme_is_told_of_none() -> None:
    pair = MarkedPair()
    pair.arrive(PLAIN, PLAIN)
    assert pair.acknowledged() == [(2, None)]


def test_a_packet_that_comes_twice_counts_once() -> None:
    # section 13.4.1: counts are of packets that were processed
    pair = MarkedPair()
    pair.arrive(ECT0, ECT1, times=2)
    assert pair.acknowledged() == [(2, EcnCounts(ect0=1, ect1=1))]


def test_what_is_no_packet_counts_nothing() -> None:
    pair = MarkedPair()
    pair.marks.on_datagram(CE)
    pair.client.receive_datagram(bytes(50), SERVER_ADDRESS, pair.now_s)
    pair.arrive(ECT0)
    assert pair.acknowledged() == [(1, EcnCounts(ect0=1))]


def test_marks_of_an_ack_that_is_lost_come_with_the_next() -> None:
    pair = MarkedPair()
    pair.arrive(ECT0)
    pair.now_s += 0.030
    assert len(pair.client.datagrams_to_send(pair.now_s)) == 1  # and never arrives
    pair.arrive(ECT1)
    assert pair.acknowledged() == [(2, EcnCounts(ect0=1, ect1=1))]


def test_marks_come_beside_gaps() -> None:
    pair = MarkedPair()
    for _ in range(4):
        pair.packets(1)  # lost
        pair.arrive(ECT0)
    assert pair.acknowledged() == [(4, EcnCounts(ect0=4))]


@pytest.mark.parametrize(
    ("ahead", "ect0", "told"),
    [
        (1, 7, [EcnCounts(ect0=2)]),
        (1, 5, [EcnCounts()]),
        (1, 4, []),  # no count goes back
        (0, 7, []),  # no packet is news: the ACK was overtaken
    ],
)
def test_a_report_is_what_it_says_beyond_the_last(ahead: int, ect0: int, told: list[EcnCounts]) -> None:
    server = MarkedPair().server
    heard: list[EcnCounts] = []
    reports = MarkReports(server, heard.append)
    reports._reported[Epoch.ONE_RTT] = EcnCounts(ect0=5)
    largest = server._spaces[Epoch.ONE_RTT].largest_acked_packet + ahead
    reports._report(Epoch.ONE_RTT, largest, EcnCounts(ect0=ect0))
    assert heard == told


def test_a_frame_without_its_counts_is_aioquics_to_refuse() -> None:
    server = MarkedPair().server
    heard: list[EcnCounts] = []
    reports = MarkReports(server, heard.append)
    handled: list[int] = []
    reports._handle = lambda context, frame_type, buffer: handled.append(buffer.tell())
    cut_off = Buffer(data=bytes([3, 0, 0, 0, 1, 1]))  # largest 3, no delay, one range; of three counts two
    reports._on_frame(object(), QuicFrameType.ACK_ECN, cut_off)  # type: ignore[arg-type]
    assert (heard, handled) == ([], [0])
    with pytest.raises(BufferReadError):
        [cut_off.pull_uint_var() for _ in range(7)]


@pytest.mark.skipif(not CAN_MARK, reason="only on Linux datagrams are marked one by one")
def test_abcs_router_in_the_relay_reaches_abc_in_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks: list[EcnCounts] = []
    on_ack = Abc.on_ack

    def watched(scheme: Abc, event: AckEvent) -> None:
        if event.ecn is not None:
            marks.append(event.ecn)
        on_ack(scheme, event)

    monkeypatch.setattr(Abc, "on_ack", watched)

    async def scenario() -> None:
        server = await start_server(options_for(tmp_path))
        link = LinkSettings("6mbit", delay_ms=5, discipline="abc")
        try:
            async with (
                behind_link(server.port, link) as (host, port),
                open_session(f"https://{host}:{port}/v1/abc", origin=ORIGIN, receiver=Observer()) as client,
            ):
                await client.download("generated/1000000", on_data=lambda data: None)
        finally:
            await server.stop()

    run(scenario())
    brakes, accelerates = sum(counts.ect0 for counts in marks), sum(counts.ect1 for counts in marks)
    # 680 packets and more; at first the link is not full, and the router accelerates all
    assert brakes + accelerates > 650
    assert brakes > 100
    assert accelerates > 100
    assert sum(counts.ce for counts in marks) == 0
