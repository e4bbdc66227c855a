"""A string of bytes as a source of choices: one draw of Hypothesis for all events of a run, which it still shrinks.

Its own state machines draw rule by rule and number by number, which takes ten times as long as the events themselves.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st

ChoiceT = TypeVar("ChoiceT")


def scripts(size_bytes: int) -> st.SearchStrategy[bytes]:
    """Strings of this size; whoever reads further reads zeros."""
    return st.binary(min_size=size_bytes, max_size=size_bytes)


class Script:
    """Read from its beginning to its end; zeros are the plainest choices."""

    def __init__(self, script: bytes) -> None:
        self._bytes = iter(script)

    def up_to(self, largest: int) -> int:
        """From 0 to `largest`, both included; one in eight is either end."""
        if largest == 0:
            return 0
        kind = self._byte()
        if kind < 0x20:
            return largest if kind % 2 else 0
        number = 0
        span = 1
        while span <= largest:
            number, span = (number << 8) | self._byte(), span << 8
        return number % (largest + 1)

    def is_true(self, one_in: int = 2) -> bool:
        """How often: once in `one_in`."""
        return self._byte() % one_in == one_in - 1

    def between(self, least: float, largest: float) -> float:
        """Evenly, the ends included."""
        return least + (largest - least) * self.up_to(0xFFFF) / 0xFFFF

    def of_magnitude(self, least: float, largest: float) -> float:
        """All orders of magnitude alike, the ends included."""
        return math.exp(self.between(math.log(least), math.log(largest)))

    def one_of(self, choices: Sequence[ChoiceT]) -> ChoiceT:
        """Evenly."""
        return choices[self._byte() % len(choices)]

    def part_of(self, choices: Sequence[ChoiceT]) -> list[ChoiceT]:
        """Some of fewer than 17, evenly, in their order; all where it would be none."""
        mask = self._byte() << 8 | self._byte()
        return [choice for index, choice in enumerate(choices) if not mask >> index & 1] or list(choices)

    def some_of(self, numbers: Sequence[int], most: int) -> list[int]:
        """At least one: a run of them, or any, in any order."""
        count = 1 + self.up_to(min(most, len(numbers)) - 1)
        if self.is_true():
            return random.Random(self._byte()).sample(numbers, count)
        first = self.up_to(len(numbers) - count)
        return list(numbers[first : first + count])

    def _byte(self) -> int:
        return next(self._bytes, 0)
