"""Datagrams grow to what their path carries, and shrink where it stops to; in virtual time, and once on loopback."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.logger import QuicLogger
from aioquic.quic.packet import pull_quic_transport_parameters
from aioquic.tls import Epoch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from cc.core.base import LossEvent, SenderScheme
from cc.receiver.observer import Observer
from cc.registry import scheme
from cc.sender.newreno import NewReno
from transport.aioquic_adapter.size_search import BASE_BYTES, MOST_BYTES, MOST_TAKEN_BYTES
from transport.headless.client import open_session
from transport.media_server.server import start_server
from transport.tests.conversation import Client, Conversation
from transport.tests.serving import ORIGIN, options_for, run
from transport.tests.test_paths import moving_link

SEGMENT_BYTES = 200_000
UP_TO_1350 = bytes([0x03, 0x02, 0x45, 0x46])
"""The transport parameter max_udp_payload_size, which aioquic's clients leave out (RFC 9000 section 18.2)."""


def _no_scheme() -> NoReturn:
    raise AssertionError("a path's scheme is made for its size")


class Listening(NewReno):
    """Counts the losses of which it is told."""

    lost_bytes = 0

    def on_loss(self, event: LossEvent) -> None:
        self.lost_bytes += event.lost_bytes
        super().on_loss(event)


class NarrowPath(Conversation):
    """Carries datagrams from the server up to a size, which may change."""

    most_datagram_bytes = MOST_BYTES

    def __init__(self, *, path_bytes: int, seed: int = 1, name: str = "", loss: float = 0.0) -> None:
        self.path_bytes = path_bytes
        self.name = name
        self.sizes_bytes: list[int] = []
        """Of all that the server sent."""
        self.made: list[SenderScheme] = []
        chance = random.Random(seed)

        def fate(is_from_server: bool) -> Sequence[float]:
            return [] if self.received and chance.random() < loss else [0.010]

        super().__init__(_no_scheme, rng=random.Random(seed), fate=fate)

    def _scheme_for(self, max_datagram_bytes: int) -> SenderScheme:
        make = scheme(self.name).make_sender if self.name else Listening
        self.made.append(make(max_datagram_bytes=max_datagram_bytes, rng=random.Random(1)))
        return self.made[-1]

    def _flight(self, quic: QuicConnection) -> list[tuple[bytes, NetworkAddress]]:
        if quic is not self.quic:
            return super()._flight(quic)
        self.server.notice_path(now_s=self.now_s)
        probe = self.server.take_probe(now_s=self.now_s)
        flight = probe + super()._flight(quic)
        self.sizes_bytes += [len(data) for data, _ in flight]
        return [(data, address) for data, address in flight if len(data) <= self.path_bytes]

    @property
    def size_bytes(self) -> int:
        """What the server knows that the path carries."""
        return self.server.datagram_bytes

    def download(self, length_bytes: int) -> None:
        """The client gets so many bytes more, on a stream of their own."""
        self._asked = False
        self.run(length_bytes)


@pytest.mark.parametrize(("path_bytes", "size_bytes"), [(1500, 1472), (1460, 1452), (1392, 1372), (1250, 1200)])
def test_packets_become_as_large_as_the_path_carries(path_bytes: int, size_bytes: int) -> None:
    conversation = NarrowPath(path_bytes=path_bytes)
    conversation.download(SEGMENT_BYTES)
    assert conversation.size_bytes == size_bytes
    assert conversation.sizes_bytes.count(size_bytes) > 0.5 * SEGMENT_BYTES / size_bytes


@pytest.mark.parametrize("path_bytes", [1500, 1300])
def test_lost_probes_are_told_to_no_scheme_and_the_window_is_as_on_a_wide_path(path_bytes: int) -> None:
    conversation = NarrowPath(path_bytes=path_bytes)
    conversation.download(SEGMENT_BYTES)
    told = conversation.server.scheme
    assert isinstance(told, Listening)
    assert told.lost_bytes == 0
    assert len(conversation.server._recovery.controller.size_probes) <= 1  # the last is on its way
    assert conversation.server.ledger.lost_bytes_total == 0


def test_a_scheme_is_made_for_the_size_until_its_first_stamp_and_keeps_it_then() -> None:
    conversation = NarrowPath(path_bytes=1500)
    conversation.download(SEGMENT_BYTES)
    assert [each.max_datagram_bytes for each in conversation.made] == [BASE_BYTES, MOST_BYTES]
    assert conversation.server.stamp_if_due(now_s=conversation.now_s) is not None
    conversation.path_bytes = BASE_BYTES
    conversation.download(SEGMENT_BYTES)
    assert conversation.size_bytes == BASE_BYTES
    assert conversation.server.scheme.max_datagram_bytes == MOST_BYTES
    assert len(conversation.made) == 2


@pytest.mark.parametrize("name", ["newreno", "cubic", "bbr", "nuwa"])
def test_a_black_hole_is_left_at_the_base_size(name: str) -> None:
    conversation = NarrowPath(path_bytes=1500, name=name)
    conversation.download(SEGMENT_BYTES)
    assert conversation.size_bytes == MOST_BYTES
    conversation.path_bytes = BASE_BYTES
    before_s = conversation.now_s
    conversation.download(SEGMENT_BYTES)
    assert conversation.size_bytes == BASE_BYTES
    assert conversation.now_s - before_s < 2.0
    conversation.path_bytes = 1400
    conversation.server._path_mtu.begin_path()  # ten minutes later
    while conversation.size_bytes != 1372:
        conversation.download(SEGMENT_BYTES)
        assert conversation.now_s - before_s < 4.0


