"""The one capsule that is used: CLOSE_WEBTRANSPORT_SESSION (draft-ietf-webtrans-http3-02 section 5)."""

from __future__ import annotations

from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]

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
        self._buffer += data
        while True:
            skipped_bytes = min(self._skipped_bytes, len(self._buffer))
            self._buffer = self._buffer[skipped_bytes:]
            self._skipped_bytes -= skipped_bytes
            buffer = Buffer(data=self._buffer)
            try:
                kind, size_bytes = buffer.pull_uint_var(), buffer.pull_uint_var()
            except ValueError:  # more has to come
                return None
            if kind != CLOSE_SESSION:
                self._skipped_bytes = buffer.tell() + size_bytes
                continue
            if not 4 <= size_bytes <= 4 + MAX_REASON_BYTES:
                raise CapsuleError(f"a close of {size_bytes} bytes")
            payload = self._buffer[buffer.tell() :]
            if len(payload) < size_bytes:
                return None
            return int.from_bytes(payload[:4], "big"), payload[4:size_bytes].decode(errors="replace")
