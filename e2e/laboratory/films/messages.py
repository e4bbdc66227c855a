"""What passes between the network and a player's process; `e2e/virtual-player/messages.ts` is its other end.

Times are ms since the page was opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from statistics import fmean
from typing import Literal

import msgspec

PlayerEstimator = Literal["receiver", "dashjs"]
"""Of the page: whether its rules see what the session tells."""


class AskedSeek(msgspec.Struct, frozen=True, rename="camel"):
    """Of a viewer."""

    after_seconds: float
    """Since the first frame."""
    to_seconds: float
    """In the film."""


class Open(msgspec.Struct, frozen=True, rename="camel"):
    folder: str
    """Of the packaged film."""
    rule: str
    estimator: PlayerEstimator
    session_opens_at_ms: float
    """The session's handshake."""
    nuwa_constants: Mapping[str, float]
    """Of NuwaRule, by their names in the page; those that are not named are as chosen."""
    seeks: tuple[AskedSeek, ...] = ()
    """By time."""


class Estimate(msgspec.Struct, frozen=True, rename="camel"):
    """What the receiver knows at a time; None where it knows nothing."""

    at_ms: float
    bandwidth_bits_per_second: float | None
    delivered_bits_per_second: float
    queueing_delay_seconds: float
    target_delay_seconds: float | None
    wanted_bits_per_second: float | None
    is_held: bool
    window_bytes: int | None
    smoothed_rtt_seconds: float | None
    k: float | None


class Arrival(msgspec.Struct, frozen=True, rename="camel"):
    """How far a request has come."""

    id: int
    loaded_bytes: int
    at_ms: float


class Step(msgspec.Struct, frozen=True, rename="camel"):
    until_ms: float
    stops_at_wish: bool
    """Stop where something is asked for: the network has nothing else to do."""
    arrivals: list[Arrival]
    estimates: list[Estimate]


class Request(msgspec.Struct, frozen=True, rename="camel"):
    id: int
    bytes: int
    at_ms: float


class Cancel(msgspec.Struct, frozen=True, rename="camel"):
    id: int
    at_ms: float


class PlayerNeed(msgspec.Struct, frozen=True, rename="camel"):
    """`cc.core.receiver_base.Need`, as the player's language has it."""

    rate_bytes_per_second: float | None
    buffer_seconds: float
    full_buffer_seconds: float


class StepAnswer(msgspec.Struct, frozen=True, rename="camel"):
    at_ms: float
    requests: list[Request]
    cancels: list[Cancel]
    need: PlayerNeed | None
    """The newest that the player told; None where it told none."""
    is_over: bool


class Wait(msgspec.Struct, frozen=True, rename="camel"):
    started_at_ms: float
    duration_ms: float


class Seek(msgspec.Struct, frozen=True, rename="camel"):
    """The film went on at another place."""

    started_at_ms: float
    duration_ms: float
    """To the picture there, to the next seek, or to the end of it all."""
    has_picture: bool
    from_seconds: float
    to_seconds: float
    by_viewer: bool = True
    """Else by dash.js, over a hole that a viewer's seek has left in its buffer."""


class Segment(msgspec.Struct, frozen=True, rename="camel"):
    index: int
    bits_per_second: int
    bytes: int
    requested_at_ms: float
    ended_at_ms: float
    seeks_before: int = 0
    """Of the film's, until it was entered."""


class Switch(msgspec.Struct, frozen=True, rename="camel"):
    at_ms: float
    to_bits_per_second: int
    decided_by: str


class Qoe(msgspec.Struct, frozen=True, rename="camel"):
    """QoE_lin, as the page counts it (player/src/qoe/linear-qoe.ts)."""

    total: float
    per_segment: float


class Sample(msgspec.Struct, frozen=True, rename="camel"):
    at_ms: float
    position_seconds: float
    buffer_seconds: float
    """Of what may be played from there on."""
    bandwidth_bits_per_second: float | None
    """As the session told last."""
    dashjs_bits_per_second: float | None


class PlayedFilm(msgspec.Struct, frozen=True, rename="camel"):
    error: str | None
    startup_ms: float | None
    """To the first frame; None where none came."""
    position_seconds: float
    has_ended: bool
    waits: list[Wait]
    qoe: Qoe | None
    """None where nothing was played."""
    segments: list[Segment]
    """Of video: those that the playhead entered, in the order in which they were seen, as they were seen."""
    switches: list[Switch]
    samples: list[Sample] = []
    """About one a second."""
    seeks: list[Seek] = []
    """Those that were done."""

    @property
    def stalled_s(self) -> float:
        """Without a picture after the first frame; a seek is no stall."""
        return sum(wait.duration_ms for wait in self.waits) / 1000

    @property
    def played_s(self) -> float:
        """Of the film: what was seen twice counts twice, and what was jumped over not at all."""
        return self.position_seconds + sum(seek.from_seconds - seek.to_seconds for seek in self.seeks)

    @property
    def passed_s(self) -> float:
        """From the first frame on."""
        return self.played_s + self.stalled_s + sum(seek.duration_ms for seek in self.seeks) / 1000

    @property
    def viewers_seeks(self) -> list[Seek]:
        """Without the player's own."""
        return [seek for seek in self.seeks if seek.by_viewer]

    @property
    def seek_s(self) -> float | None:
        """From a viewer's seek to its picture, mean; None without any."""
        took_ms = [seek.duration_ms for seek in self.viewers_seeks if seek.has_picture]
        return fmean(took_ms) / 1000 if took_ms else None


class Rung(msgspec.Struct, frozen=True, rename="camel"):
    """Of video."""

    bits_per_second: float
    segment_bytes: list[int]
    segment_ends_seconds: list[float]


class Track(msgspec.Struct, frozen=True, rename="camel"):
    """A representation, as the manifest declares it."""

    kind: Literal["video", "audio"]
    bits_per_second: int
    codecs: str
    """As in RFC 6381."""
    width_pixels: int
    height_pixels: int
    frames_per_second: float
    """Of video, as its size; 0 where the manifest does not tell."""


class AboutFilm(msgspec.Struct, frozen=True, rename="camel"):
    seconds: float
    top_buffer_seconds: float
    """Where fetching stops in its top rung."""
    rungs: list[Rung]
    """Of video, ascending."""
    tracks: list[Track]
    """Of pictures and sound."""
    problem: str | None
    """A sentence; None for a film that can be played."""

    @property
    def lowest_bits_per_second(self) -> float:
        """Of video; 0 without any."""
        return self.rungs[0].bits_per_second if self.rungs else 0.0

    @property
    def segment_seconds(self) -> list[float]:
        """Of the lowest rung's video, in order."""
        ends = self.rungs[0].segment_ends_seconds if self.rungs else []
        return [end - start for start, end in pairwise([0.0, *ends])]


class About(msgspec.Struct, frozen=True, rename="camel"):
    rules: list[str]
    films: list[AboutFilm]
    """In the order in which they were asked for."""
    buffer_seconds: float
    """Where fetching stops below the top rung."""
    rebuffer_penalty: float
    """Of QoE_lin, a second."""
    nuwa_constants: Mapping[str, float] = msgspec.field(default_factory=dict)
    """Of NuwaRule, as they are chosen."""
    versions: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Of Node and dash.js, by name."""
