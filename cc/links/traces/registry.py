"""Every generated trace there is; command lines, the page's menu and tests read this list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from cc.core.random_source import RandomSource
from cc.links.traces.lte_like import LteLike
from cc.links.traces.nr_like import NrLike
from cc.links.traces.rates import RateProcess, generate
from cc.links.traces.steps import Steps
from cc.links.traces.wifi_like import WifiLike

Direction = Literal["downlink", "uplink"]


class Family(RateProcess, Protocol):
    """A process that knows its mean."""

    @property
    def mean_bits_per_s(self) -> float:
        """Over the whole trace."""


@dataclass(frozen=True, slots=True)
class GeneratedTrace:
    """One line of the registry. Both directions take the same seed, so that what moves one moves the other."""

    name: str
    """As on command lines: lower case, digits, hyphens."""
    title: str
    summary: str
    downlink: Family
    uplink: Family
    seed: int
    duration_ms: int

    def opportunities_ms(self, direction: Direction, rng: RandomSource) -> list[int]:
        """The trace's delivery opportunities, from a generator freshly seeded with `seed`."""
        family = self.downlink if direction == "downlink" else self.uplink
        return generate(family, rng, duration_ms=self.duration_ms)


TRACES: tuple[GeneratedTrace, ...] = (
    GeneratedTrace(
        name="lte-like",
        title="LTE on the move",
        summary="Wanders between 0.1 and 27 Mbit/s, mean 5, as in a car between cells; repeats after 2 minutes.",
        downlink=LteLike(mean_bits_per_s=5e6),
        uplink=LteLike(mean_bits_per_s=2.5e6),
        seed=24,
        duration_ms=120_000,
    ),
    GeneratedTrace(
        name="5g-like",
        title="5G with handovers",
        summary="Levels from 2 to 25 Mbit/s, mean 10, with outages of some 100 ms in between; repeats after 2 minutes.",
        downlink=NrLike(mean_bits_per_s=10e6),
        uplink=NrLike(mean_bits_per_s=4e6),
        seed=5,
        duration_ms=120_000,
    ),
    GeneratedTrace(
        name="wifi-like",
        title="Shared Wi-Fi",
        summary="Bursts, short gaps, and 0 to 5 neighbours who share 17 Mbit/s, mean 6; repeats after 2 minutes.",
        downlink=WifiLike(mean_bits_per_s=6e6),
        uplink=WifiLike(mean_bits_per_s=6e6),
        seed=4,
        duration_ms=120_000,
    ),
    GeneratedTrace(
        name="steps",
        title="Steps",
        summary="24, 6, 12, 2 and 24 Mbit/s for 12 s each, then again.",
        downlink=Steps((24e6, 6e6, 12e6, 2e6, 24e6)),
        uplink=Steps((6e6,)),
        seed=0,
        duration_ms=60_000,
    ),
)
