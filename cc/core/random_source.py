"""What schemes and links need of a random generator, which their caller seeds and hands over."""

from __future__ import annotations

from typing import Protocol


class RandomSource(Protocol):
    """`random.Random`, as far as it is needed."""

    def random(self) -> float:
        """Uniform in [0, 1)."""
