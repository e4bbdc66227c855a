"""Every queue discipline there is, one line each: where its entry stands, as `module:NAME` of this package."""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import resolve_name
from typing import TypeVar

from cc.core.random_source import RandomSource
from cc.links.link import QueueLimit
from cc.links.queueing.discipline import DISCIPLINE, Discipline, DropTail

ENTRIES = (
    "discipline:DISCIPLINE",
    "codel:DISCIPLINE",
    "pie:DISCIPLINE",
    "accel_brake:DISCIPLINE",
    "ce_threshold:DISCIPLINE",
)

_ENTRIES: tuple[Discipline, ...] = tuple(resolve_name(f"{__package__}.{entry}") for entry in ENTRIES)
DROPTAIL = DISCIPLINE.name
DISCIPLINES = tuple(entry.name for entry in _ENTRIES)
MARKING_DISCIPLINES = frozenset(entry.name for entry in _ENTRIES if entry.marks)
"""Those that write on packets what senders need to know."""

TokenT = TypeVar("TokenT")


class UnknownDisciplineError(ValueError):
    """No discipline has this name; the message is one sentence that lists those there are."""


def check_discipline(name: object) -> str:
    """The name, if it is one. Raises UnknownDisciplineError."""
    return _entry(name).name


def make_discipline(
    name: str, limit: QueueLimit, *, opportunities_ms: Sequence[int], rng: RandomSource
) -> DropTail[TokenT]:
    """A queue in front of a link with this trace; `rng` draws PIE's random numbers. Raises UnknownDisciplineError."""
    return _entry(name).make(limit, opportunities_ms, rng)


def _entry(name: object) -> Discipline:
    found = next((entry for entry in _ENTRIES if entry.name == name), None)
    if found is None:
        raise UnknownDisciplineError(
            f"queue discipline {name!r} is unknown; known disciplines: {', '.join(DISCIPLINES)}"
        )
    return found
