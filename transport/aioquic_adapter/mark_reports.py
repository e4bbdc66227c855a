"""What a client's ACKs say of ECN code points, which aioquic reads past (RFC 9000 sections 13.4 and 19.3.2).

Deviation: reports are not validated (section 13.4.2.1). The server sends without a code point, and what arrives is the
router's (`cc.links.queueing.accel_brake`), so there is nothing to hold them against. Who lies gains no more than who
reports nothing, which schemes have to put up with in any case.
"""

from __future__ import annotations

from collections.abc import Callable

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicReceiveContext
from aioquic.quic.packet import QuicFrameType
from aioquic.tls import Epoch

from cc.core.base import EcnCounts

FRAME_HANDLERS = "_QuicConnection__frame_handlers"
NO_MARKS = EcnCounts()


class MarkReports:
    """Takes the counts, which add up since the connection began, apart into what each ACK brings."""

    def __init__(self, quic: QuicConnection, on_marks: Callable[[EcnCounts], None]) -> None:
        """`on_marks` is told before aioquic takes the ACK."""
        handlers = getattr(quic, FRAME_HANDLERS)
        self._quic = quic
        self._on_marks = on_marks
        self._reported: dict[Epoch, EcnCounts] = {}
        self._handle, epochs = handlers[QuicFrameType.ACK_ECN]
        handlers[QuicFrameType.ACK_ECN] = (self._on_frame, epochs)

    def _on_frame(self, context: QuicReceiveContext, frame_type: int, buffer: Buffer) -> None:
        begin = buffer.tell()
        try:
            largest, _, ranges, _ = (buffer.pull_uint_var() for _ in range(4))
            for _ in range(2 * ranges):  # a gap and a length each, for aioquic alone to sort in
                buffer.pull_uint_var()
            ect0, ect1, ce = (buffer.pull_uint_var() for _ in range(3))
            self._report(context.epoch, largest, EcnCounts(ect0=ect0, ect1=ect1, ce=ce))
        except ValueError:
            pass  # malformed: aioquic says so below
        buffer.seek(begin)
        self._handle(context, frame_type, buffer)

    def _report(self, epoch: Epoch, largest: int, counts: EcnCounts) -> None:
        """An ACK that was overtaken says nothing new (section 13.4.2.1)."""
        before = self._reported.get(epoch, NO_MARKS)
        if largest <= self._quic._spaces[epoch].largest_acked_packet:
            return
        if counts.ect0 < before.ect0 or counts.ect1 < before.ect1 or counts.ce < before.ce:
            return  # no count goes back
        self._reported[epoch] = counts
        self._on_marks(
            EcnCounts(ect0=counts.ect0 - before.ect0, ect1=counts.ect1 - before.ect1, ce=counts.ce - before.ce)
        )
