"""How often something may happen for each key."""

from __future__ import annotations

from collections.abc import Hashable

from cc.core.token_bucket import TokenBucket


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
