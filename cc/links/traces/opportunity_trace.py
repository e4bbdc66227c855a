"""A trace of delivery opportunities, as mahimahi knows them: 1504 bytes each, at whole milliseconds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, pairwise
from math import ceil, floor
from operator import gt

from cc.links.link import OPPORTUNITY_BYTES
from cc.links.traces.trace import (
    TraceOperationError,
    bin_edges_s,
    binned_bits_per_s,
    check_cap,
    check_cut,
    check_duration,
    check_factor,
    check_size,
)

OPPORTUNITY_BITS = OPPORTUNITY_BYTES * 8
CAP_BIN_MS = 100  # a single opportunity has no rate: in such bins it is counted where it is capped
SLACK = 1e-6  # of an opportunity, of a millisecond: far above rounding, far below what matters


@dataclass(frozen=True)
class OpportunityTrace:
    """The last opportunity is the trace's end, as in mahimahi."""

    times_ms: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raises TraceOperationError for what mahimahi would refuse, and for more than a week."""
        times_ms = self.times_ms
        if not times_ms or times_ms[0] < 0 or any(map(gt, times_ms, islice(times_ms, 1, None))):
            raise TraceOperationError("a trace's times must not be negative nor go back, and one is needed")
        if times_ms[-1] == 0:
            raise TraceOperationError("a trace must last longer than 0 ms")
        check_duration(self.duration_s)

    @property
    def duration_s(self) -> float:
        """Time after which it repeats."""
        return self.times_ms[-1] / 1000

    @property
    def resolution_s(self) -> float:
        """Resolution of the format."""
        return 0.001

    def bits_before(self, time_s: float) -> float:
        """Carried from time 0 to `time_s`, both instants included; nothing for time 0 alone."""
        return bisect_right(self.times_ms, time_s * 1000 + SLACK) * OPPORTUNITY_BITS if time_s > 0 else 0.0

    def silences(self, *, at_least_s: float) -> list[tuple[float, float]]:
        """Times without an opportunity, from one to the next; to the first from time 0."""
        least_ms = at_least_s * 1000
        between = pairwise((0, *self.times_ms))
        return [(before / 1000, after / 1000) for before, after in between if after - before >= least_ms]

    def cut(self, from_s: float, to_s: float) -> OpportunityTrace:
        """A part alone: what comes after `from_s`, to the whole millisecond, until `to_s`.

        The last opportunity is kept until `to_s`, since an opportunity is a trace's end.
        """
        check_cut(self, from_s, to_s)
        from_ms, to_ms = round(from_s * 1000), round(to_s * 1000)
        first = bisect_right(self.times_ms, from_ms) if from_ms > 0 else 0
        kept = self.times_ms[first : bisect_right(self.times_ms, to_ms)]
        if not kept:
            raise TraceOperationError(f"nothing is delivered from {from_s:g} to {to_s:g} s")
        return OpportunityTrace((*(time_ms - from_ms for time_ms in kept[:-1]), to_ms - from_ms))

    def scaled(self, factor: float) -> OpportunityTrace:
        """The trace with so many times the opportunities, at the same milliseconds."""
        check_factor(factor)
        times_ms = self.times_ms
        return whole_opportunities(((ms, (n + 1) * factor) for n, ms in enumerate(times_ms)), len(times_ms) * factor)

    def capped(self, bits_per_s: float) -> OpportunityTrace:
        """The trace with the share that fits, evenly, of each tenth of a second that carries more."""
        check_cap(bits_per_s)
        rates = binned_bits_per_s(self, bin_edges_s(self.duration_s, CAP_BIN_MS / 1000))
        shares = [min(1.0, bits_per_s / rate) if rate > 0 else 1.0 for rate in rates]
        carried: list[tuple[int, float]] = []
        total = 0.0
        for time_ms in self.times_ms:
            # an opportunity on a border belongs to the bin that it ends
            total += shares[max(0, time_ms - 1) // CAP_BIN_MS]
            carried.append((time_ms, total))
        return whole_opportunities(carried, total)

    def repeated(self, duration_s: float) -> OpportunityTrace:
        """The trace over and over until `duration_s`; cut there if it is longer."""
        check_duration(duration_s)
        period_ms = self.times_ms[-1]
        times = ceil(duration_s * 1000 / period_ms)
        check_size(times * len(self.times_ms), "delivery opportunities")
        tiled = OpportunityTrace(tuple(turn * period_ms + ms for turn in range(times) for ms in self.times_ms))
        return tiled.cut(0.0, min(duration_s, tiled.duration_s))


def whole_opportunities(carried: Iterable[tuple[int, float]], total: float) -> OpportunityTrace:
    """Whole ones, from pairs of a millisecond and the opportunities, not whole, that have come together until then."""
    check_size(total, "delivery opportunities")
    count, phase = count_and_phase(total)
    times_ms: list[int] = []
    time_ms = 0
    for time_ms, so_far in carried:
        due = min(count, floor(so_far + phase + SLACK))
        times_ms += [time_ms] * (due - len(times_ms))
    return ending_at(time_ms, times_ms)


def count_and_phase(total: float) -> tuple[int, float]:
    """How many opportunities make up `total`; by what part of one the first is ahead so that the last is in time."""
    count = max(1, ceil(total - SLACK))
    return count, count - total


def ending_at(end_ms: int, times_ms: list[int]) -> OpportunityTrace:
    """The last opportunity is kept until the end: the format knows no other end."""
    times_ms[-1] = end_ms
    return OpportunityTrace(tuple(times_ms))
