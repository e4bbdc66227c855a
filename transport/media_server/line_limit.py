"""A bound on what peers can make the server write into its log."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

from transport.keyed_buckets import KeyedBuckets

LINES_AT_ONCE = 10
LINES_PER_S = 1.0


class LineLimit(logging.Filter):
    """From each place in the code ten lines at once and one a second; the next one says how many were left out."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """`now_s`: a monotonic clock."""
        super().__init__()
        self._now_s = now_s
        self._buckets = KeyedBuckets(per_s=LINES_PER_S, burst=LINES_AT_ONCE)
        self._left_out: Counter[tuple[str, int]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        place = (record.pathname, record.lineno)
        if not self._buckets.take(place, now_s=self._now_s()):
            self._left_out[place] += 1
            return False
        left_out = self._left_out.pop(place, 0)
        if left_out:
            record.msg, record.args = "%s (%d such lines before it were left out)", (record.getMessage(), left_out)
        return True
