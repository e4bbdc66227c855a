"""How a window grows before its size is known; `cc.core.window` asks one of these for each ACK in slow start."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from cc.core.base import AckEvent


class SlowStart(ABC):
    """Growth in slow start and, for some, an end of it before the first loss."""

    @abstractmethod
    def growth_bytes(self, event: AckEvent, *, acked_bytes: int, is_initial: bool) -> float:
        """Bytes to add to the window for `acked_bytes`.

        `is_initial`: no ssthresh is known yet (RFC 9002 section 7.3.1).
        """

    @property
    def is_over(self) -> bool:
        """Whether it has ended by itself; the window as it stands becomes ssthresh."""
        return False

    def log_fields(self) -> Mapping[str, float | None]:
        """What it adds to the scheme's log; keys never change."""
        return {}


class StandardSlowStart(SlowStart):
    """One byte for each byte acknowledged (RFC 9002 section 7.3.1)."""

    def growth_bytes(self, event: AckEvent, *, acked_bytes: int, is_initial: bool) -> float:
        return acked_bytes
