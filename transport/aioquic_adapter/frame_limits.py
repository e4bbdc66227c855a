"""How much work a datagram may make: aioquic handles all its frames, be there hundreds (RFC 9000 section 21.9)."""

from __future__ import annotations

import math
from collections.abc import Callable

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicConnectionError, QuicReceiveContext
from aioquic.quic.packet import QuicErrorCode, QuicFrameType
from aioquic.tls import Epoch

from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS

MOST_WORK = 200
"""Of a datagram: as many small frames. The last of a handshake has three ACKs, seven connection IDs and streams."""
STREAM_FRAMES = range(QuicFrameType.STREAM_BASE, QuicFrameType.STREAM_BASE + 8)
WORK = {
    **dict.fromkeys((QuicFrameType.ACK, QuicFrameType.ACK_ECN), 20),
    **dict.fromkeys((QuicFrameType.NEW_CONNECTION_ID, QuicFrameType.RETIRE_CONNECTION_ID), 2),
    **dict.fromkeys((QuicFrameType.CRYPTO, *STREAM_FRAMES), 4),
}
"""Of frames that cost more than a small one. Chromium cuts its hello into a dozen pieces, with PINGs in between."""

Handler = tuple[Callable[[QuicReceiveContext, int, Buffer], None], frozenset[Epoch]]


class FrameLimits:
    """Of one connection; without a datagram having begun, nothing is counted."""

    def __init__(self, quic: QuicConnection) -> None:
        """Take over the handlers of frames in a connection that has not begun."""
        self._handlers = _CountedHandlers(getattr(quic, FRAME_HANDLERS))
        setattr(quic, FRAME_HANDLERS, self._handlers)

    def begin_datagram(self) -> None:
        """Count anew."""
        self._handlers.work_left = MOST_WORK


class _CountedHandlers(dict[int, Handler]):
    """Asked once for each frame."""

    work_left: float = math.inf

    def __getitem__(self, frame_type: int) -> Handler:
        self.work_left -= WORK.get(frame_type, 1)
        if self.work_left < 0:
            raise QuicConnectionError(
                error_code=QuicErrorCode.INTERNAL_ERROR,
                frame_type=frame_type,
                reason_phrase=f"a datagram has more frames than {MOST_WORK} small ones cost",
            )
        return super().__getitem__(frame_type)
