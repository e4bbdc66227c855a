"""How much work a datagram may make."""

from __future__ import annotations

import random

import pytest
from aioquic.quic.connection import QuicConnectionError
from aioquic.quic.packet import QuicFrameType

from transport.aioquic_adapter.frame_limits import MOST_WORK, STREAM_FRAMES, WORK
from transport.aioquic_adapter.payloads import receive_payload
from transport.tests.conversation import Conversation
from transport.tests.test_peer_limits import new_reno

PING = bytes([QuicFrameType.PING])
ACK_OF_PACKET_0 = bytes([QuicFrameType.ACK, 0, 0, 0, 0])
RETIRE_AN_OLD_NUMBER = bytes([QuicFrameType.RETIRE_CONNECTION_ID, 1])
NO_STREAM_DATA = bytes([QuicFrameType.STREAM_BASE | 2, 4, 0])  # stream 4, of no length


@pytest.fixture
def conversation() -> Conversation:
    """A server's connection whose handshake is over."""
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    return conversation


def receive(conversation: Conversation, frames: bytes) -> None:
    """One datagram of one packet."""
    conversation.server.frame_limits.begin_datagram()
    receive_payload(conversation.quic, frames, now_s=conversation.now_s)


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (PING, QuicFrameType.PING),
        (ACK_OF_PACKET_0, QuicFrameType.ACK),
        (RETIRE_AN_OLD_NUMBER, QuicFrameType.RETIRE_CONNECTION_ID),
        (NO_STREAM_DATA, STREAM_FRAMES[2]),
    ],
)
def test_a_datagram_has_only_so_many_frames_and_the_next_one_as_many(
    conversation: Conversation, frame: bytes, kind: int
) -> None:
    most = MOST_WORK // WORK.get(kind, 1)
    for _ in range(3):
        receive(conversation, frame * most)
    with pytest.raises(QuicConnectionError, match=f"more frames than {MOST_WORK} small ones cost"):
        receive(conversation, frame * (most + 1))


def test_packets_of_one_datagram_count_together(conversation: Conversation) -> None:
    receive(conversation, PING * MOST_WORK)
    with pytest.raises(QuicConnectionError):
        receive_payload(conversation.quic, PING, now_s=conversation.now_s)


def test_three_packets_of_a_handshake_and_what_a_player_asks_at_once_fit(conversation: Conversation) -> None:
    receive(conversation, 3 * ACK_OF_PACKET_0 + 16 * NO_STREAM_DATA)
