"""Cellular links of the fourth generation on the move: slow shadowing, faster fading, a scheduler that takes turns."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.random_source import RandomSource
from cc.links.traces.generated import GeneratedTrace
from cc.links.traces.rates import scaled_to_mean, wandering

STEP_MS = 20
LOWEST_SHARE = 0.03  # of the mean: a cell's edge, not an outage


@dataclass(frozen=True, slots=True)
class LteLike:
    """The rate is the square of 1 + shadowing + fading, so it is never negative and its peaks are high."""

    mean_bits_per_s: float
    shadowing_kick: float = 0.03
    shadowing_pull: float = 0.0025
    """Pull towards the mean in each step of 20 ms: shadowing is forgotten within some 8 s."""
    fading_kick: float = 0.11
    fading_pull: float = 0.05
    """Fading within 0.4 s."""
    scheduled_share: float = 0.4
    """Share of the milliseconds; the cell serves others in the rest."""

    def rates_bits_per_s(self, rng: RandomSource, *, duration_ms: int) -> list[float]:
        """The rate in each millisecond; its mean over the whole is `mean_bits_per_s`."""
        shadowing = wandering(rng, pull=self.shadowing_pull, kick=self.shadowing_kick)
        fading = wandering(rng, pull=self.fading_pull, kick=self.fading_kick)
        shape: list[float] = []
        level = 0.0
        for ms in range(duration_ms):
            if ms % STEP_MS == 0:
                amplitude = max(0.0, 1.0 + next(shadowing) + next(fading))
                level = max(LOWEST_SHARE, amplitude * amplitude)
            is_scheduled = rng.random() < self.scheduled_share
            shape.append(level / self.scheduled_share if is_scheduled else 0.0)
        return scaled_to_mean(shape, self.mean_bits_per_s)


TRACE = GeneratedTrace(
    name="lte-like",
    title="LTE on the move",
    summary="Wanders between 0.1 and 27 Mbit/s, mean 5, as in a car between cells; repeats after 2 minutes.",
    downlink=LteLike(mean_bits_per_s=5e6),
    uplink=LteLike(mean_bits_per_s=2.5e6),
    seed=24,
    duration_ms=120_000,
    downlink_sha256="8fdd24cfe9b96e55470af28a85fcef42e96cb3e99e7a8cadf7a787c46a854a60",
    uplink_sha256="99bd3b6645a69d13d94bb0655ec27c70aea9c525abc72f4b4b41f9ba1c56e829",
)
