"""What schemes left of the paths to clients, by the client's address, for a while."""

from __future__ import annotations

from collections.abc import Callable

from cc.core.path_record import PathRecord

LIFETIME_S = 600.0
MOST_RECORDS = 10_000  # of some hundred bytes each; the oldest go first


class PathRecords:
    """The records of one server."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._records: dict[str, tuple[float, PathRecord]] = {}
        """With the time until which each is good, the oldest first."""

    def __len__(self) -> int:
        return len(self._records)

    def find(self, host: str) -> PathRecord | None:
        """The last that was kept of the paths to this address; None where that is too long ago."""
        good_until_s, record = self._records.get(host, (0.0, None))
        return record if self._now_s() < good_until_s else None

    def keep(self, host: str, record: PathRecord) -> None:
        """In the place of the one before; one that is only handed back becomes no younger."""
        if self.find(host) is record:
            return
        self._records.pop(host, None)
        self._records[host] = (self._now_s() + LIFETIME_S, record)
        if len(self._records) > MOST_RECORDS:
            del self._records[next(iter(self._records))]
