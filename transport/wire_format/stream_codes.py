"""Error codes of single streams (PROTOCOL.md, section Stream codes), as WebTransport and plain HTTP/3 write them."""

from __future__ import annotations

from enum import IntEnum

from aioquic.h3.connection import ErrorCode

FIRST_OF_WEBTRANSPORT, LAST_OF_WEBTRANSPORT = 0x52E4A40FA8DB, 0x52E5AC983162
RESERVED_EACH = 0x1E  # HTTP/3 keeps each 31st code for greasing (RFC 9114 section 8.1)


class StreamCode(IntEnum):
    """Why a stream ends early."""

    REQUEST_CANCELLED = 1
    SERVER_FAULT = 2


PLAIN_CODES = {
    StreamCode.REQUEST_CANCELLED: ErrorCode.H3_REQUEST_CANCELLED,
    StreamCode.SERVER_FAULT: ErrorCode.H3_INTERNAL_ERROR,
}
"""Where no session is (RFC 9114 section 8.1)."""


def webtransport_code(code: int) -> int:
    """An application's code of 32 bits as HTTP/3 has it (draft-ietf-webtrans-http3-14 section 4.4)."""
    return FIRST_OF_WEBTRANSPORT + code + code // RESERVED_EACH


def application_code(http3_code: int) -> int | None:
    """The inverse; None for a code that is no application's."""
    if not FIRST_OF_WEBTRANSPORT <= http3_code <= LAST_OF_WEBTRANSPORT or (http3_code - 0x21) % 0x1F == 0:
        return None
    shifted = http3_code - FIRST_OF_WEBTRANSPORT
    return shifted - shifted // (RESERVED_EACH + 1)
