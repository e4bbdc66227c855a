"""aioquic's connection, with what it acknowledges and which frames it writes in our hands.

The only place of the suite that touches aioquic's private parts; `tests/test_connection.py` checks that they exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.packet import (
    QuicFrameType,
    QuicPacketType,
    pull_quic_transport_parameters,
    push_quic_transport_parameters,
)
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStream
from aioquic.tls import Epoch

from cc.core.receiver_base import Stamp

SHORT_HEADER_BYTES = 3
"""Beside the connection ID, as aioquic writes it."""
LONGEST_NUMBER_BYTES = 8
"""Of a variable-length integer (RFC 9000 section 16)."""
TAG_BYTES = 16
"""Of every cipher of QUIC (RFC 9001 section 5.3)."""


class AckForger(Protocol):
    """Decides what is acknowledged, instead of what has arrived."""

    delay_s: float | None
    """For how long it claims to have had the largest; None tells the truth."""

    def on_stamp(self, stamp: Stamp, packet_number: int) -> None:
        """The packet with this number carried a stamp."""

    def acknowledged(self, received: Sequence[range], *, now_s: float) -> Sequence[range]:
        """Packet numbers, in ascending ranges that do not touch; none sends no ACK.

        `received` is what has arrived and may not have been told of yet, in the same form.
        """


class LyingConnection(QuicConnection):
    """A client's connection. Without a forger and without frames it is aioquic's own."""

    def __init__(self, *, configuration: QuicConfiguration, forger: AckForger | None = None) -> None:
        super().__init__(configuration=configuration)
        self._forger = forger
        self._frames: list[tuple[int, bytes]] = []
        self._own_datagrams: list[bytes] = []
        self.is_stingy = False
        """Whether it gives no more credit, of connection and streams."""
        self.claimed_ack_delay_s: float | None = None
        """By how much it says that it acknowledges late (RFC 9000 section 18.2); None for what aioquic says."""

    @property
    def largest_received(self) -> int:
        """Packet number, of the packets that carry data."""
        return self._spaces[Epoch.ONE_RTT].largest_received_packet

    @property
    def bytes_granted(self) -> int:
        """How much the server lets us send on all streams together, as far as it has told."""
        return self._remote_max_data

    @property
    def streams_granted(self) -> Sequence[tuple[int, int]]:
        """Every stream that the server lets us open: its number, and how much it lets us send on it at first."""
        bidirectional, unidirectional = range(self._remote_max_streams_bidi), range(self._remote_max_streams_uni)
        return [
            *((4 * number, self._remote_max_stream_data_bidi_remote) for number in bidirectional),
            *((4 * number + 2, self._remote_max_stream_data_uni) for number in unidirectional),
        ]

    def write_frame(self, frame_type: int, content: bytes) -> None:
        """Have the next packet carry this frame, whatever it means."""
        self._frames.append((frame_type, content))
        self.send_ping(len(self._frames))

    def grant(self, stream_id: int, more_bytes: int) -> None:
        """So much more credit, of a connection that is stingy and of one of its streams."""
        of_all, stream = self._local_max_data, self._streams[stream_id]
        of_all.value += more_bytes
        stream.max_stream_data_local += more_bytes
        self.write_frame(QuicFrameType.MAX_DATA, encode_uint_var(of_all.value))
        limit = encode_uint_var(stream_id) + encode_uint_var(stream.max_stream_data_local)
        self.write_frame(QuicFrameType.MAX_STREAM_DATA, limit)

    @property
    def is_over(self) -> bool:
        """Whether either side has closed it."""
        return self._close_event is not None

    @property
    def end_reason(self) -> str | None:
        """What the side that closed it said; None while it is open."""
        return None if self._close_event is None else self._close_event.reason_phrase

    @property
    def server_id(self) -> bytes:
        """The server's connection ID in use; whoever sees a datagram on its way sees it."""
        cid: bytes = self._peer_cid.cid
        return cid

    @property
    def spare_ids(self) -> Sequence[bytes]:
        """Connection IDs that the server has given us for other paths (RFC 9000 section 9.5)."""
        return [each.cid for each in self._peer_cid_available]

    def forget_spare_id(self) -> int:
        """Count on one fewer, as one does who retires it; its number, for a RETIRE_CONNECTION_ID frame."""
        return int(self._peer_cid_available.pop(0).sequence_number)

    def datagram_of(self, frame_type: int, content: bytes, *, server_id: bytes | None = None) -> bytes:
        """A datagram of this frame and what `content` has after it, as small as can be, outside of window and pacer.

        `server_id`: one of the `spare_ids`, for another path. Nothing is sent again where it is lost.
        """
        peer_cid = self._peer_cid.cid if server_id is None else server_id
        builder = QuicPacketBuilder(
            host_cid=self.host_cid,
            peer_cid=peer_cid,
            version=self._version or 0,
            is_client=True,
            max_datagram_size=SHORT_HEADER_BYTES + len(peer_cid) + 1 + len(content) + TAG_BYTES,
            packet_number=self._packet_number,
        )
        builder.start_packet(QuicPacketType.ONE_RTT, self._cryptos[Epoch.ONE_RTT])
        builder.start_frame(frame_type).push_bytes(content)
        datagram: bytes = builder.flush()[0][0]
        self._packet_number = builder.packet_number
        return datagram

    def send_alone(self, datagram: bytes) -> None:
        """Have the next flight end with it, also when the connection is over."""
        self._own_datagrams.append(datagram)

    def datagrams_to_send(self, now: float) -> list[tuple[bytes, NetworkAddress]]:
        """Called by aioquic's protocol."""
        flight: list[tuple[bytes, NetworkAddress]] = super().datagrams_to_send(now)
        own, self._own_datagrams = self._own_datagrams, []
        address = self.get_peer_address()
        return flight + [(datagram, address) for datagram in own]

    def acknowledge_now(self, *, now_s: float) -> None:
        """Have the next packet carry an ACK, whether anything has arrived or not."""
        if self._handshake_complete:
            self._spaces[Epoch.ONE_RTT].ack_at = now_s

    def _serialize_transport_parameters(self) -> bytes:
        written: bytes = super()._serialize_transport_parameters()
        if self.claimed_ack_delay_s is None:
            return written
        parameters = pull_quic_transport_parameters(Buffer(data=written))
        parameters.max_ack_delay = round(1000 * self.claimed_ack_delay_s)
        buffer = Buffer(capacity=len(written) + LONGEST_NUMBER_BYTES)
        push_quic_transport_parameters(buffer, parameters)
        claimed: bytes = buffer.data
        return claimed

    def _write_ack_frame(self, builder: QuicPacketBuilder, space: QuicPacketSpace, now: float) -> None:
        if self._forger is None or space is not self._spaces[Epoch.ONE_RTT]:
            super()._write_ack_frame(builder, space, now)
            return
        received = space.ack_queue
        forged = self._forger.acknowledged(list(received), now_s=now)
        if not forged:
            space.ack_at = None
            return
        received_s = space.largest_received_time
        space.ack_queue = RangeSet(forged)
        if self._forger.delay_s is not None:
            space.largest_received_time = now - self._forger.delay_s
        try:
            super()._write_ack_frame(builder, space, now)
        finally:
            space.ack_queue, space.largest_received_time = received, received_s

    def _write_connection_limits(self, builder: QuicPacketBuilder, space: QuicPacketSpace) -> None:
        if not self.is_stingy:
            super()._write_connection_limits(builder=builder, space=space)
        while self._frames:
            frame_type, content = self._frames[0]
            builder.start_frame(frame_type, capacity=len(content) + 8).push_bytes(content)
            del self._frames[0]

    def _write_stream_limits(self, builder: QuicPacketBuilder, space: QuicPacketSpace, stream: QuicStream) -> None:
        if not self.is_stingy:
            super()._write_stream_limits(builder=builder, space=space, stream=stream)
