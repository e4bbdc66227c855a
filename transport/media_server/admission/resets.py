"""Stateless resets: what a peer is told whose connection nobody here knows any more (RFC 9000 section 10.3)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable

from cc.core.token_bucket import TokenBucket

TOKEN_BYTES = 16
KEY_BYTES = 32
LEAST_RESET_BYTES = 5 + TOKEN_BYTES  # RFC 9000 section 10.3
MOST_RESET_BYTES = 42  # a longer packet is not needed to look like one of a connection
FIXED_BIT = 0x40
SHORT_HEADER_RANDOM_BITS = 0x3F


class Resets:
    """Makes tokens from connection IDs, and resets that bear them.

    The key must outlive the process for the next one to be believed; whoever has it can end connections.
    """

    def __init__(self, key: bytes, *, bucket: TokenBucket, random_bytes: Callable[[int], bytes]) -> None:
        """Raises ValueError for a key of another length than `KEY_BYTES`."""
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key for stateless resets has {KEY_BYTES} bytes, not {len(key)}")
        self._key = key
        self._bucket = bucket
        self._random_bytes = random_bytes

    def token_of(self, connection_id: bytes) -> bytes:
        """The token that the peer gets with a connection ID (RFC 9000 section 10.3.2)."""
        return hmac.digest(self._key, connection_id, hashlib.sha256)[:TOKEN_BYTES]

    def answer(self, connection_id: bytes, *, packet_bytes: int, now_s: float) -> bytes | None:
        """The reset for a packet; None where none may be sent.

        Always shorter than the packet, so two servers that answer each other fall silent (section 10.3.3).
        """
        size_bytes = min(packet_bytes - 1, MOST_RESET_BYTES)
        if size_bytes < LEAST_RESET_BYTES or not self._bucket.take(now_s=now_s):
            return None
        unpredictable = self._random_bytes(size_bytes - TOKEN_BYTES)
        first = FIXED_BIT | (unpredictable[0] & SHORT_HEADER_RANDOM_BITS)
        return bytes([first]) + unpredictable[1:] + self.token_of(connection_id)
