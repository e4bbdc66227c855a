"""A client that counts the ECN code points of what arrives and tells them in its ACKs (RFC 9000 section 13.4.1).

aioquic knows nothing of code points: it does not see which a packet came with, and writes no ACK frame with counts.
As long as nothing marked has arrived, ACKs are aioquic's.
"""

from __future__ import annotations

from aioquic.buffer import UINT_VAR_MAX_SIZE
from aioquic.quic.connection import ACK_FRAME_CAPACITY, QuicConnection
from aioquic.quic.packet import QuicFrameType, push_ack_frame
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.quic.recovery import QuicPacketNumberWindow, QuicPacketSpace

from transport.udp.marking import CodePoint

COUNTED = (CodePoint.ECT0, CodePoint.ECT1, CodePoint.CE)  # in the order of the frame (section 19.3.2)
COUNTS_CAPACITY = len(COUNTED) * UINT_VAR_MAX_SIZE
TRIGGER_PERIOD_PACKETS = 8  # as aioquic: of the packets with several ranges, so many draw one ACK, which lets them go


class ClientMarks:
    """The code points of one connection's packets."""

    def __init__(self, quic: QuicConnection) -> None:
        """Take over the ACK frames of a client's connection that has not begun."""
        self.arriving = CodePoint.NOT_ECT
        """Of the datagram that is being read."""
        self._quic = quic
        self._write_plain = quic._write_ack_frame
        quic._write_ack_frame = self._write  # type: ignore[method-assign]

    def on_datagram(self, code_point: CodePoint) -> None:
        """The datagram that is handed to aioquic next carries this."""
        self.arriving = code_point
        if code_point is not CodePoint.NOT_ECT:
            for space in self._quic._spaces.values():
                CountingWindow.take_over(space.received_packets, self)

    def _write(self, builder: QuicPacketBuilder, space: QuicPacketSpace, now: float) -> None:
        window = space.received_packets
        if not isinstance(window, CountingWindow) or not any(window.counts.values()):
            self._write_plain(builder=builder, space=space, now=now)
            return
        quic = self._quic
        assert space.largest_received_time is not None
        delay_us = int((now - space.largest_received_time) * 1_000_000)
        buffer = builder.start_frame(
            QuicFrameType.ACK_ECN,
            capacity=ACK_FRAME_CAPACITY + COUNTS_CAPACITY,
            handler=quic._on_ack_delivery,
            handler_args=(space, space.largest_received_packet),
        )
        room_bytes = builder.remaining_buffer_space - COUNTS_CAPACITY
        ranges = push_ack_frame(buffer, space.ack_queue, delay_us >> quic._local_ack_delay_exponent, room_bytes)
        for code_point in COUNTED:
            buffer.push_uint_var(window.counts[code_point])
        space.ack_at = None
        if ranges > 1 and builder.packet_number % TRIGGER_PERIOD_PACKETS == 0:
            quic._write_ping_frame(builder, comment="ACK-of-ACK trigger")


class CountingWindow(QuicPacketNumberWindow):
    """What aioquic remembers of a space's packets; it adds each that was processed, and no duplicate."""

    marks: ClientMarks
    counts: dict[CodePoint, int]

    @classmethod
    def take_over(cls, window: QuicPacketNumberWindow, marks: ClientMarks) -> None:
        """Begin to count, unless that has been done."""
        if isinstance(window, cls):
            return
        window.__class__ = cls
        assert isinstance(window, cls)
        window.marks = marks
        window.counts = dict.fromkeys(COUNTED, 0)

    def add(self, packet_number: int) -> None:
        super().add(packet_number)
        if self.marks.arriving is not CodePoint.NOT_ECT:
            self.counts[self.marks.arriving] += 1
