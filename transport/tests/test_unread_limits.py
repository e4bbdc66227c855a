"""Whose connection ends since most of what comes on it is left unread."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnectionState
from aioquic.quic.packet import QuicErrorCode, QuicFrameType
from aioquic.tls import Epoch

from transport.aioquic_adapter.unread_limits import MOST_TIMES, PERIOD_S, PERIODS, TOO_MUCH
from transport.aioquic_adapter.work_budget import DATAGRAM_WORK
from transport.media_server.work_shares import LEAST_WORK_PER_S, share_per_s
from transport.tests.conversation import CLIENT_ADDRESS, SERVER_ADDRESS, Conversation, new_reno

READ_PER_S = LEAST_WORK_PER_S / (DATAGRAM_WORK + 1)
"""Of pings, where the address has many connections."""
PING = bytes([QuicFrameType.PING])
FOUR_BYTE_NUMBER = 0x43
MINUTE_S = 60.0


class Viewer:
    """A client that sends what it likes, whatever is acknowledged, and shares its address with many."""

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        conversation.now_s += MINUTE_S / 10
        conversation.server.bound_work(LEAST_WORK_PER_S)
        self.answers: list[bytes] = []

    @property
    def is_ended(self) -> bool:
        quic = self.conversation.quic
        return quic._close_pending or quic._state is not QuicConnectionState.CONNECTED

    def ping(self) -> bytes:
        """Its next datagram, though it may not arrive."""
        client = self.conversation.client
        number = client._packet_number
        client._packet_number += 1
        head = bytes([FOUR_BYTE_NUMBER]) + self.conversation.quic.host_cid + number.to_bytes(4, "big")
        sealed: bytes = client._cryptos[Epoch.ONE_RTT].encrypt_packet(head, PING, number)
        return sealed

    def arrive(self, datagram: bytes) -> None:
        """At the server, which answers."""
        now_s = self.conversation.now_s
        if self.conversation.server.receive_datagram(datagram, CLIENT_ADDRESS, now_s=now_s):
            self.answers += [data for data, _ in self.conversation.server.take_flight(now_s=now_s)]

    def send(self, *, per_s: float, for_s: float, beside: Callable[[], None] = lambda: None) -> None:
        """Pings, and between them what others do; until the connection has ended."""
        until_s = self.conversation.now_s + for_s
        while self.conversation.now_s < until_s and not self.is_ended:
            self.conversation.now_s += 1 / per_s
            self.arrive(self.ping())
            beside()


@pytest.fixture
def viewer(conversation: Conversation) -> Viewer:
    return Viewer(conversation)


@pytest.mark.parametrize("times", [1.5 * MOST_TIMES, 40 * MOST_TIMES])
def test_who_sends_many_times_what_is_read_is_sent_away_within_seconds(viewer: Viewer, times: float) -> None:
    viewer.send(per_s=times * READ_PER_S, for_s=2 * (PERIODS + 1) * PERIOD_S)
    assert viewer.is_ended
    viewer.conversation.client.receive_datagram(viewer.answers[-1], SERVER_ADDRESS, now=viewer.conversation.now_s)
    end = viewer.conversation.client._close_event
    assert end is not None
    assert (end.error_code, end.reason_phrase) == (QuicErrorCode.INTERNAL_ERROR, TOO_MUCH)
    assert viewer.conversation.server.skip_closing_period()


def test_one_connection_alone_that_sends_ten_times_what_is_read_is_sent_away(conversation: Conversation) -> None:
    viewer = Viewer(conversation)
    per_s = 10 * share_per_s(1) / (DATAGRAM_WORK + 1)
    viewer.send(per_s=per_s, for_s=2 * (PERIODS + 1) * PERIOD_S)
    assert viewer.is_ended


@pytest.mark.parametrize("times", [0.5, 1, 2, MOST_TIMES - 1])
def test_who_sends_some_times_what_is_read_stays(viewer: Viewer, times: float) -> None:
    """Paused viewers behind one address are left unread as often as they are read at worst."""
    viewer.send(per_s=times * READ_PER_S, for_s=MINUTE_S)
    assert not viewer.is_ended


def test_a_burst_that_a_network_has_held_ends_nobody(viewer: Viewer) -> None:
    """A computer wakes, or a radio link is back, again and again."""
    for _ in range(10):
        held = [viewer.ping() for _ in range(500)]
        for datagram in held:
            viewer.arrive(datagram)
        viewer.send(per_s=READ_PER_S / 2, for_s=10.0)
    assert not viewer.is_ended


def test_a_viewer_with_an_ack_and_feedback_for_each_packet_stays() -> None:
    """However many share its address."""
    conversation = Telling(new_reno, rng=random.Random(7))
    conversation.server.frame_limits.bound_work(LEAST_WORK_PER_S)
    conversation.run(1_500_000)
    assert conversation.end is None
    assert conversation.told > 1_000


class Telling(Conversation):
    """A download whose receiver says something of each packet that comes."""

    told = 0

    def _configuration(self) -> QuicConfiguration:
        configuration = super()._configuration()
        configuration.max_datagram_frame_size = 65_536
        return configuration

    def _receive(self, data: bytes, *, is_from_server: bool) -> None:
        if is_from_server and self.client._handshake_confirmed:
            self.client.send_datagram_frame(bytes(40))
            self.told += 1
        super()._receive(data, is_from_server=is_from_server)


def test_who_forges_datagrams_of_a_viewer_that_is_not_all_read_ends_nobody(viewer: Viewer) -> None:
    head = bytes([FOUR_BYTE_NUMBER]) + viewer.conversation.quic.host_cid

    def forge() -> None:
        for number in range(50):
            viewer.arrive(head + bytes([number]) * 40)

    viewer.send(per_s=2 * READ_PER_S, for_s=MINUTE_S, beside=forge)
    assert not viewer.is_ended


def test_who_sends_a_viewers_datagrams_again_ends_nobody(viewer: Viewer) -> None:
    """At once or later, those that were read and those that were not."""
    rng, seen = random.Random(3), list[bytes]()

    def send_again() -> None:
        for datagram in (*seen[-1:] * 20, *rng.choices(seen, k=30)):
            viewer.arrive(datagram)

    ping = viewer.ping

    def watched() -> bytes:
        seen.append(ping())
        return seen[-1]

    viewer.ping = watched  # type: ignore[method-assign]
    viewer.send(per_s=2 * READ_PER_S, for_s=MINUTE_S, beside=send_again)
    assert not viewer.is_ended


def test_what_the_network_loses_counts_for_nobody(viewer: Viewer) -> None:
    def lose() -> None:
        for _ in range(4 * MOST_TIMES):
            viewer.ping()

    viewer.send(per_s=READ_PER_S, for_s=MINUTE_S, beside=lose)
    assert not viewer.is_ended
