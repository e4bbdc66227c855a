"""From rates to delivery opportunities, the same on every machine.

Only `random()` and elementary arithmetic (which IEEE 754 rounds alike everywhere) go into a trace; `exp`, `log` and
`gauss` would differ with the C library, and `sum` of floats differs with Python's version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import Protocol

from cc.core.random_source import RandomSource
from cc.links.link import OPPORTUNITY_BYTES

OPPORTUNITY_BITS = OPPORTUNITY_BYTES * 8


class RateProcess(Protocol):
    """A family of links: parameters in its fields, one link from each random generator."""

    def rates_bits_per_s(self, rng: RandomSource, *, duration_ms: int) -> Sequence[float]:
        """The rate in each millisecond."""


def generate(process: RateProcess, rng: RandomSource, *, duration_ms: int) -> list[int]:
    """Delivery opportunities in ms of a link of the family; the trace repeats after `duration_ms`."""
    return opportunities_from_rates(process.rates_bits_per_s(rng, duration_ms=duration_ms))


def opportunities_from_rates(rates_bits_per_s: Iterable[float]) -> list[int]:
    """Opportunities at the end of the milliseconds in which 1504 bytes have come together.

    One is added at the very end if there is none, since the last line sets the period.
    """
    opportunities_ms: list[int] = []
    credit_bits = 0.0
    end_ms = 0
    for end_ms, rate_bits_per_s in enumerate(rates_bits_per_s, start=1):
        credit_bits += rate_bits_per_s / 1000
        while credit_bits >= OPPORTUNITY_BITS:
            credit_bits -= OPPORTUNITY_BITS
            opportunities_ms.append(end_ms)
    if end_ms > 0 and (not opportunities_ms or opportunities_ms[-1] != end_ms):
        opportunities_ms.append(end_ms)
    return opportunities_ms


def scaled_to_mean(shape: Sequence[float], mean_bits_per_s: float) -> list[float]:
    """Rates of this shape with this mean. Raises ZeroDivisionError for a shape that is zero throughout."""
    factor = mean_bits_per_s * len(shape) / fsum(shape)
    return [value * factor for value in shape]


def wandering(rng: RandomSource, *, pull: float, kick: float) -> Iterator[float]:
    """A value around 0 that wanders: drawn back by `pull` of itself each step and kicked by `kick` at random.

    Its variance settles at `kick`^2 / (2 `pull`) for a small `pull`.
    """
    value = 0.0
    while True:
        yield value
        value += kick * standard_noise(rng) - pull * value


def standard_noise(rng: RandomSource) -> float:
    """About normal, mean 0, variance 1: four uniform numbers added up."""
    return (rng.random() + rng.random() + rng.random() + rng.random() - 2.0) * 1.7320508


def uniform(rng: RandomSource, low: float, high: float) -> float:
    """Evenly between the two."""
    return low + (high - low) * rng.random()


def whole(rng: RandomSource, low: int, high: int) -> int:
    """A whole number from `low` to `high`, both included."""
    return low + int((high - low + 1) * rng.random())
