"""What is read without aioquic's ways for all packets and frames has the same effect, whoever sends it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import pytest
from aioquic.buffer import encode_uint_var
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection, QuicConnectionError
from aioquic.quic.events import DatagramFrameReceived
from aioquic.quic.packet import QuicFrameType
from aioquic.tls import Epoch
from hypothesis import given, settings
from hypothesis import strategies as st

from transport.aioquic_adapter.fast_payloads import MOST_RANGES
from transport.aioquic_adapter.payloads import receive_payload
from transport.aioquic_adapter.recovery import RTT_ESTIMATE
from transport.tests.busy_conversation import CERTIFICATE, KEY, same_numbers_again
from transport.tests.conversation import CLIENT_ADDRESS, Conversation, new_reno

SHORT_HEADER = 0x40
NUMBERS = st.one_of(st.integers(0, 40), st.integers(0, 2**62 - 1))


def frame(kind: int, *numbers: int, rest: bytes = b"") -> bytes:
    """Of variable-length integers, and what follows them."""
    return b"".join(map(encode_uint_var, (kind, *numbers))) + rest


ACKS = st.builds(
    lambda kind, largest, delay, count, numbers: frame(kind, largest, delay, count, *numbers),
    st.sampled_from((QuicFrameType.ACK, QuicFrameType.ACK_ECN)),
    NUMBERS,
    NUMBERS,
    st.integers(0, MOST_RANGES + 2),
    st.lists(st.integers(0, 12), max_size=2 * MOST_RANGES + 8),
)
DATAGRAMS = st.builds(
    lambda size, data: frame(QuicFrameType.DATAGRAM_WITH_LENGTH, size, rest=data),
    st.integers(0, 20),
    st.binary(max_size=20),
)
OTHERS = st.sampled_from(
    (
        frame(QuicFrameType.PING),
        bytes(3),
        frame(QuicFrameType.MAX_DATA, 2**30),
        frame(QuicFrameType.DATAGRAM, rest=b"until the end"),
        frame(QuicFrameType.PATH_CHALLENGE, rest=bytes(8)),
        frame(0x3F),
    )
)
PAYLOADS = st.lists(st.one_of(ACKS, DATAGRAMS, OTHERS, st.binary(max_size=6)), max_size=6).map(b"".join)


class Steady(Conversation):
    """One that goes the same way each time."""

    def _configuration(self) -> QuicConfiguration:
        configuration = super()._configuration()
        configuration.certificate, configuration.private_key = CERTIFICATE, KEY
        return configuration


def begun(*, is_fast: bool) -> Conversation:
    """A server that knows its path, with ten packets in flight."""
    with same_numbers_again(1):
        conversation = Steady(new_reno, rng=random.Random(1), is_fast=is_fast)
        conversation.run(30_000)
    quic = conversation.quic
    quic._configuration.max_datagram_frame_size = 65_536
    conversation.now_s += 0.5
    quic.send_stream_data(quic.get_next_available_stream_id(is_unidirectional=True), bytes(30_000))
    conversation.server.take_flight(now_s=conversation.now_s)
    quic._events.clear()
    return conversation


def outcome(conversation: Conversation, payloads: Sequence[bytes]) -> list[object]:
    """Of each payload, as that of a datagram, and how the connection stands after all of them."""
    quic, limits = conversation.quic, conversation.server.frame_limits
    found = list[object]()
    for payload in payloads:
        conversation.now_s += 0.01
        limits.begin_datagram(SHORT_HEADER, now_s=conversation.now_s, bytes_sent=0, bytes_in_flight=0)
        try:
            receive_payload(quic, payload, now_s=conversation.now_s)
        except QuicConnectionError as error:
            found.append((error.error_code, error.frame_type, error.reason_phrase))
        found.append(limits._work.left)
    return [*found, *standing(quic)]


def standing(quic: QuicConnection) -> list[object]:
    """What packets and frames change."""
    space = quic._spaces[Epoch.ONE_RTT]
    return [
        [event.data for event in quic._events if isinstance(event, DatagramFrameReceived)],
        list(space.sent_packets),
        (space.ack_eliciting_in_flight, space.largest_acked_packet, space.loss_time, quic._loss._pto_count),
        [getattr(quic._loss, name) for name in RTT_ESTIMATE],
        (quic._loss.bytes_in_flight, quic._loss.congestion_window, quic._remote_max_data),
        (space.expected_packet_number, space.largest_received_packet, space.largest_received_time, space.ack_at),
        list(space.ack_queue),
        (quic._spin_bit, quic._spin_highest_pn, quic._ack_eliciting_sent_since_receipt),
        (quic._close_event, quic._close_pending, quic._close_at),
        (quic.host_cid, quic._cryptos[Epoch.ONE_RTT].recv.key_phase),
    ]


@settings(max_examples=60, deadline=None)
@given(payloads=st.lists(PAYLOADS, min_size=1, max_size=20))
def test_any_payload_has_the_effect_that_it_has_in_aioquic(payloads: list[bytes]) -> None:
    fast, slow = begun(is_fast=True), begun(is_fast=False)
    assert outcome(fast, payloads) == outcome(slow, payloads)


def from_client(conversation: Conversation, data: bytes) -> bytes:
    """A datagram that brings this one, and acknowledges what has come."""
    client = conversation.client
    client._remote_max_datagram_frame_size = 65_536
    client.send_datagram_frame(data)
    ((datagram, _),) = client.datagrams_to_send(now=conversation.now_s)
    return datagram


def read(conversation: Conversation, *datagrams: bytes) -> list[object]:
    """One after the other."""
    for datagram in datagrams:
        conversation.now_s += 0.001
        conversation.server.receive_datagram(datagram, CLIENT_ADDRESS, now_s=conversation.now_s)
    return standing(conversation.quic)


@pytest.fixture
def left_to_aioquic(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Datagrams that were."""
    datagrams: list[bytes] = []
    receive = QuicConnection.receive_datagram

    def noting(quic: QuicConnection, data: bytes, addr: tuple[str, int], now: float) -> None:
        datagrams.append(data)
        receive(quic, data, addr, now)

    monkeypatch.setattr(QuicConnection, "receive_datagram", noting)
    return datagrams


