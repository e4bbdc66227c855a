"""The one capsule that is used: CLOSE_WEBTRANSPORT_SESSION (draft-ietf-webtrans-http3-02 section 5)."""

from __future__ import annotations

from aioquic.buffer import Buffer, encode_uint_var  # type: ignore[attr-defined]

CLOSE_SESSION = 0x2843
MAX_REASON_BYTES = 1024
MAX_BUFFERED_BYTES = 4096  # a capsule larger than that is none of ours


class CapsuleError(ValueError):
    """Bytes on the session's stream that are not capsules."""


def encode_close(code: int, reason: str) -> bytes:
    """A close with its reason, cut to what the draft allows."""
    payload = code.to_bytes(4, "big") + reason.encode()[:MAX_REASON_BYTES]
    return encode_uint_var(CLOSE_SESSION) + encode_uint_var(len(payload)) + payload


class CapsuleReader:
    """Collects the bytes of a session's stream and finds the close among them."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> tuple[int, str] | None:
        """Code and reason once the peer has closed, else None; raises CapsuleError."""
        self._buffer += data
        while self._buffer:
            parsed = self._pull()
            if parsed is None:
                if len(self._buffer) > MAX_BUFFERED_BYTES:
                    raise CapsuleError(f"a capsule of more than {MAX_BUFFERED_BYTES} bytes")
                return None
            kind, payload = parsed
            if kind == CLOSE_SESSION:
                if len(payload) < 4 or len(payload) > 4 + MAX_REASON_BYTES:
                    raise CapsuleError(f"a close of {len(payload)} bytes")
                return int.from_bytes(payload[:4], "big"), payload[4:].decode(errors="replace")
        return None

    def _pull(self) -> tuple[int, bytes] | None:
        buffer = Buffer(data=self._buffer)
        try:
            kind = buffer.pull_uint_var()
            payload = buffer.pull_bytes(buffer.pull_uint_var())
        except ValueError:
            return None
        self._buffer = self._buffer[buffer.tell() :]
        return kind, payload
