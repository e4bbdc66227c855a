"""What a peer may make a connection keep: aioquic bounds some of it, far above what a player needs (RFC 9000 21.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicConnectionError, QuicReceiveContext
from aioquic.quic.packet import QuicErrorCode, QuicFrameType
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStream, QuicStreamReceiver
from aioquic.tls import Epoch

from transport.aioquic_adapter.after_handshake import FINISHED_TLS, forget_handshake
from transport.aioquic_adapter.flight_packet import FlightPacket
from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS
from transport.aioquic_adapter.received_numbers import ReceivedNumbers
from transport.aioquic_adapter.send_buffer import SendBuffer

MAX_CLIENT_HELLO_BYTES = 16 * 1024
"""Chromium's, with a post-quantum key share, has 1.8 kB; quic-go takes as much."""
MAX_LATER_CRYPTO_BYTES = 4096
"""RFC 9000 section 7.5 asks for this much; a client has a hundred bytes to say after its hello."""
MAX_CRYPTO_GAPS = 32
"""Chromium cuts its hello into a dozen pieces and shuffles them."""
MAX_STREAM_GAPS = 8
"""A request is one or two packets."""
MAX_BIDIRECTIONAL_STREAMS = 24
"""The session, 16 requests, and some that were cancelled and wait for the peer's word."""
MAX_UNIDIRECTIONAL_STREAMS = 8
"""HTTP/3 has three; those of the session are stopped."""
PEER_STREAM_LIMIT_BYTES = 8 * 1024
"""All that a peer may ever send on one stream: a request is one short line."""
PEER_DATA_WINDOW_BYTES = 32 * 1024
"""What a peer may have us hold of its streams before they have been read."""
CRYPTO_BUFFER_BYTES = 4096
"""For our own handshake messages, about a kilobyte; aioquic takes 48 KiB for a connection."""
MAX_PEER_CONNECTION_IDS = 256
"""Numbers of connection IDs that the peer has given out and we remember: one for each change of its path."""
MAX_PENDING_EVENTS = 512
"""What has arrived is handed on before more is read: a packet of empty datagrams makes 200."""
MAX_ACKS_UNACKNOWLEDGED = 256
"""Packets with nothing but an ACK, which a silent peer never acknowledges: older ones are forgotten."""

# What is kept for one of these beside the payload, as tracemalloc counts it under CPython 3.11.
STREAM_WEIGHT_BYTES = 2600
PACKET_WEIGHT_BYTES = 1000
FLIGHT_PACKET_WEIGHT_BYTES = 500
RANGE_WEIGHT_BYTES = 112
PIECE_WEIGHT_BYTES = 48

Handler = Callable[[QuicReceiveContext, int, Buffer], None]
Epochs = frozenset[Epoch]
_epochs: dict[Epochs, Epochs] = {}
"""Each set once: aioquic makes 24 of them for every connection, 5 kB."""


