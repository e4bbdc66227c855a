"""Kanerva coding: values of states that nobody can list, kept at a few prototypes among them.

A state is a point of the unit cube. It activates the prototypes near it; its value is the mean of theirs, and what is
learned of it changes all of them (QTCP, section 4: "generalization-based Kanerva coding").
"""

from __future__ import annotations

from collections.abc import Sequence

from cc.core.random_source import RandomSource

Point = tuple[float, ...]


class KanervaTable:
    """Values of actions at prototypes; all begin at 0."""

    def __init__(self, prototypes: Sequence[Point], *, actions: int, radius: float) -> None:
        """`radius`: how far a prototype may be in any one dimension to be active."""
        self.prototypes = tuple(prototypes)
        self._radius = radius
        self._values = [[0.0] * actions for _ in self.prototypes]

    def active(self, state: Point) -> list[int]:
        """Indices of the prototypes near a state; of the nearest one where none is near."""
        distances = [_distance(prototype, state) for prototype in self.prototypes]
        near = [index for index, distance in enumerate(distances) if distance <= self._radius]
        return near or [distances.index(min(distances))]

    def values(self, active: Sequence[int]) -> list[float]:
        """Value of each action, in a state that activates these."""
        rows = [self._values[index] for index in active]
        return [sum(column) / len(rows) for column in zip(*rows, strict=True)]

    def learn(self, active: Sequence[int], action: int, target: float, *, rate: float) -> None:
        """Move the action's value towards the target by this share of what it lacks."""
        change = rate * (target - self.values(active)[action])
        for index in active:
            self._values[index][action] += change


def drawn_prototypes(rng: RandomSource, *, count: int, dimensions: int) -> tuple[Point, ...]:
    """Evenly from the unit cube."""
    return tuple(tuple(rng.random() for _ in range(dimensions)) for _ in range(count))


def _distance(one: Point, other: Point) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))
