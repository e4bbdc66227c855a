"""The one list of queue disciplines: the simulation's requests and the relay choose from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from cc.core.random_source import RandomSource
from cc.links.link import QueueLimit
from cc.links.queueing.accel_brake import AccelBrake
from cc.links.queueing.ce_threshold import CeThreshold
from cc.links.queueing.codel import CoDel
from cc.links.queueing.discipline import DropTail
from cc.links.queueing.pie import Pie
from cc.links.traces.capacity import offered_bytes

DROPTAIL = "droptail"
DISCIPLINES = (DROPTAIL, "codel", "pie", "abc", "ce-threshold")
MARKING_DISCIPLINES = frozenset({"abc", "ce-threshold"})
"""Those that write on packets what senders need to know."""

TokenT = TypeVar("TokenT")


class UnknownDisciplineError(ValueError):
    """No discipline has this name; the message is one sentence that lists those there are."""


def check_discipline(name: object) -> str:
    """The name, if it is one. Raises UnknownDisciplineError."""
    if not isinstance(name, str) or name not in DISCIPLINES:
        raise UnknownDisciplineError(
            f"queue discipline {name!r} is unknown; known disciplines: {', '.join(DISCIPLINES)}"
        )
    return name


def make_discipline(
    name: str, limit: QueueLimit, *, opportunities_ms: Sequence[int], rng: RandomSource
) -> DropTail[TokenT]:
    """A queue in front of a link with this trace; `rng` draws PIE's random numbers. Raises UnknownDisciplineError."""
    match check_discipline(name):
        case "codel":
            return CoDel(limit)
        case "pie":
            return Pie(limit, rng=rng)
        case "abc":
            return AccelBrake(limit, offered_bytes=partial(offered_bytes, opportunities_ms))
        case "ce-threshold":
            return CeThreshold(limit)
        case _:
            return DropTail(limit)
