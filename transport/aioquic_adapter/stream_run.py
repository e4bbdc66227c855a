"""Full packets that end with one stream's bytes, built in one loop: to the byte what aioquic builds one by one.

The first may begin with an ACK and datagrams. Header and the frame's beginning are the same for all. Each packet costs
one join and one encryption; the masks of header protection (RFC 9001 section 5.4) come from one call of AES-ECB for all
together.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from aioquic.buffer import encode_uint_var
from aioquic.quic.crypto import SAMPLE_SIZE, CryptoPair
from aioquic.quic.packet import PACKET_FIXED_BIT, PACKET_NUMBER_MAX_SIZE, QuicFrameType
from aioquic.quic.packet_builder import PACKET_NUMBER_SEND_SIZE, QuicPacketBuilder
from aioquic.quic.stream import QuicStream

from transport.aioquic_adapter.flight_packet import AnySentPacket, FlightPacket, SentAck

STREAM_WITH_OFFSET_AND_LENGTH = QuicFrameType.STREAM_BASE | 0x06
FIN = 0x01
OFFSETS = range(2**14, 2**30)
"""Those that take four bytes (RFC 9000 section 16)."""
OFFSET_BYTES = 4
OFFSET_PREFIX = 0x80000000
LENGTH_BYTES = 2
LENGTH_PREFIX = 0x4000
NONCE_BYTES = 12
SAMPLE_OFFSET = PACKET_NUMBER_MAX_SIZE - PACKET_NUMBER_SEND_SIZE
SAMPLE = slice(SAMPLE_OFFSET, SAMPLE_OFFSET + SAMPLE_SIZE)


_encoded = lru_cache(maxsize=1024)(encode_uint_var)


def can_seal(crypto: CryptoPair) -> bool:
    """Whether a run can be written: with AES, and where the keys do not change with the next packet."""
    hp = crypto.send.hp
    return hp is not None and not hp._is_chacha20 and not crypto._update_key_requested


class Lead(NamedTuple):
    """What a flight's first packet has before its stream's data."""

    frames: bytes = b""
    ack: SentAck | None = None
    """What the first of the frames is, if that is an ACK."""


NO_LEAD = Lead()


class StreamRun:
    """The full packets that begin with the first byte that a stream has to send."""

    __slots__ = ("_builder", "_crypto", "_data_bytes", "_lead", "_offset", "_sender", "_stream_id", "packets")

    def __init__(
        self, builder: QuicPacketBuilder, crypto: CryptoPair, stream: QuicStream, *, max_offset: int, lead: Lead
    ) -> None:
        """For a stream with something to send; none of it from `max_offset` on. The first packet has the lead."""
        assert stream.stream_id is not None, "streams of CRYPTO frames have none"
        self._builder = builder
        self._crypto = crypto
        self._sender = stream.sender
        self._stream_id = _encoded(stream.stream_id)
        self._lead = lead
        pending = stream.sender._pending[0]
        self._offset = pending.start
        header_bytes = 1 + len(builder._peer_cid) + PACKET_NUMBER_SEND_SIZE
        frame_header_bytes = 1 + len(self._stream_id) + OFFSET_BYTES + LENGTH_BYTES
        self._data_bytes = builder._buffer_capacity - header_bytes - frame_header_bytes - crypto.aead_tag_size
        self.packets = 0
        """How many there are; none of offsets that take fewer or more bytes than most do."""
        if self._offset in OFFSETS:
            stop = min(pending.stop, max_offset, OFFSETS.stop)
            self.packets = max(0, (stop - self._offset + len(lead.frames)) // self._data_bytes)

    def write(self, packets: int) -> None:
        """Add so many of them to the flight; at least one."""
        builder, sender = self._builder, self._sender
        stop = self._offset + packets * self._data_bytes - len(self._lead.frames)
        has_fin = stop == sender._buffer_fin
        self._protect(self._seal(stop, has_fin=has_fin))
        sender._pending.subtract(self._offset, stop)
        sender.highest_offset = max(sender.highest_offset, stop)
        if has_fin:
            sender._pending_eof = False
        builder._flight_bytes += packets * builder._buffer_capacity
        builder._total_bytes += packets * builder._buffer_capacity

    @property
    def _first_byte(self) -> int:
        """Of the header (RFC 9000 section 17.3.1)."""
        spin, phase = self._builder._spin_bit << 5, self._crypto.key_phase << 2
        return PACKET_FIXED_BIT | spin | phase | (PACKET_NUMBER_SEND_SIZE - 1)

    def _seal(self, last_stop: int, *, has_fin: bool) -> list[bytes]:
        """The packets' payloads, encrypted; the packets are noted as the flight's."""
        builder, sender, lead = self._builder, self._sender, self._lead
        aead = self._crypto.send.aead
        assert aead is not None
        encrypt, iv = aead._aead.encrypt, aead._iv
        header = bytes([self._first_byte]) + builder._peer_cid
        frames = lead.frames
        frame_head = bytes([STREAM_WITH_OFFSET_AND_LENGTH]) + self._stream_id
        packet_bytes = builder._buffer_capacity
        packets: list[AnySentPacket] = builder._packets  # type: ignore[assignment]
        number = builder._packet_number
        first = self._offset
        begin = first - sender._buffer_start
        data = memoryview(sender._buffer[begin : begin + last_stop - first])
        payloads: list[bytes] = []
        rest = range(first + self._data_bytes - len(frames), last_stop + 1, self._data_bytes)
        for offset, stop in pairwise((first, *rest)):
            fin = has_fin and stop == last_stop
            if fin:
                frame_head = bytes([STREAM_WITH_OFFSET_AND_LENGTH | FIN]) + self._stream_id
            part = data[offset - first : stop - first]
            offset_and_length = (offset | OFFSET_PREFIX) << 16 | LENGTH_PREFIX | stop - offset
            payloads.append(
                encrypt(
                    (iv ^ number).to_bytes(NONCE_BYTES, "big"),
                    b"".join(
                        (frames, frame_head, offset_and_length.to_bytes(OFFSET_BYTES + LENGTH_BYTES, "big"), part)
                    ),
                    header + (number & 0xFFFF).to_bytes(PACKET_NUMBER_SEND_SIZE, "big"),
                )
            )
            packet = FlightPacket(number, packet_bytes, sender, offset, stop, fin)
            if frames:
                packet.ack, frames = lead.ack, b""
            packets.append(packet)
            number += 1
        return payloads

    def _protect(self, payloads: list[bytes]) -> None:
        """Put protected headers before them: they are the flight's datagrams."""
        builder = self._builder
        hp = self._crypto.send.hp
        assert hp is not None
        masks = hp._encryptor.update(b"".join([payload[SAMPLE] for payload in payloads]))
        first_byte, cid = self._first_byte, builder._peer_cid
        number = builder._packet_number
        at = 0
        for payload in payloads:
            protected_number = (number & 0xFFFF) ^ int.from_bytes(masks[at + 1 : at + 3], "big")
            number_field = protected_number.to_bytes(PACKET_NUMBER_SEND_SIZE, "big")
            builder._datagrams.append(b"".join((bytes((first_byte ^ (masks[at] & 0x1F),)), cid, number_field, payload)))
            number += 1
            at += SAMPLE_SIZE
        builder._packet_number = number
