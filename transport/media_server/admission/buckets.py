"""How often something may happen for whom an address stands for."""

from __future__ import annotations

from transport.keyed_buckets import KeyedBuckets
from transport.media_server.admission.prefixes import PREFIXES_A_HOUSEHOLD, household_of


class AddressBuckets:
    """A bucket for each prefix, and a larger one for each household."""

    def __init__(self, *, per_s: float, burst: int) -> None:
        self._of_prefix = KeyedBuckets(per_s=per_s, burst=burst)
        self._of_household = KeyedBuckets(per_s=PREFIXES_A_HOUSEHOLD * per_s, burst=PREFIXES_A_HOUSEHOLD * burst)

    def take(self, prefix: str, *, now_s: float) -> bool:
        """Whether it may happen now; it is counted then."""
        if not self._of_prefix.take(prefix, now_s=now_s):
            return False
        return self._of_household.take(household_of(prefix), now_s=now_s)
