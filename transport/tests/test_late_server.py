"""A server whose host is late: what its window and its pacer would have let go meanwhile leaves when it wakes."""

from __future__ import annotations

import random

import pytest

from cc.sender.cubic import Cubic
from transport.tests.conversation import Conversation
from transport.tests.late_conversation import LateConversation

PACKET_BYTES = 1200
LENGTH_BYTES = 1_500_000
LATE_S = 0.1
"""Twice a round trip with half of the queue."""


def cubic() -> Cubic:
    return Cubic(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))


def goodput_mbit(talk: Conversation) -> float:
    """Of a download."""
    talk.run(LENGTH_BYTES)
    assert talk.end is None
    return 8 * len(talk.received) / talk.now_s / 1e6


def test_a_late_server_fills_the_link_all_the_same() -> None:
    in_time = goodput_mbit(LateConversation(cubic, late_s=0.001))
    assert goodput_mbit(LateConversation(cubic, late_s=LATE_S)) >= 0.9 * in_time


@pytest.mark.parametrize("most_packets", [8, 16])
def test_a_window_that_a_late_server_cannot_fill_does_not_grow(most_packets: int) -> None:
    talk = LateConversation(cubic, late_s=LATE_S, most_packets=most_packets)
    goodput_mbit(talk)
    assert talk.server.scheme.window_resets == 0
    assert talk.server.scheme.cwnd_bytes < 130 * PACKET_BYTES


def test_what_is_sendable_is_what_leaves() -> None:
    talk = LateConversation(cubic, late_s=0.001)
    talk.run(LENGTH_BYTES)
    stream_id = talk.quic.get_next_available_stream_id(is_unidirectional=True)
    talk.quic.send_stream_data(stream_id, bytes(500 * PACKET_BYTES))
    now_s = talk.now_s + 0.005
    sendable_bytes = talk.server.sendable_bytes(now_s=now_s)
    sent_before = talk.server.ledger.packets_sent_total
    talk.server.take_flight(now_s=now_s)
    assert sendable_bytes == PACKET_BYTES * (talk.server.ledger.packets_sent_total - sent_before) > 0
    assert talk.server.sendable_bytes(now_s=now_s) == 0


def test_no_more_is_sendable_than_leaves_at_a_time() -> None:
    talk = LateConversation(cubic, late_s=LATE_S, most_packets=8)
    talk.run(LENGTH_BYTES)
    assert talk.server.sendable_bytes(now_s=talk.now_s + LATE_S) <= 8 * PACKET_BYTES
