"""What a cell's bundle says of its film, with stalls for want of data apart from those for want of a processor."""

from __future__ import annotations

from pathlib import Path

import msgspec

DATA_AHEAD_S = 0.5
"""With as much of the film ahead nothing waits for data: the decoder had no processor."""


class Stall(msgspec.Struct, frozen=True, rename="camel"):
    """A time without playback after the first frame."""

    seconds: float
    least_buffer_seconds: float

    @property
    def is_for_data(self) -> bool:
        """Whether the network could have helped."""
        return self.least_buffer_seconds < DATA_AHEAD_S


class Playback(msgspec.Struct, frozen=True, rename="camel"):
    """By samples of the video element."""

    startup_seconds: float | None
    stalls: list[Stall]
    rebuffer_seconds: float
    """Of all stalls."""
    played_seconds: float


class Qoe(msgspec.Struct, frozen=True, rename="camel"):
    """The terms of QoE_lin (player/src/qoe/linear-qoe.ts)."""

    bitrate_sum: float
    rebuffer_penalty: float
    """Of all stalls."""
    smoothness_penalty: float


class BrowserFilm(msgspec.Struct, frozen=True, rename="camel"):
    """Metrics of a film's cell."""

    playback: Playback
    segment_megabits_per_second: list[float]
    switches: int
    qoe: Qoe | None

    @property
    def waits(self) -> list[Stall]:
        """Those for want of data, which a film in virtual time can have, too."""
        return [stall for stall in self.playback.stalls if stall.is_for_data]

    @property
    def waited_s(self) -> float:
        """How long they took."""
        return sum(stall.seconds for stall in self.waits)

    @property
    def stood_s(self) -> float:
        """Without a picture, and with data ahead."""
        return self.playback.rebuffer_seconds - self.waited_s

    @property
    def qoe_per_segment(self) -> float | None:
        """QoE_lin, where nothing but waits for data counts as a stall; None where no segment was played."""
        if self.qoe is None or not self.segment_megabits_per_second:
            return None
        all_s = self.playback.rebuffer_seconds
        penalty = self.qoe.rebuffer_penalty * self.waited_s / all_s if all_s > 0 else 0.0
        total = self.qoe.bitrate_sum - penalty - self.qoe.smoothness_penalty
        return total / len(self.segment_megabits_per_second)


class _Bundle(msgspec.Struct, frozen=True):
    metrics: BrowserFilm


def read_browser_film(folder: Path) -> BrowserFilm:
    """Raises OSError where there is none."""
    return msgspec.json.decode((folder / "bundle.json").read_bytes(), type=_Bundle).metrics
