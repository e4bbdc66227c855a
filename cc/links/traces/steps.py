"""Links whose rate changes at known times."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.random_source import RandomSource


@dataclass(frozen=True, slots=True)
class Steps:
    """Rates one after the other, each for as long as the others. Nothing is left to chance."""

    steps_bits_per_s: tuple[float, ...]

    @property
    def mean_bits_per_s(self) -> float:
        """Of all steps."""
        total = 0.0
        for step in self.steps_bits_per_s:
            total += step
        return total / len(self.steps_bits_per_s)

    def rates_bits_per_s(self, rng: RandomSource, *, duration_ms: int) -> list[float]:
        """The rate in each millisecond."""
        steps = self.steps_bits_per_s
        return [steps[ms * len(steps) // duration_ms] for ms in range(duration_ms)]
