"""A stream's sending side that keeps no piece which has arrived, whatever is missing before it."""

from __future__ import annotations

from bisect import bisect_right

from aioquic.quic.packet_builder import QuicDeliveryState
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.stream import QuicStreamSender

from transport.aioquic_adapter.send_buffer import SendBuffer


class PiecewiseSender(QuicStreamSender):
    """aioquic's own lets go of a buffer's beginning alone."""

    @staticmethod
    def take_over(sender: QuicStreamSender) -> None:
        """Of a stream on which nothing has been written yet."""
        if not sender._buffer and not isinstance(sender._buffer, SendBuffer):
            sender._buffer = SendBuffer()  # type: ignore[assignment]
            sender.__class__ = PiecewiseSender

    def on_data_delivery(self, delivery: QuicDeliveryState, start: int, stop: int, fin: bool) -> None:
        """What became of these bytes; called by aioquic, too."""
        super().on_data_delivery(delivery, start, stop, fin)
        if delivery is not QuicDeliveryState.ACKED or self._reset_error_code is not None:
            return
        begin, buffer = self._buffer_start, self._buffer
        if begin < start < stop and isinstance(buffer, SendBuffer):
            arrived = _range_of(self._acked, start)
            buffer.forget(start - begin, stop - begin, within=range(arrived.start - begin, arrived.stop - begin))


def _range_of(ranges: RangeSet, number: int) -> range:
    """The one that holds the number, which one of them does."""
    return ranges[bisect_right(ranges, number, key=lambda each: each.start) - 1]
