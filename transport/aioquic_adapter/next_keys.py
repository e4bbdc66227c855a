"""The keys that come next, derived once: a packet need only look like a change of keys to ask for them.

Until it is decrypted nobody knows whether the bit of the key phase is the peer's or forged (RFC 9001 section 6.3).
"""

from __future__ import annotations

from aioquic.quic import crypto
from aioquic.quic.crypto import CryptoContext

NEXT_KEYS = "next_keys"
"""Under which a context has the secret that they follow, and them."""

_derive = crypto.next_key_phase


def remember_next_keys() -> None:
    """Before any connection begins.

    aioquic derives them for each such packet, which costs as much as to decrypt seven.
    """
    crypto.next_key_phase = next_keys  # type: ignore[assignment]


def next_keys(context: CryptoContext) -> CryptoContext:
    """Those that follow a context's own."""
    known: tuple[bytes | None, CryptoContext] | None = vars(context).get(NEXT_KEYS)
    if known is None or known[0] != context.secret:
        known = (context.secret, _derive(context))
        vars(context)[NEXT_KEYS] = known
    return known[1]
