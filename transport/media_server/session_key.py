"""`--session-key`: whose tokens open sessions."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from transport.wire_format.session_path import CloseCode, SessionRefusedError
from transport.wire_format.session_token import TokenRefusedError, check_token, key_of


def read_session_key(path: Path) -> bytes:
    """Raises OSError for a file that cannot be read, ValueError for one that holds no key."""
    try:
        return key_of(path.read_bytes())
    except ValueError as error:
        raise ValueError(f"--session-key {path}: {error}") from error


class SessionKey:
    """The key, and the time of day that tokens are held against."""

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives seconds of the Unix epoch."""
        self._key = key
        self._clock = clock

    def require(self, token: str | None) -> None:
        """Raises SessionRefusedError for a token that opens no session."""
        try:
            check_token(self._key, token, now_s=self._clock())
        except TokenRefusedError as error:
            raise SessionRefusedError(CloseCode.TOKEN_REFUSED, str(error)) from error
