"""A random generator without chance."""

from __future__ import annotations


class SameNumber:
    """Always draws the same."""

    def __init__(self, value: float) -> None:
        self.value = value

    def random(self) -> float:
        """That number."""
        return self.value
