"""Why a connection ends, in a few words: aioquic builds no packet for a reason that is longer than one.

It raises instead, again and again, and the connection never ends. Reasons quote peers: the name of a field, for one.
"""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection
from aioquic.quic.packet import QuicErrorCode

MOST_REASON_BYTES = 200
"""During a handshake three packets of one datagram say it (RFC 9000 section 10.2.3)."""


def cut_reasons(quic: QuicConnection) -> None:
    """Of a connection that has not begun, whoever closes it: the rest would be cut on the way (section 19.19)."""
    close = quic.close

    def close_briefly(
        error_code: int = QuicErrorCode.NO_ERROR, frame_type: int | None = None, reason_phrase: str = ""
    ) -> None:
        reason = reason_phrase.encode()[:MOST_REASON_BYTES].decode(errors="ignore")
        close(error_code, frame_type, reason)

    quic.close = close_briefly  # type: ignore[method-assign]
