"""How often something may happen."""

from __future__ import annotations


class TokenBucket:
    """`burst` times at once, `per_s` times a second in the long run."""

    def __init__(self, *, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._tokens = float(burst)
        self._counted_at_s: float | None = None

    def take(self, *, now_s: float) -> bool:
        """Whether it may happen now; it is counted then."""
        self._refill(now_s=now_s)
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True

    def has_one(self, *, now_s: float) -> bool:
        """Whether it may happen now; nothing is counted."""
        self._refill(now_s=now_s)
        return self._tokens >= 1.0

    def is_full(self, *, now_s: float) -> bool:
        """Whether it is as good as new."""
        self._refill(now_s=now_s)
        return self._tokens >= self._burst

    def _refill(self, *, now_s: float) -> None:
        if self._counted_at_s is not None:
            elapsed_s = max(0.0, now_s - self._counted_at_s)
            self._tokens = min(self._burst, self._tokens + self._per_s * elapsed_s)
        self._counted_at_s = now_s
