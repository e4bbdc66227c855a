"""A film as a plan sees it: what each segment weighs in each rung, and how the player fetches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FilmSizes:
    """Of its picture; rungs ascend."""

    bits_per_s: tuple[float, ...]
    """Nominal, of each rung."""
    segment_bytes: tuple[tuple[int, ...], ...]
    """By rung, then by segment."""
    ends_s: tuple[float, ...]
    """Where each segment ends in the film."""

    @property
    def segments(self) -> int:
        """Of the film."""
        return len(self.ends_s)


@dataclass(frozen=True, slots=True)
class FetchingRules:
    """As dash.js has them: a segment is asked for when the last one has come and it fits into the buffer."""

    buffer_s: float
    """The most that is buffered below the top rung."""
    top_buffer_s: float
    """The same while the top rung is fetched."""

    def most_buffered_s(self, before: int | None, rung: int, top: int) -> float:
        """With a segment of `rung` that follows one of `before`: both must fit."""
        return self.top_buffer_s if rung == top and before in (None, top) else self.buffer_s

    def longer_by(self, more_s: float) -> FetchingRules:
        """With so much more of buffer."""
        return FetchingRules(self.buffer_s + more_s, self.top_buffer_s + more_s)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a film earns: quality of each rung, less changes of it, less stalls."""

    quality: tuple[float, ...]
    stall_cost_per_s: float
