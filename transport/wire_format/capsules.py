"""The one capsule that is used: CLOSE_WEBTRANSPORT_SESSION (draft-ietf-webtrans-http3-02 section 5)."""

from __future__ import annotations

from aioquic.buffer import Buffer, BufferReadError, encode_uint_var  # type: ignore[attr-defined]

CLOSE_SESSION = 0x2843
MAX_REASON_BYTES = 1024
MAX_BUFFERED_BYTES = 16 + 4 + MAX_REASON_BYTES  # a type, a length and the longest close


class CapsuleError(ValueError):
    """Bytes on the session's stream that are not capsules."""


def encode_close(code: int, reason: str) -> bytes:
    """A close with its reason, cut between two characters to what the draft allows."""
    cut = reason.encode()[:MAX_REASON_BYTES].decode(errors="ignore")
    payload = code.to_bytes(4, "big") + cut.encode()
    return encode_uint_var(CLOSE_SESSION) + encode_uint_var(len(payload)) + payload


class CapsuleReader:
    """Finds the close among the bytes of a session's stream; other capsules are skipped (RFC 9297 section 3.2)."""

    def __init__(self) -> None:
        self._buffer = b""
        self._skipped_bytes = 0
        """What is still to come of a capsule that is none of ours."""

    def feed(self, data: bytes) -> tuple[int, str] | None:
        """Code and reason once the peer has closed, else None; raises CapsuleError."""
        buffer = Buffer(data=self._buffer + data)
        read_bytes = 0
        try:
            while True:
                skipped_bytes = min(self._skipped_bytes, buffer.capacity - read_bytes)
                self._skipped_bytes -= skipped_bytes
                read_bytes += skipped_bytes
                buffer.seek(read_bytes)
                kind, size_bytes = buffer.pull_uint_var(), buffer.pull_uint_var()
                if kind == CLOSE_SESSION:
                    return _close(buffer, size_bytes)
                self._skipped_bytes = buffer.tell() + size_bytes - read_bytes
        except BufferReadError:  # more has to come
            self._buffer = buffer.data_slice(read_bytes, buffer.capacity)
            return None


def _close(buffer: Buffer, size_bytes: int) -> tuple[int, str]:
    """Raises CapsuleError, or BufferReadError where more has to come."""
    if not 4 <= size_bytes <= 4 + MAX_REASON_BYTES:
        raise CapsuleError(f"a close of {size_bytes} bytes")
    code: int = buffer.pull_uint32()
    return code, buffer.pull_bytes(size_bytes - 4).decode(errors="replace")
