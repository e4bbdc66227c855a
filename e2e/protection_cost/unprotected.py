"""Takes protection away from a server that is already running, so that its cost can be measured beside it."""

from __future__ import annotations

from collections.abc import Sequence

from aioquic.quic.packet import QuicFrameType

from e2e.protection_cost.viewer import Viewer
from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS
from transport.media_server import memory_watch

UNLIMITED_BYTES = 2**62


def unprotect(viewer: Viewer) -> None:
    """No packet is withheld, no ACK checked, no flight bounded, no frame held to a limit, and nobody looks at memory.

    Not before its path is known: for larger datagrams the connection makes its bounds anew. The guard stays, without
    which a receiver-driven scheme is nothing.
    """
    connection = viewer.protocol.connection
    connection.guard.withheld.due_among = _none_due  # type: ignore[method-assign]
    connection.guard.check_ack = _believe  # type: ignore[method-assign]
    bound = connection._recovery.controller.flight_bound
    bound.bytes = UNLIMITED_BYTES
    bound.on_ack = _nothing  # type: ignore[method-assign, assignment]
    limits, quic = connection.limits, connection.quic
    handlers = getattr(quic, FRAME_HANDLERS)
    for kind in range(QuicFrameType.STREAM_BASE, QuicFrameType.STREAM_BASE + 8):
        handlers[kind] = (quic._handle_stream_frame, handlers[kind][1])
    limits.forget_old_acks = _nothing  # type: ignore[method-assign]
    for task in viewer.server.server._tasks:
        if task.get_coro().__name__ == memory_watch.watch.__name__:  # type: ignore[union-attr]
            task.cancel()


def _none_due(numbers: range) -> None:
    del numbers


def _believe(ack_rangeset: Sequence[range]) -> None:
    del ack_rangeset


def _nothing(*_: object) -> None:
    return None