class PeerLimits:
    """Takes the place of aioquic's limits in a connection that has not begun."""

    def __init__(self, quic: QuicConnection) -> None:
        self._quic = quic
        self.held_by_readers: Callable[[], int] = _nothing
        """Bytes of streams that were read and wait for more, in HTTP/3 and in the session."""
        handlers: dict[int, tuple[Handler, Epochs]] = getattr(quic, FRAME_HANDLERS)
        self._handle_crypto = handlers[QuicFrameType.CRYPTO][0]
        self._handle_new_connection_id = handlers[QuicFrameType.NEW_CONNECTION_ID][0]
        own: dict[int, Handler] = {
            QuicFrameType.CRYPTO: self._on_crypto,
            QuicFrameType.NEW_CONNECTION_ID: self._on_new_connection_id,
        }
        for kind, (handle, epochs) in handlers.items():
            handlers[kind] = (own.get(kind, handle), _epochs.setdefault(epochs, epochs))
        refuse_gaps(quic, MAX_STREAM_GAPS)
        for limit, most in (
            (quic._local_max_streams_bidi, MAX_BIDIRECTIONAL_STREAMS),
            (quic._local_max_streams_uni, MAX_UNIDIRECTIONAL_STREAMS),
        ):
            limit.value = limit.sent = most
        self._write_connection_limits = quic._write_connection_limits
        quic._write_connection_limits = self._write_limits  # type: ignore[method-assign]
        quic._write_stream_limits = _grant_no_more  # type: ignore[method-assign]
        self._initialize = quic._initialize
        quic._initialize = self._begin  # type: ignore[method-assign]

    def held_bytes(self) -> int:
        """What is kept for the peer's streams and packets, by weight: an estimate of the process's memory."""
        quic = self._quic
        held_bytes = self.held_by_readers()
        for stream in (*quic._streams.values(), *quic._crypto_streams.values()):
            receiver, sender = stream.receiver, stream.sender
            ranges = len(receiver._ranges) + len(sender._acked) + len(sender._pending)
            held_bytes += STREAM_WEIGHT_BYTES + ranges * RANGE_WEIGHT_BYTES
            unsent: bytearray | SendBuffer = sender._buffer
            held_bytes += len(receiver._buffer)
            if isinstance(unsent, SendBuffer):
                held_bytes += unsent.kept_bytes + PIECE_WEIGHT_BYTES * unsent.pieces
            else:
                held_bytes += len(unsent)
        packets, of_flights = 0, 0
        for space in quic._spaces.values():
            packets += len(space.sent_packets)
            of_flights += list(map(type, space.sent_packets.values())).count(FlightPacket)
        held_bytes += FLIGHT_PACKET_WEIGHT_BYTES * of_flights
        return held_bytes + PACKET_WEIGHT_BYTES * (packets - of_flights)

    def forget_old_acks(self) -> None:
        """A silent peer acknowledges none of them, and nothing is resent for one that is lost."""
        for space in self._quic._spaces.values():
            if len(space.sent_packets) > MAX_ACKS_UNACKNOWLEDGED:
                acks = [number for number, packet in space.sent_packets.items() if not packet.in_flight]
                for number in acks[:-MAX_ACKS_UNACKNOWLEDGED]:
                    del space.sent_packets[number]

    def forget_response(self, stream_id: int) -> None:
        """Let go of what a reset stream would still have sent, which aioquic keeps until the peer has acknowledged."""
        stream = self._quic._streams.get(stream_id)
        if stream is not None and stream.sender._reset_error_code is not None:
            sender = stream.sender
            sender._buffer.clear()
            sender._pending, sender._acked = RangeSet(), RangeSet()

    def release(self) -> None:
        """The connection has ended: let nothing refer back to it."""
        self.held_by_readers = _nothing

    def _begin(self, peer_cid: bytes) -> None:
        self._initialize(peer_cid)
        buffers = self._quic._crypto_buffers
        for epoch in buffers:
            buffers[epoch] = Buffer(capacity=CRYPTO_BUFFER_BYTES)
        for space in self._quic._spaces.values():
            space.received_packets = ReceivedNumbers()  # type: ignore[assignment]

    def _on_crypto(self, context: QuicReceiveContext, frame_type: int, buffer: Buffer) -> None:
        begin = buffer.tell()
        end_offset = buffer.pull_uint_var() + buffer.pull_uint_var()
        buffer.seek(begin)
        limit_bytes = MAX_CLIENT_HELLO_BYTES if context.epoch == Epoch.INITIAL else MAX_LATER_CRYPTO_BYTES
        if end_offset > limit_bytes:  # aioquic's TLS would collect a message of 16 MiB
            _refuse(QuicErrorCode.CRYPTO_BUFFER_EXCEEDED, frame_type, f"more than {limit_bytes} bytes of handshake")
        quic = self._quic
        if quic.tls is FINISHED_TLS and context.epoch != Epoch.ONE_RTT:
            _pass_over_crypto(buffer)  # behind the Finished, in its packet: the stream is all connections' now
            return
        self._handle_crypto(context, frame_type, buffer)
        _check_gaps(quic._crypto_streams[context.epoch].receiver, MAX_CRYPTO_GAPS, frame_type)
        if quic.tls is FINISHED_TLS:
            return
        if quic._handshake_complete:
            if context.epoch != Epoch.HANDSHAKE:  # aioquic's TLS does not ask (RFC 9001 section 4.1.3)
                _refuse(QuicErrorCode.PROTOCOL_VIOLATION, frame_type, "a handshake's end in a packet of another kind")
            forget_handshake(quic)
        elif quic.tls.received_extensions:  # they have been read; aioquic would keep them
            quic.tls.received_extensions = []
            quic._remote_version_information = None

    def _on_new_connection_id(self, context: QuicReceiveContext, frame_type: int, buffer: Buffer) -> None:
        self._handle_new_connection_id(context, frame_type, buffer)
        if len(self._quic._peer_cid_sequence_numbers) > MAX_PEER_CONNECTION_IDS:
            _refuse(QuicErrorCode.CONNECTION_ID_LIMIT_ERROR, frame_type, "too many connection IDs")

    def has_credit_to_give(self) -> bool:
        """Whether the next packet would tell the peer of a higher limit."""
        self._give_credit()
        quic = self._quic
        if quic._local_max_data.value != quic._local_max_data.sent:
            return True
        streams = (quic._local_max_streams_bidi, quic._local_max_streams_uni)
        return any([each.value != each.sent and each.sent - each.used < each.value - each.sent for each in streams])

    def _give_credit(self) -> None:
        """For what has been read; aioquic would double it at the peer's wish."""
        limit = self._quic._local_max_data
        used = limit.used
        if limit.value - used < PEER_DATA_WINDOW_BYTES // 2:
            unread = sum(len(stream.receiver._buffer) for stream in self._quic._streams.values())
            read = used - unread - self.held_by_readers()
            limit.value = max(limit.value, read + PEER_DATA_WINDOW_BYTES)

    def _write_limits(self, builder: QuicPacketBuilder, space: QuicPacketSpace) -> None:
        self._give_credit()
        limit = self._quic._local_max_data
        used = limit.used
        limit.used = 0  # aioquic doubles what is used by half
        try:
            self._write_connection_limits(builder=builder, space=space)
        finally:
            limit.used = used