def test_feedback_is_read_without_aioquic_once_and_in_any_order(left_to_aioquic: list[bytes]) -> None:
    conversation = begun(is_fast=True)
    first, second, third = (from_client(conversation, bytes([each]) * 30) for each in range(3))
    left_to_aioquic.clear()
    found = read(conversation, first, third, third, second, first)
    assert found[0] == [bytes([each]) * 30 for each in (0, 2, 1)]
    assert left_to_aioquic == []
    assert [len(each) for each in conversation.quic._spaces[Epoch.ONE_RTT].ack_queue][-1] >= 3


@pytest.mark.parametrize("place", [1, 9, 12, 40, -1])
def test_what_is_forged_changes_nothing(place: int) -> None:
    conversation = begun(is_fast=True)
    datagram = bytearray(from_client(conversation, bytes(30)))
    before = standing(conversation.quic)
    datagram[place] ^= 1
    assert read(conversation, bytes(datagram)) == before
    assert read(conversation, bytes([datagram[0]])) == before


@pytest.mark.parametrize("bits", [0x04, 0x08, 0x10, 0x1C])
def test_what_is_forged_is_never_left_to_aioquic(bits: int, left_to_aioquic: list[bytes]) -> None:
    """Whatever it says of its keys: to open it there takes several times as long."""
    conversation = begun(is_fast=True)
    datagram = bytearray(from_client(conversation, bytes(30)))
    before = standing(conversation.quic)
    left_to_aioquic.clear()
    datagram[0] ^= bits
    assert read(conversation, bytes(datagram)) == before
    assert left_to_aioquic == []


def packet(
    conversation: Conversation, payload: bytes, number: int, *, first_byte: int = 0x41, cid: bytes | None = None
) -> bytes:
    """One of the client's; its first byte says in how many the number is."""
    keys = conversation.client._cryptos[Epoch.ONE_RTT]
    begin = bytes([first_byte | keys.send.key_phase << 2]) + (cid or conversation.quic.host_cid)
    return keys.encrypt_packet(begin + number.to_bytes(1 + (first_byte & 0x03), "big"), payload, number)


