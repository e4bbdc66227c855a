"""Wireless networks at home: bursts of aggregated frames, neighbours that come and go, short gaps."""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.random_source import RandomSource
from cc.links.traces.generated import GeneratedTrace
from cc.links.traces.rates import scaled_to_mean, uniform, whole


@dataclass(frozen=True, slots=True)
class WifiLike:
    """The channel is shared evenly among the stations that are active, and served a burst at a time."""

    mean_bits_per_s: float
    most_stations: int = 6
    """Ourselves among them."""
    stay_ms: tuple[int, int] = (1500, 7000)
    """How long the same stations stay active."""
    turn_ms: tuple[int, int] = (2, 9)
    """Time from one burst to the next."""
    gap_ms: tuple[int, int] = (20, 120)
    """Scanning, interference: nothing passes."""
    gap_chance: float = 0.004
    """Chance of a gap after each burst."""

    def rates_bits_per_s(self, rng: RandomSource, *, duration_ms: int) -> list[float]:
        """The rate in each millisecond; its mean over the whole is `mean_bits_per_s`."""
        shape: list[float] = []
        stations, until_ms = 1, 0
        while len(shape) < duration_ms:
            if len(shape) >= until_ms:
                stations = whole(rng, 1, self.most_stations)
                until_ms = len(shape) + whole(rng, *self.stay_ms)
            turn_ms = whole(rng, *self.turn_ms)
            shape.extend([0.0] * (turn_ms - 1))
            shape.append(turn_ms * uniform(rng, 0.6, 1.4) / stations)
            if rng.random() < self.gap_chance:
                shape.extend([0.0] * whole(rng, *self.gap_ms))
        return scaled_to_mean(shape[:duration_ms], self.mean_bits_per_s)


TRACE = GeneratedTrace(
    name="wifi-like",
    title="Shared Wi-Fi",
    summary="Bursts, short gaps, and 0 to 5 neighbours who share 17 Mbit/s, mean 6; repeats after 2 minutes.",
    downlink=WifiLike(mean_bits_per_s=6e6),
    uplink=WifiLike(mean_bits_per_s=6e6),
    seed=4,
    duration_ms=120_000,
    downlink_sha256="90962864ac57801dc6ab188e5237ab35f1ee69fcc86b894585547bb453a7d19a",
    uplink_sha256="90962864ac57801dc6ab188e5237ab35f1ee69fcc86b894585547bb453a7d19a",
)