def refuse_gaps(quic: QuicConnection, most: int) -> None:
    """End the connection once a stream has more."""
    handlers: dict[int, tuple[Handler, Epochs]] = getattr(quic, FRAME_HANDLERS)
    handle, epochs = handlers[QuicFrameType.STREAM_BASE]

    def on_stream(context: QuicReceiveContext, frame_type: int, buffer: Buffer) -> None:
        begin = buffer.tell()
        stream_id = buffer.pull_uint_var()
        buffer.seek(begin)
        handle(context, frame_type, buffer)
        stream = quic._streams.get(stream_id)
        if stream is not None:
            _check_gaps(stream.receiver, most, frame_type)

    handlers.update(dict.fromkeys(range(QuicFrameType.STREAM_BASE, QuicFrameType.STREAM_BASE + 8), (on_stream, epochs)))


def _check_gaps(receiver: QuicStreamReceiver, most: int, frame_type: int) -> None:
    if len(receiver._ranges) > most:
        _refuse(QuicErrorCode.INTERNAL_ERROR, frame_type, f"more than {most} gaps in a stream")


def _pass_over_crypto(buffer: Buffer) -> None:
    buffer.pull_uint_var()  # its offset
    buffer.pull_bytes(buffer.pull_uint_var())


def _refuse(error_code: QuicErrorCode, frame_type: int, reason: str) -> NoReturn:
    raise QuicConnectionError(error_code=error_code, frame_type=frame_type, reason_phrase=reason)


def _grant_no_more(builder: QuicPacketBuilder, space: QuicPacketSpace, stream: QuicStream) -> None:
    """A stream's initial credit is all that a client gets."""


def _nothing() -> int:
    return 0
