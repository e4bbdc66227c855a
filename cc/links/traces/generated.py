"""What a family's file says of the trace that has a name: command lines, the page's menu and tests read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from cc.core.random_source import RandomSource
from cc.links.traces.rates import RateProcess, generate

Direction = Literal["downlink", "uplink"]


class Family(RateProcess, Protocol):
    """A process that knows its mean."""

    @property
    def mean_bits_per_s(self) -> float:
        """Mean rate over the whole trace."""


@dataclass(frozen=True, slots=True)
class GeneratedTrace:
    """An entry of `cc.links.traces.registry`, written in the family's own file.

    Both directions take the same seed, so that what moves one moves the other.
    """

    name: str
    """Its name on command lines: lower case, digits, hyphens."""
    title: str
    summary: str
    downlink: Family
    uplink: Family
    seed: int
    duration_ms: int
    downlink_sha256: str
    """Of its text in mahimahi's format: who changes a generator, a seed or a duration changes what others measured."""
    uplink_sha256: str

    def opportunities_ms(self, direction: Direction, rng: RandomSource) -> list[int]:
        """The trace's delivery opportunities, from a generator freshly seeded with `seed`."""
        family = self.downlink if direction == "downlink" else self.uplink
        return generate(family, rng, duration_ms=self.duration_ms)

    def sha256(self, direction: Direction) -> str:
        """Digest of the direction's text."""
        return self.downlink_sha256 if direction == "downlink" else self.uplink_sha256
