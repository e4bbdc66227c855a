"""How often something may happen."""

from __future__ import annotations

from collections.abc import Hashable


class TokenBucket:
    """`burst` times at once, `per_s` times a second in the long run."""

    def __init__(self, *, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._tokens = float(burst)
        self._counted_at_s: float | None = None

    def take(self, *, now_s: float) -> bool:
        """Whether it may happen now; it is counted then."""
        if not self.has_one(now_s=now_s):
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


class KeyedBuckets:
    """A bucket for each key, of which the full ones are forgotten."""

    MOST_KEYS = 4096
    """Of some hundred bytes each. With more, the one that was made first goes: it had the longest time to fill."""

    def __init__(self, *, per_s: float, burst: int) -> None:
        self._per_s = per_s
        self._burst = burst
        self._buckets: dict[Hashable, TokenBucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: Hashable, *, now_s: float) -> bool:
        """Whether it may happen now for this key; it is counted then."""
        bucket = self._buckets.get(key)
        if bucket is None:
            self._make_room(now_s=now_s)
            bucket = self._buckets[key] = TokenBucket(per_s=self._per_s, burst=self._burst)
        return bucket.take(now_s=now_s)

    def _make_room(self, *, now_s: float) -> None:
        if len(self._buckets) < self.MOST_KEYS:
            return
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now_s=now_s)}
        if len(self._buckets) >= self.MOST_KEYS:
            del self._buckets[next(iter(self._buckets))]
