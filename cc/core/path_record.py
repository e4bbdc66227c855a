"""What a scheme leaves of its path for the next scheme on a path to the same peer; hosts keep it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class PathRecord:
    """What was found of the path to a peer."""

    bandwidth_bytes_per_s: float
    """What to pace at."""
    bdp_bytes: float


@runtime_checkable
class LeavesRecord(Protocol):
    """A scheme that leaves a record."""

    def path_record(self) -> PathRecord | None:
        """What to hand to the next one; None where nothing is known of the path. Asked when the path is left."""
