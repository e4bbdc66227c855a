"""How much work a datagram may make: aioquic handles all its frames, be there hundreds (RFC 9000 section 21.9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NoReturn

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicConnectionError, QuicReceiveContext
from aioquic.quic.packet import QuicErrorCode, QuicFrameType, is_long_header
from aioquic.tls import Epoch

from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS
from transport.aioquic_adapter.work_budget import DATAGRAM_WORK, HANDSHAKE_DATAGRAM_WORK, STREAM_WORK, WorkBudget

MOST_WORK = 200
"""Of a datagram: as many small frames. The last of a handshake has three ACKs, seven connection IDs and streams."""
MOST_ACK_RANGES = 256
"""Beside the first. Chromium tells of 255 at most, aioquic of 64, Firefox of 32."""
ACK_RANGES_PER_WORK = 4
"""So many cost what a small frame does."""
ACK_FRAMES = (QuicFrameType.ACK, QuicFrameType.ACK_ECN)
STREAM_FRAMES = range(QuicFrameType.STREAM_BASE, QuicFrameType.STREAM_BASE + 8)
DATAGRAM_FRAMES = (QuicFrameType.DATAGRAM, QuicFrameType.DATAGRAM_WITH_LENGTH)
WORK = {
    **dict.fromkeys(ACK_FRAMES, 20),
    **dict.fromkeys((QuicFrameType.NEW_CONNECTION_ID, QuicFrameType.RETIRE_CONNECTION_ID), 2),
    **dict.fromkeys((QuicFrameType.CRYPTO, *STREAM_FRAMES, *DATAGRAM_FRAMES), 4),
    **dict.fromkeys((QuicFrameType.STOP_SENDING, QuicFrameType.RESET_STREAM), 5),
    QuicFrameType.PATH_CHALLENGE: 80,  # its answer fills a datagram, and would earn the next question
}
"""Of frames that cost more than a small one; an ACK's ranges come on top. Chromium cuts its hello into a dozen pieces,
with PINGs in between. A page that seeks may end 16 requests at once, each in both directions."""

Handle = Callable[[QuicReceiveContext, int, Buffer], None]
Handler = tuple[Handle, frozenset[Epoch]]


class FrameLimits:
    """Of one connection; without a datagram having begun, nothing is counted."""

    def __init__(self, quic: QuicConnection) -> None:
        """Take over the handlers of frames in a connection that has not begun."""
        self._budget = WorkBudget()
        self._opening_work = DATAGRAM_WORK
        """Of the datagram that is being read."""
        self._stream_limits = (quic._local_max_streams_bidi, quic._local_max_streams_uni)
        self._streams_opened = 0
        """Of those that have been counted."""
        self._work = work = _Work()
        handlers: dict[int, Handler] = getattr(quic, FRAME_HANDLERS)
        counted: dict[int, Handler] = {
            kind: (_counting_ranges(handlers[kind][0], work), handlers[kind][1]) for kind in ACK_FRAMES
        }
        setattr(quic, FRAME_HANDLERS, _CountedHandlers({**handlers, **counted}, work))

    @property
    def has_read(self) -> bool:
        """Whether the datagram had a frame so far: then the peer has sent it, for the first time."""
        return self._work.left < MOST_WORK

    def bound_work(self, per_s: float) -> None:
        """Let the peer ask for no more in the long run, beside what it earns."""
        self._budget.bound(per_s)

    def count(self, frame_type: int) -> None:
        """A frame for which no handler is asked. Raises QuicConnectionError beyond the limit."""
        self._work.take(WORK.get(frame_type, 1), frame_type)

    def count_ack(self, *, ranges: int) -> None:
        """The same, of an ACK with so many ranges beside the first."""
        self._work.take(WORK[QuicFrameType.ACK] + ranges // ACK_RANGES_PER_WORK, QuicFrameType.ACK)

    def begin_datagram(self, first_byte: int, *, now_s: float, bytes_sent: int, bytes_in_flight: int) -> bool:
        """Count anew; False where the peer has asked for so much lately that this datagram is not to be read."""
        work, budget = self._work, self._budget
        if self.has_read:
            budget.spend(self._opening_work + MOST_WORK - work.left + STREAM_WORK * self._count_new_streams())
        work.left = MOST_WORK
        self._opening_work = HANDSHAKE_DATAGRAM_WORK if is_long_header(first_byte) else DATAGRAM_WORK
        return budget.allows_more(now_s=now_s, bytes_sent=bytes_sent, bytes_in_flight=bytes_in_flight)

    def _count_new_streams(self) -> int:
        bidirectional, unidirectional = self._stream_limits
        before, self._streams_opened = self._streams_opened, bidirectional.used + unidirectional.used
        return self._streams_opened - before


class _Work:
    """What a datagram may still ask for; apart from the handlers, which would refer to themselves."""

    left: float = math.inf

    def take(self, units: int, frame_type: int) -> None:
        self.left -= units
        if self.left < 0:
            _refuse(frame_type, f"a datagram has more frames than {MOST_WORK} small ones cost")


class _CountedHandlers(dict[int, Handler]):
    """Asked once for each frame."""

    def __init__(self, handlers: dict[int, Handler], work: _Work) -> None:
        super().__init__(handlers)
        self._work = work

    def __getitem__(self, frame_type: int) -> Handler:
        self._work.take(WORK.get(frame_type, 1), frame_type)
        return super().__getitem__(frame_type)


def _counting_ranges(handle: Handle, work: _Work) -> Handle:
    """An ACK's handler that asks first how many ranges there are, before aioquic sorts them in one by one."""

    def on_ack(context: QuicReceiveContext, frame_type: int, buffer: Buffer) -> None:
        begin = buffer.tell()
        buffer.pull_uint_var()  # the largest packet
        buffer.pull_uint_var()  # the delay
        ranges: int = buffer.pull_uint_var()
        buffer.seek(begin)
        if ranges > MOST_ACK_RANGES:
            _refuse(frame_type, f"an ACK has more than {MOST_ACK_RANGES} ranges")
        work.take(ranges // ACK_RANGES_PER_WORK, frame_type)
        handle(context, frame_type, buffer)

    return on_ack


def _refuse(frame_type: int, reason: str) -> NoReturn:
    raise QuicConnectionError(error_code=QuicErrorCode.INTERNAL_ERROR, frame_type=frame_type, reason_phrase=reason)