def test_a_path_that_was_down_has_its_size_again() -> None:
    conversation = NarrowPath(path_bytes=1500)
    conversation.download(SEGMENT_BYTES)
    conversation.path_bytes = 0
    down_until_s = conversation.now_s + 3.0
    stream_id = conversation.quic.get_next_available_stream_id(is_unidirectional=True)
    conversation.quic.send_stream_data(stream_id, bytes(SEGMENT_BYTES))
    conversation._send(conversation.quic)
    while conversation.now_s < down_until_s:
        conversation._step()
    assert conversation.size_bytes == BASE_BYTES
    conversation.path_bytes = 1500
    conversation.download(SEGMENT_BYTES)
    assert conversation.size_bytes == MOST_BYTES


def test_another_path_is_asked_anew() -> None:
    conversation = NarrowPath(path_bytes=1500)
    conversation.download(SEGMENT_BYTES)
    conversation.client_address = ("192.0.2.9", 5555)
    conversation.path_bytes = 1300
    conversation.sizes_bytes.clear()
    conversation.download(3 * SEGMENT_BYTES)
    assert (conversation.size_bytes, conversation.server.scheme.max_datagram_bytes) == (1280, 1280)
    first_probe = conversation.sizes_bytes.index(MOST_BYTES)
    assert max(conversation.sizes_bytes[:first_probe], default=0) <= BASE_BYTES


def test_what_the_client_says_that_it_takes_is_not_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    say = Client._serialize_transport_parameters
    monkeypatch.setattr(Client, "_serialize_transport_parameters", lambda client: say(client) + UP_TO_1350)
    conversation = NarrowPath(path_bytes=1500)
    conversation.download(SEGMENT_BYTES)
    assert max(conversation.sizes_bytes) == conversation.size_bytes == 1350


def test_under_ipv6_packets_are_no_larger_than_ethernets() -> None:
    conversation = NarrowPath(path_bytes=1500)
    conversation.client_address = ("2001:db8::2", 5555)
    conversation.download(SEGMENT_BYTES)
    assert max(conversation.sizes_bytes) == conversation.size_bytes == 1452


@settings(max_examples=10, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    seed=st.integers(0, 2**32),
    sizes=st.lists(st.integers(BASE_BYTES, 1500), min_size=1, max_size=4),
    loss=st.sampled_from([0.0, 0.02]),
)
def test_all_arrives_however_the_path_changes(seed: int, sizes: list[int], loss: float) -> None:
    conversation = NarrowPath(path_bytes=1500, seed=seed, loss=loss)
    for path_bytes in sizes:
        conversation.path_bytes = path_bytes
        conversation.download(50_000)
        assert conversation.end is None
    in_flight = conversation.quic._spaces[Epoch.ONE_RTT].sent_packets.values()
    booked = sum(packet.sent_bytes for packet in in_flight if packet.in_flight)
    assert booked == conversation.server.ledger.bytes_in_flight


def test_the_qlog_tells_of_each_size() -> None:
    conversation = NarrowPath(path_bytes=1392)
    log = QuicLogger()
    conversation.quic._quic_logger = log.start_trace(is_client=False, odcid=bytes(8))
    conversation.quic._loss._quic_logger = conversation.quic._quic_logger
    conversation.download(SEGMENT_BYTES)
    events = [event for event in conversation.quic._quic_logger.to_dict()["events"] if "mtu" in event["name"]]
    assert [(event["name"], event["data"]) for event in events] == [
        ("connectivity:mtu_updated", {"old": 1200, "new": 1372, "done": False})
    ]


def test_a_download_outlives_a_black_hole_on_loopback(film: Path) -> None:
    async def whole() -> None:
        server = await start_server(options_for(film))
        try:
            async with (
                moving_link(server.port) as (link, _, url),
                open_session(f"{url}/v1/cubic", origin=ORIGIN, receiver=Observer()) as client,
            ):
                (protocol,) = server.connections
                sizes_bytes: list[int] = []

                def on_data(data: bytes) -> None:
                    sizes_bytes.append(protocol.connection.datagram_bytes)
                    link.most_bytes = BASE_BYTES

                head = await client.download("generated/3000000", on_data=on_data)
                assert head["status"] == 200
                assert (sizes_bytes[0], sizes_bytes[-1]) == (MOST_BYTES, BASE_BYTES)
        finally:
            await server.stop()

    run(whole())


def test_clients_are_told_how_large_datagrams_may_be() -> None:
    conversation = NarrowPath(path_bytes=1500)
    told: list[int | None] = []
    client = conversation.client
    parse = client._parse_transport_parameters

    def listen(data: bytes, from_session_ticket: bool = False) -> None:
        told.append(pull_quic_transport_parameters(Buffer(data=data)).max_udp_payload_size)
        parse(data, from_session_ticket)

    client._parse_transport_parameters = listen  # type: ignore[method-assign]
    conversation.download(1)
    assert told == [MOST_TAKEN_BYTES]
