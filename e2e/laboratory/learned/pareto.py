"""Who is beaten by nobody, and how far somebody lies outside of those."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Point(NamedTuple):
    """Less delay and more throughput are better."""

    delay_s: float
    throughput_bits_per_s: float


def pareto_front(points: Sequence[Point]) -> list[Point]:
    """Those than which no other has both less or the same delay and more or the same throughput; by delay."""
    front: list[Point] = []
    for point in sorted(points, key=lambda each: (each.delay_s, -each.throughput_bits_per_s)):
        if not front or point.throughput_bits_per_s > front[-1].throughput_bits_per_s:
            front.append(point)
    return front


def gain_over_front(point: Point, others: Sequence[Point]) -> float:
    """Throughput over what the front has at the same delay, less 1; straight lines join the front's points.

    To the left of the front, where nobody has so little delay, what counts is its point of least delay: less
    throughput than that is no loss, and the gain is at least 0. To the right of it, where a point carries no more
    than the greediest and waits longer, delay counts, too: a loss is at least the share of it that was for nothing.
    """
    front = pareto_front(others)
    if point.delay_s < front[0].delay_s:
        return max(0.0, point.throughput_bits_per_s / front[0].throughput_bits_per_s - 1)
    greediest = front[-1]
    if point.delay_s > greediest.delay_s and point.throughput_bits_per_s <= greediest.throughput_bits_per_s:
        return min(point.throughput_bits_per_s / greediest.throughput_bits_per_s, greediest.delay_s / point.delay_s) - 1
    at_delay = greediest.throughput_bits_per_s
    for left, right in pairwise(front):
        if left.delay_s <= point.delay_s < right.delay_s:
            share = (point.delay_s - left.delay_s) / (right.delay_s - left.delay_s)
            at_delay = (1 - share) * left.throughput_bits_per_s + share * right.throughput_bits_per_s
    return point.throughput_bits_per_s / at_delay - 1
