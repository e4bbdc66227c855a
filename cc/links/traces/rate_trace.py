"""A trace of rates, each of which holds for a while."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from math import ceil, isfinite

from cc.links.traces.trace import (
    TraceOperationError,
    check_cap,
    check_cut,
    check_duration,
    check_factor,
    check_size,
)


@dataclass(frozen=True)
class RateTrace:
    """`rates_bits_per_s[i]` holds until `ends_s[i]`, from the end before, the first from time 0."""

    ends_s: tuple[float, ...]
    rates_bits_per_s: tuple[float, ...]

    def __post_init__(self) -> None:
        """Raises TraceOperationError for times that do not rise, rates that are none, and if all are 0."""
        check_duration(self.ends_s[-1] if self.ends_s else 0.0)
        if len(self.ends_s) != len(self.rates_bits_per_s):
            raise TraceOperationError(f"{len(self.rates_bits_per_s)} rates for {len(self.ends_s)} stretches of time")
        if self.ends_s[0] <= 0 or any(after <= before for before, after in pairwise(self.ends_s)):
            raise TraceOperationError("a trace's times must rise")
        if not all(isfinite(rate) and rate >= 0 for rate in self.rates_bits_per_s):
            raise TraceOperationError("a trace's rates must be numbers from 0 on")
        if not any(self.rates_bits_per_s):
            raise TraceOperationError("nothing is delivered: no rate is above 0")

    @property
    def duration_s(self) -> float:
        """Time after which it repeats."""
        return self.ends_s[-1]

    @property
    def resolution_s(self) -> float:
        """How long a rate holds in the mean."""
        return self.duration_s / len(self.ends_s)

    def bits_before(self, time_s: float) -> float:
        """Carried from time 0 to `time_s`, at most its end."""
        index = bisect_left(self.ends_s, time_s)
        if index == len(self.ends_s):
            return self.carried_bits[-1]
        return self.carried_bits[index] + max(0.0, time_s - self._starts_s[index]) * self.rates_bits_per_s[index]

    def silences(self, *, at_least_s: float) -> list[tuple[float, float]]:
        """Stretches of rate 0."""
        found: list[tuple[float, float]] = []
        for start_s, end_s, rate in self.pieces():
            if rate > 0:
                continue
            continues = bool(found) and found[-1][1] == start_s
            found.append((found.pop()[0] if continues else start_s, end_s))
        return [(start_s, end_s) for start_s, end_s in found if end_s - start_s >= at_least_s]

    def cut(self, from_s: float, to_s: float) -> RateTrace:
        """A part alone, from time 0 on."""
        check_cut(self, from_s, to_s)
        kept = [
            (min(end_s, to_s) - from_s, rate)
            for start_s, end_s, rate in self.pieces()
            if end_s > from_s and start_s < to_s
        ]
        if not any(rate for _, rate in kept):
            raise TraceOperationError(f"nothing is delivered from {from_s:g} to {to_s:g} s")
        return rates_until(kept)

    def scaled(self, factor: float) -> RateTrace:
        """Every rate times `factor`."""
        check_factor(factor)
        return RateTrace(self.ends_s, tuple(rate * factor for rate in self.rates_bits_per_s))

    def capped(self, bits_per_s: float) -> RateTrace:
        """No rate above `bits_per_s`."""
        check_cap(bits_per_s)
        return RateTrace(self.ends_s, tuple(min(rate, bits_per_s) for rate in self.rates_bits_per_s))

    def repeated(self, duration_s: float) -> RateTrace:
        """The trace over and over until `duration_s`; cut there if it is longer."""
        check_duration(duration_s)
        times = ceil(duration_s / self.duration_s)
        check_size(times * len(self.ends_s), "rates")
        tiled = rates_until(
            (turn * self.duration_s + end_s, rate)
            for turn in range(times)
            for end_s, rate in zip(self.ends_s, self.rates_bits_per_s, strict=True)
        )
        return tiled.cut(0.0, min(duration_s, tiled.duration_s))

    def pieces(self) -> Iterator[tuple[float, float, float]]:
        """Start, end and rate of each."""
        return zip(self._starts_s, self.ends_s, self.rates_bits_per_s, strict=True)

    @cached_property
    def carried_bits(self) -> tuple[float, ...]:
        """Bits carried before each piece, and before the end."""
        return (0.0, *accumulate((end_s - start_s) * rate for start_s, end_s, rate in self.pieces()))

    @cached_property
    def _starts_s(self) -> tuple[float, ...]:
        return (0.0, *self.ends_s[:-1])


def rates_until(pieces: Iterable[tuple[float, float]]) -> RateTrace:
    """A trace of pairs of an end in seconds and the rate until then."""
    ends_s, rates = zip(*pieces, strict=True)
    return RateTrace(ends_s, rates)
