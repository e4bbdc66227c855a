"""Millimetre-wave links of the fifth generation: beams, blockage, handovers that stop everything for a moment."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.random_source import RandomSource
from cc.links.traces.generated import GeneratedTrace
from cc.links.traces.rates import scaled_to_mean, standard_noise, uniform, whole

STEP_MS = 50
GAP_SHARE = 0.01  # of the level before: what trickles through a handover


@dataclass(frozen=True, slots=True)
class NrLike:
    """Stays for seconds at one of some levels; each change of level is a handover."""

    mean_bits_per_s: float
    levels: tuple[float, ...] = (1.0, 0.45, 0.25, 0.1)
    """A clear beam, a reflected one, a far cell, a blocked beam; relative to each other."""
    stay_ms: tuple[int, int] = (2500, 8000)
    gap_ms: tuple[int, int] = (90, 350)
    """How long a handover takes."""
    ripple: float = 0.12
    """Standard deviation of the rate at a level, relative to it."""

    def rates_bits_per_s(self, rng: RandomSource, *, duration_ms: int) -> list[float]:
        """The rate in each millisecond; its mean over the whole is `mean_bits_per_s`."""
        shape: list[float] = []
        index = 0
        while len(shape) < duration_ms:
            level = self.levels[index]
            for _ in range(whole(rng, *self.stay_ms) // STEP_MS):
                rate = level * max(0.2, 1.0 + self.ripple * standard_noise(rng))
                shape.extend([rate] * STEP_MS)
            shape.extend([level * GAP_SHARE] * whole(rng, *self.gap_ms))
            # any level but the present one
            index = (index + 1 + int(uniform(rng, 0, len(self.levels) - 1))) % len(self.levels)
        return scaled_to_mean(shape[:duration_ms], self.mean_bits_per_s)


TRACE = GeneratedTrace(
    name="5g-like",
    title="5G with handovers",
    summary="Levels from 2 to 25 Mbit/s, mean 10, with outages of some 100 ms in between; repeats after 2 minutes.",
    downlink=NrLike(mean_bits_per_s=10e6),
    uplink=NrLike(mean_bits_per_s=4e6),
    seed=5,
    duration_ms=120_000,
    downlink_sha256="355b3330e87485173e7fd1c14caffde2eafa97501b89bd7641b7752350d1efef",
    uplink_sha256="b9262100df91cbb47c88b0563437d83ebd44bff34d3fe89109eea1bf88ca9e92",
)