def datagram_of(size: int) -> bytes:
    """A frame."""
    return frame(QuicFrameType.DATAGRAM_WITH_LENGTH, size, rest=bytes(size))


def numbered(*numbers: int) -> Packets:
    """A datagram in each."""
    return lambda conversation: [packet(conversation, datagram_of(5), number) for number in numbers]


def holding(payload: bytes, *, first_byte: int = 0x41) -> Packets:
    """A packet with this payload, and another one."""
    return lambda conversation: [
        packet(conversation, payload, 900, first_byte=first_byte),
        packet(conversation, datagram_of(9), 901),
    ]


def cut_short(conversation: Conversation) -> list[bytes]:
    """Packets of which the end did not come."""
    whole = packet(conversation, datagram_of(30), 900)
    return [whole[:20], whole[:30], whole[:1]]


def with_the_next_keys(conversation: Conversation) -> list[bytes]:
    """A change of keys."""
    conversation.client._cryptos[Epoch.ONE_RTT]._update_key("local_update")
    return numbered(900, 901)(conversation)


def to_another_id(conversation: Conversation) -> list[bytes]:
    """The first packet; the others go where those before it went."""
    other = conversation.quic._host_cids[1].cid
    return [packet(conversation, datagram_of(5), 900, cid=other), *numbered(901, 899)(conversation)]


def acknowledging_late(conversation: Conversation) -> list[bytes]:
    """By its own word, of what is in flight."""
    newest = conversation.quic._packet_number - 1
    payload = frame(QuicFrameType.ACK, newest, 2**20, 0, 3) + datagram_of(9)
    return [packet(conversation, payload, 900), *numbered(901)(conversation)]


Packets = Callable[[Conversation], list[bytes]]
PACKETS: Mapping[str, Packets] = {
    "in order": numbered(900, 901),
    "in no order, one twice": numbered(2000, 1000, 1999, 2000),
    "with more gaps than are acknowledged": numbered(*range(900, 1100, 2)),
    "that ask for nothing": holding(bytes(30)),
    "with nothing in them": holding(b"", first_byte=0x43),
    "with reserved bits": holding(datagram_of(30), first_byte=0x49),
    "with the spin bit": holding(datagram_of(30), first_byte=0x61),
    "with an unknown frame": holding(frame(0x3F) + bytes(4)),
    "with an ACK of what was not sent": holding(frame(QuicFrameType.ACK, 2**20, 0, 0, 0) + bytes(4)),
    "with an ACK of packet -1": holding(frame(QuicFrameType.ACK, 1, 0, 0, 2) + bytes(4)),
    "with half a datagram": holding(frame(QuicFrameType.DATAGRAM_WITH_LENGTH, 60, rest=bytes(12))),
    "with a datagram, and then an unknown frame": holding(datagram_of(9) + frame(0x3F)),
    "with a datagram above what is taken": holding(datagram_of(120)),
    "that close": holding(frame(QuicFrameType.TRANSPORT_CLOSE, 0, 0, 0) + bytes(4)),
    "with a number in more bytes than it needs": holding(b"\x40\x31\x03abc"),
    "that are cut short": cut_short,
    "with the next keys": with_the_next_keys,
    "to another ID": to_another_id,
    "with a late ACK": acknowledging_late,
}
MOST_DATAGRAM_BYTES = 100


@pytest.mark.parametrize("name", PACKETS)
def test_packets_do_what_they_do_in_aioquic(name: str) -> None:
    found = []
    for is_fast in (True, False):
        conversation = begun(is_fast=is_fast)
        conversation.quic._configuration.max_datagram_frame_size = MOST_DATAGRAM_BYTES
        before = standing(conversation.quic)
        found.append(read(conversation, *PACKETS[name](conversation)))
        assert (found[-1] == before) is (name == "that are cut short")
    assert found[0] == found[1]
