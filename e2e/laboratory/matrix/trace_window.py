"""A stretch of a trace that repeats, cut out for one run. Times are whole milliseconds, as mahimahi's."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

_START_STEP = (math.sqrt(5) - 1) / 2
"""Fraction by which each seed's start lies behind the one before: even for any number of seeds (golden ratio)."""


def start_of_seed_ms(seed: int, period_ms: int) -> int:
    """Where in a trace of this period the run with this seed begins; the first seed begins where the trace does."""
    return math.floor((seed - 1) * _START_STEP % 1 * period_ms)


def trace_from_ms(opportunities_ms: Sequence[int], *, from_ms: int, length_ms: int) -> list[int]:
    """A trace that begins at that time, right for `length_ms` at least; the same opportunities as `cut_window_ms`.

    Where an opportunity comes at that time a period is all that is needed, if it is no longer: it ends a period later,
    and repeats.
    """
    period_ms = opportunities_ms[-1]
    place = bisect_right(opportunities_ms, from_ms % period_ms)
    if period_ms > length_ms or from_ms % period_ms not in (0, opportunities_ms[place - 1]):
        return cut_window_ms(opportunities_ms, from_ms=from_ms, length_ms=length_ms)
    begin_ms = from_ms % period_ms
    return [time_ms - begin_ms for time_ms in opportunities_ms[place:]] + [
        time_ms - begin_ms + period_ms for time_ms in opportunities_ms[:place]
    ]


def cut_window_ms(opportunities_ms: Sequence[int], *, from_ms: int, length_ms: int) -> list[int]:
    """The opportunities of a window, as a trace that begins with it; the trace repeats both ways for ever.

    An opportunity at the window's very beginning is left out, as at the beginning of a trace nothing can have arrived
    in time for it. One more lies behind the end, or silence there would be none: a trace repeats after its last one.
    """
    period_ms = opportunities_ms[-1]
    window_ms: list[int] = []
    for cycle_ms in range(from_ms // period_ms * period_ms, from_ms + length_ms, period_ms):
        offset_ms = cycle_ms - from_ms
        first, end = (bisect_right(opportunities_ms, until_ms - offset_ms) for until_ms in (0, length_ms))
        window_ms += [offset_ms + time_ms for time_ms in opportunities_ms[first:end]]
    return [*window_ms, length_ms + 1]
