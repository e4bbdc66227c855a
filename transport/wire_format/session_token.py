"""A token opens sessions until it expires (wire_format/PROTOCOL.md, section Token)."""

from __future__ import annotations

import base64
import hmac
import re

KEY_BYTES = (32, 1024)
"""Least and most of a key; a shorter one could be guessed (RFC 2104 section 3: no less than the hash's length)."""

_PURPOSE = b"nuwa-session-token-1:"
_FORM = re.compile(r"([0-9]{1,12})\.([A-Za-z0-9_-]{43})", re.ASCII)


class TokenRefusedError(ValueError):
    """A token that opens no session; the message is one sentence for a developer."""


def make_token(key: bytes, *, expires_s: int) -> str:
    """One that opens sessions until then, in seconds of the Unix epoch."""
    return f"{expires_s}.{_code(key, str(expires_s))}"


def check_token(key: bytes, token: str | None, *, now_s: float) -> None:
    """Raises TokenRefusedError unless the key has signed the token and it has not expired."""
    if token is None:
        raise TokenRefusedError(
            "sessions of this server take a token, and none was given: ask the page's server for one"
        )
    parts = _FORM.fullmatch(token)
    if parts is None or not hmac.compare_digest(_code(key, parts[1]), parts[2]):
        raise TokenRefusedError("the token is not of this server's key: ask the page's server for one")
    late_s = now_s - int(parts[1])
    if late_s >= 0:
        raise TokenRefusedError(f"the token expired {late_s:.0f} s ago: ask the page's server for another")


def key_of(content: bytes) -> bytes:
    """The key that a file holds: all of it but white space at its ends. Raises ValueError where that is none."""
    key = content.strip()
    least, most = KEY_BYTES
    if not least <= len(key) <= most:
        raise ValueError(f"it has {len(key)} bytes where a key has {least} to {most}: openssl rand -hex 32 makes one")
    return key


def _code(key: bytes, expires: str) -> str:
    code = hmac.digest(key, _PURPOSE + expires.encode(), "sha256")
    return base64.urlsafe_b64encode(code).rstrip(b"=").decode()
