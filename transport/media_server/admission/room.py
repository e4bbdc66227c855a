"""Connections at one stage of their life."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from transport.media_server.admission.limits import RoomLimits
from transport.media_server.admission.prefixes import household_of

Connection = TypeVar("Connection", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Place:
    prefix: str
    since_s: float


class Room(Generic[Connection]):
    """Who is at the stage, in the order of coming; time comes in as an argument and does not run backwards."""

    def __init__(self, limits: RoomLimits) -> None:
        self._limits = limits
        self._places: dict[Connection, _Place] = {}
        self._by_prefix: dict[str, dict[Connection, None]] = {}
        self._of_household: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._places

    def count_of(self, prefix: str) -> int:
        """How many of one prefix are here."""
        return len(self._by_prefix.get(prefix, ()))

    def count_of_household(self, prefix: str) -> int:
        """How many of a prefix's whole household are here."""
        return self._of_household[household_of(prefix)]

    def has_place_for(self, prefix: str) -> bool:
        """Whether one more may enter without another leaving."""
        has_room = len(self._places) < self._limits.total
        return has_room and not self.is_full_of(prefix) and not self._is_full_of_household(prefix)

    def who_leaves_for(self, prefix: str) -> Connection | None:
        """The oldest of the newcomer's own prefix or household where that is full, else of the household with the most.

        So a flood from one address or household wears out itself, however many newcomers it sends.
        """
        if self.is_full_of(prefix):
            return next(iter(self._by_prefix[prefix]))
        if self._is_full_of_household(prefix):
            return self._oldest_of_household(household_of(prefix))
        if len(self._places) < self._limits.total:
            return None
        return self._oldest_of_household(*_with_most(self._of_household))

    def is_full_of(self, prefix: str) -> bool:
        """Whether only one of this prefix could make a place for another of it."""
        return self.count_of(prefix) >= self._limits.per_prefix

    def makes_place(self, leaving: str, *, newcomer: str) -> bool:
        """Whether one of the prefix `leaving` leaves its place to one of `newcomer`, which may have its fill."""
        if self.is_full_of(newcomer):
            return leaving == newcomer
        return not self._is_full_of_household(newcomer) or household_of(leaving) == household_of(newcomer)

    def __iter__(self) -> Iterator[Connection]:
        """In the order of coming."""
        return iter(self._places)

    def enter(self, connection: Connection, prefix: str, *, now_s: float) -> None:
        """Take a place. Raises ValueError where there is none, or for one who is here already."""
        if connection in self._places or not self.has_place_for(prefix):
            raise ValueError(f"no place for {connection!r} of {prefix} among {len(self)}; ask who_leaves_for first")
        self._places[connection] = _Place(prefix, now_s)
        self._by_prefix.setdefault(prefix, {})[connection] = None
        self._of_household[household_of(prefix)] += 1

    def leave(self, connection: Connection) -> str | None:
        """Give the place back; the prefix of who had one."""
        place = self._places.pop(connection, None)
        if place is None:
            return None
        of_prefix = self._by_prefix[place.prefix]
        del of_prefix[connection]
        if not of_prefix:
            del self._by_prefix[place.prefix]
        household = household_of(place.prefix)
        self._of_household[household] -= 1
        if self._of_household[household] == 0:
            del self._of_household[household]
        return place.prefix

    def prefix_of(self, connection: Connection) -> str | None:
        """Under which prefix a connection has its place; None where it has none."""
        place = self._places.get(connection)
        return None if place is None else place.prefix

    def overdue(self, limit_s: float, *, now_s: float) -> list[Connection]:
        """Who has been here for so long, the oldest first."""
        found: list[Connection] = []
        for connection, place in self._places.items():
            if place.since_s + limit_s > now_s:
                break
            found.append(connection)
        return found

    def next_deadline_s(self, limit_s: float) -> float | None:
        """When somebody will have been here for so long; None while nobody is here."""
        return next((place.since_s + limit_s for place in self._places.values()), None)

    def _is_full_of_household(self, prefix: str) -> bool:
        return self.count_of_household(prefix) >= self._limits.per_household

    def _oldest_of_household(self, *households: str) -> Connection:
        return next(who for who, place in self._places.items() if household_of(place.prefix) in households)


def _with_most(counts: Counter[str]) -> list[str]:
    """All that have the most."""
    most = max(counts.values())
    return [key for key, count in counts.items() if count == most]
