"""How far a long evaluation has come, for those who wait; without packages, as serving has none for it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
LINES = 10


def watched(items: Sequence[Item], what: str) -> Iterator[Item]:
    """The items; a line on stderr after each tenth of them."""
    told = 0
    for number, item in enumerate(items, start=1):
        yield item
        tenths = LINES * number // len(items)
        if tenths > told:
            told = tenths
            sys.stderr.write(f"{what}: {number} of {len(items)} scenarios\n")
