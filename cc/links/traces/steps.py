"""Links whose rate changes at known times."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.random_source import RandomSource
from cc.links.traces.generated import GeneratedTrace


@dataclass(frozen=True, slots=True)
class Steps:
    """Rates one after the other, each for as long as the others. Nothing is left to chance."""

    steps_bits_per_s: tuple[float, ...]

    @property
    def mean_bits_per_s(self) -> float:
        """Mean rate of all steps."""
        total = 0.0
        for step in self.steps_bits_per_s:
            total += step
        return total / len(self.steps_bits_per_s)

    def rates_bits_per_s(self, rng: RandomSource, *, duration_ms: int) -> list[float]:
        """The rate in each millisecond."""
        steps = self.steps_bits_per_s
        return [steps[ms * len(steps) // duration_ms] for ms in range(duration_ms)]


TRACE = GeneratedTrace(
    name="steps",
    title="Steps",
    summary="24, 6, 12, 2 and 24 Mbit/s for 12 s each, then again.",
    downlink=Steps((24e6, 6e6, 12e6, 2e6, 24e6)),
    uplink=Steps((6e6,)),
    seed=0,
    duration_ms=60_000,
    downlink_sha256="a9de0779f6a93d6e05c6273bc423525f6daffdabf5e0c0f7fc27bcb98cd48974",
    uplink_sha256="8e4ebafe2fe47852374d33aef41a9dcf567dbb6f0439e0bc1d8431f764cb2ac7",
)
