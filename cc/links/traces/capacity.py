"""How much a trace can carry."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from cc.links.link import OPPORTUNITY_BYTES, SEEK_MARGIN_MS


def mean_bits_per_s(opportunities_ms: Sequence[int]) -> float:
    """Mean rate over the whole trace, of 1504-byte opportunities."""
    return len(opportunities_ms) * OPPORTUNITY_BYTES * 8 * 1000 / opportunities_ms[-1]


def capacity_bits_per_s(opportunities_ms: Sequence[int], *, bin_ms: int) -> list[float]:
    """The same in bins; the last may be half as long, or half as long again: one packet in less would be many times it.

    An opportunity on the period's very end is in the last one.
    """
    period_ms = opportunities_ms[-1]
    count = max(1, (2 * period_ms + bin_ms) // (2 * bin_ms))
    opportunities = [0] * count
    for time_ms in opportunities_ms:
        opportunities[min(time_ms // bin_ms, count - 1)] += 1
    lengths_ms = [*[bin_ms] * (count - 1), period_ms - (count - 1) * bin_ms]
    return [n * OPPORTUNITY_BYTES * 8 * 1000 / ms for n, ms in zip(opportunities, lengths_ms, strict=True)]


def offered_bytes(opportunities_ms: Sequence[int], until_s: float) -> int:
    """What the trace's opportunities carry from its time 0 on until `until_s`, that instant included.

    Those at time 0 itself are not counted: nothing can be waiting for them.
    """
    cycles, rest_ms = divmod(until_s * 1000 + SEEK_MARGIN_MS, opportunities_ms[-1])
    count = int(cycles) * len(opportunities_ms) + bisect_right(opportunities_ms, rest_ms)
    return (count - bisect_right(opportunities_ms, 0)) * OPPORTUNITY_BYTES
