"""What passes between the network and a player's process; `e2e/virtual-player/messages.ts` is its other end."""

from __future__ import annotations

from typing import Literal

import msgspec

Estimator = Literal["nuwa", "dashjs"]


class Message(msgspec.Struct, frozen=True, rename="camel"):
    """Times are ms since the page was opened."""


class Open(Message):
    folder: str
    """Of the packaged film."""
    rule: str
    estimator: Estimator
    buffer_target_seconds: float | None
    """Where fetching stops; None for dash.js's own."""
    session_opens_at_ms: float
    """The session's handshake."""


class Estimate(Message):
    """What the receiver knows at a time; None where it knows nothing."""

    at_ms: float
    bandwidth_bits_per_second: float | None
    delivered_bits_per_second: float
    queueing_delay_seconds: float
    target_delay_seconds: float | None
    window_bytes: int | None
    smoothed_rtt_seconds: float | None
    k: float | None


class Arrival(Message):
    """How far a request has come."""

    id: int
    loaded_bytes: int
    at_ms: float


class Step(Message):
    until_ms: float
    stops_at_wish: bool
    """Stop where something is asked for: the network has nothing else to do."""
    arrivals: list[Arrival]
    estimates: list[Estimate]


class Request(Message):
    id: int
    bytes: int
    at_ms: float


class Cancel(Message):
    id: int
    at_ms: float


class StepAnswer(Message):
    at_ms: float
    requests: list[Request]
    cancels: list[Cancel]
    is_over: bool


class Wait(Message):
    started_at_ms: float
    duration_ms: float


class Segment(Message):
    index: int
    bits_per_second: int
    bytes: int
    requested_at_ms: float
    ended_at_ms: float


class Switch(Message):
    at_ms: float
    to_bits_per_second: int
    decided_by: str


class PlayedFilm(Message):
    error: str | None
    startup_ms: float | None
    """To the first frame; None where none came."""
    position_seconds: float
    waits: list[Wait]
    segments: list[Segment]
    """Of video, in the film's order."""
    switches: list[Switch]
