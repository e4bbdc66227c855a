"""Streams that a peer may not stop, since they are written to later (RFC 9114 section 6.2.1, RFC 9204 section 4.2)."""

from __future__ import annotations

from collections.abc import Collection

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.connection import QuicConnection, QuicConnectionError, QuicReceiveContext
from aioquic.quic.packet import QuicErrorCode, QuicFrameType

from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS


def keep_streams(quic: QuicConnection, kept: Collection[int]) -> None:
    """End the connection of a peer that stops one of these."""
    handlers = getattr(quic, FRAME_HANDLERS)
    handle, epochs = handlers.get(QuicFrameType.STOP_SENDING)  # not by its index, which counts as a frame's work

    def on_stop_sending(context: QuicReceiveContext, frame_type: int, buffer: Buffer) -> None:
        begin = buffer.tell()
        stream_id = buffer.pull_uint_var()
        buffer.seek(begin)
        if stream_id in kept:
            raise QuicConnectionError(
                error_code=QuicErrorCode.PROTOCOL_VIOLATION,
                frame_type=frame_type,
                reason_phrase=f"stream {stream_id} cannot be done without",
            )
        handle(context, frame_type, buffer)

    handlers[QuicFrameType.STOP_SENDING] = (on_stop_sending, epochs)
