"""Flights of stream data, built together instead of packet by packet; anything else is left to aioquic.

The packets are those that aioquic would build, to the byte and in the same order: `tests/test_fast_flights.py` holds
them against each other. aioquic asks for each packet whether there are connection IDs to give out, limits to raise,
paths to prove; here that is asked once for a flight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from aioquic.buffer import Buffer, BufferWriteError  # type: ignore[attr-defined]
from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicNetworkPath
from aioquic.quic.crypto import CryptoPair
from aioquic.quic.packet import QuicFrameType, QuicPacketType
from aioquic.quic.packet_builder import QuicPacketBuilder, QuicPacketBuilderStop
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStream
from aioquic.tls import Epoch

from transport.aioquic_adapter.flight_packet import SentAck
from transport.aioquic_adapter.peer_limits import PeerLimits
from transport.aioquic_adapter.recovery import SchemeRecovery
from transport.aioquic_adapter.scheme_pacer import SchemePacer
from transport.aioquic_adapter.stream_run import NO_LEAD, Lead, StreamRun, can_seal

LEAST_FRAME_BYTES = 4  # a STREAM frame without data
MOST_LEAD_BYTES = 400  # a stamp, a pong and an ACK have a fifth; a packet has room for three times as much


class FastFlights:
    """Of one connection."""

    def __init__(self, quic: QuicConnection, recovery: SchemeRecovery, limits: PeerLimits) -> None:
        """Take over the writing of 1-RTT packets in a connection that has not begun."""
        self._quic = quic
        self._recovery = recovery
        self._limits = limits
        self._write_slowly: Callable[[QuicPacketBuilder, QuicNetworkPath, float], None] = quic._write_application
        self._book_slowly = quic._flush_builder
        quic._write_application = self._write  # type: ignore[method-assign]
        quic._flush_builder = self._book  # type: ignore[method-assign]

    def _write(self, builder: QuicPacketBuilder, network_path: QuicNetworkPath, now: float) -> None:
        quic = self._quic
        if not self._has_nothing_but_streams(network_path):
            self._write_slowly(builder, network_path, now)
            return
        crypto, space, pacer = quic._cryptos[Epoch.ONE_RTT], quic._spaces[Epoch.ONE_RTT], self._recovery._pacer
        while True:
            ack_at = space.ack_at
            if ack_at is None or ack_at >= now:  # an ACK does not wait for the pacer
                quic._pacing_at = pacer.next_send_time(now)
                if quic._pacing_at is not None:
                    return
            is_ack_due = ack_at is not None and ack_at <= now
            if not is_ack_due and not quic._datagrams_pending and self._room_bytes(builder) <= 0:
                return
            lead = self._lead(space, now, is_ack_due=is_ack_due)
            waiting = [each for each in quic._streams_queue if not each.sender.buffer_is_empty and _has_data(each)]
            if lead is NO_LEAD and not waiting:
                return
            if lead is not None and self._write_run(builder, crypto, pacer, now, waiting=waiting, lead=lead):
                if lead is not NO_LEAD:
                    quic._datagrams_pending.clear()
                    if is_ack_due:
                        space.ack_at = None
                continue
            if not self._write_packet(builder, crypto, space, now):
                return
            pacer.update_after_send(now)

    def _has_nothing_but_streams(self, network_path: QuicNetworkPath) -> bool:
        """Whether ACKs, datagrams and stream data are all that may leave."""
        quic = self._quic
        return (
            quic._handshake_confirmed
            and quic._quic_logger is None
            and network_path.is_validated
            and not network_path.remote_challenges
            and not quic._handshake_done_pending
            and not quic._retire_connection_ids
            and not quic._streams_blocked_pending
            and not quic._ping_pending
            and not quic._probe_pending
            and can_seal(quic._cryptos[Epoch.ONE_RTT])
            and quic._crypto_streams[Epoch.ONE_RTT].sender.buffer_is_empty
            and all([connection_id.was_sent for connection_id in quic._host_cids])
            and not any(
                [
                    stream.sender.reset_pending or stream.receiver.stop_pending or stream.is_finished
                    for stream in quic._streams_queue  # over, or one of its sides is to be ended before its time
                ]
            )
            and not self._limits.has_credit_to_give()
        )

    def _room_bytes(self, builder: QuicPacketBuilder) -> int:
        """What the window has left for this flight."""
        assert builder.max_flight_bytes is not None
        return builder.max_flight_bytes - builder._flight_bytes

    def _lead(self, space: QuicPacketSpace, now_s: float, *, is_ack_due: bool) -> Lead | None:
        """What goes before stream data in the next packet; None for what aioquic has to write."""
        datagrams = self._quic._datagrams_pending
        if not is_ack_due and not datagrams:
            return NO_LEAD
        ack, frames = None, Buffer(capacity=MOST_LEAD_BYTES)
        push = frames.push_uint_var
        if is_ack_due:
            if len(space.ack_queue) != 1:
                return None
            assert space.largest_received_time is not None
            received = space.ack_queue[0]
            push(QuicFrameType.ACK)
            push(received.stop - 1)
            push(int((now_s - space.largest_received_time) * 1000000) >> self._quic._local_ack_delay_exponent)
            push(0)  # ranges beside the first
            push(received.stop - 1 - received.start)
            ack = SentAck(space, space.largest_received_packet)
        try:
            for data in datagrams:
                push(QuicFrameType.DATAGRAM_WITH_LENGTH)
                push(len(data))
                frames.push_bytes(data)
        except BufferWriteError:
            return None
        return Lead(frames.data, ack)

    def _write_run(
        self,
        builder: QuicPacketBuilder,
        crypto: CryptoPair,
        pacer: SchemePacer,
        now_s: float,
        *,
        waiting: Sequence[QuicStream],
        lead: Lead,
    ) -> bool:
        """Write full packets of the one stream that has something to send; whether there are such."""
        if len(waiting) != 1 or not len(waiting[0].sender._pending):
            return False
        (stream,) = waiting
        run = StreamRun(builder, crypto, stream, max_offset=self._max_offset(stream), lead=lead)
        packets = min(run.packets, self._room_bytes(builder) // builder._buffer_capacity)
        if packets <= 0:
            return False
        paced = pacer.packets_now(now_s, most=packets)
        if paced > 0:
            pacer.update_after_sending(paced, now_s)
        elif lead.ack is not None:  # which does not wait for the pacer
            paced = 1
            pacer.update_after_send(now_s)
        else:
            return False
        before_bytes = stream.sender.highest_offset
        run.write(paced)
        self._note_sent({stream} if self._count_new(stream, before_bytes) else set())
        return True

    def _write_packet(
        self, builder: QuicPacketBuilder, crypto: CryptoPair, space: QuicPacketSpace, now_s: float
    ) -> bool:
        """Write one packet with whatever fits; whether there was anything."""
        quic = self._quic
        builder.start_packet(QuicPacketType.ONE_RTT, crypto)
        if space.ack_at is not None and space.ack_at <= now_s:
            quic._write_ack_frame(builder=builder, space=space, now=now_s)
        try:
            while quic._datagrams_pending:
                data = quic._datagrams_pending[0]
                quic._write_datagram_frame(builder=builder, data=data, frame_type=QuicFrameType.DATAGRAM_WITH_LENGTH)
                quic._datagrams_pending.popleft()
        except QuicPacketBuilderStop:
            pass  # it waits for the next packet
        sent: set[QuicStream] = set()
        for stream in quic._streams_queue:
            if builder.remaining_flight_space < LEAST_FRAME_BYTES:
                break
            if not stream.sender.buffer_is_empty and _has_data(stream):
                before_bytes = stream.sender.highest_offset
                quic._write_stream_frame(
                    builder=builder, space=space, stream=stream, max_offset=self._max_offset(stream)
                )
                if self._count_new(stream, before_bytes):
                    sent.add(stream)
        self._note_sent(sent)
        if builder.packet_is_empty:
            return False
        builder._end_packet()
        return True

    def _max_offset(self, stream: QuicStream) -> int:
        """How far the peer lets a stream go."""
        quic = self._quic
        credit_bytes = quic._remote_max_data - quic._remote_max_data_used
        return min(stream.sender.highest_offset + credit_bytes, stream.max_stream_data_remote)

    def _count_new(self, stream: QuicStream, before_bytes: int) -> bool:
        """Count what was sent for the first time against the peer's credit; whether there was any."""
        new_bytes = stream.sender.highest_offset - before_bytes
        self._quic._remote_max_data_used += new_bytes
        return new_bytes > 0

    def _note_sent(self, sent: set[QuicStream]) -> None:
        """Those who have sent new data go to the end of the queue."""
        queue = self._quic._streams_queue
        if sent and (len(sent) > 1 or queue[-1] not in sent):
            self._quic._streams_queue = [stream for stream in queue if stream not in sent]
            self._quic._streams_queue.extend(sent)

    def _book(
        self, builder: QuicPacketBuilder, network_path: QuicNetworkPath, peer_cid: bytes, now: float
    ) -> list[tuple[bytes, NetworkAddress]]:
        """Note a flight as sent; after the handshake its packets are all of one kind."""
        quic = self._quic
        if not quic._handshake_confirmed or quic._quic_logger is not None:
            return self._book_slowly(builder, network_path, peer_cid, now)
        datagrams, packets = builder.flush()
        if not datagrams:
            return []
        quic._packet_number = builder.packet_number
        self._recovery.on_flight_sent(packets, now_s=now, space=quic._spaces[Epoch.ONE_RTT])
        if not quic._ack_eliciting_sent_since_receipt and any(packet.is_ack_eliciting for packet in packets):
            quic._close_at = now + quic._idle_timeout()  # RFC 9000 section 10.1
            quic._ack_eliciting_sent_since_receipt = True
        network_path.bytes_sent += sum(map(len, datagrams))
        addr = network_path.addr
        return [(data, addr) for data in datagrams]


def _has_data(stream: QuicStream) -> bool:
    """Of one whose buffer is not empty, which few of a connection's are."""
    sender = stream.sender
    return not stream.is_blocked and (sender._pending_eof or len(sender._pending) > 0)
