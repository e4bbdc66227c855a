"""What a receiver's half of a scheme is told, and what it answers: the wire's messages in units of `cc`.

Times are seconds, sizes bytes of UDP payload. `send_time_s` runs on the sender's clock and
`received_time_s` on the receiver's: only differences of each mean anything.
The wire itself is in transport/wire_format/PROTOCOL.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from cc.core.base import Phase


@dataclass(frozen=True, slots=True)
class Stamp:
    """Leads a flight: what the sender had sent, and where it stood, when the flight left."""

    sequence: int
    """The wire counts stamps and packets in 32 bits (`cc.core.wrapping_count`)."""
    epoch: int
    """Changes whenever the sender sets or cuts its window itself."""
    phase: Phase
    send_time_s: float
    bytes_sent: int
    """Bytes of flight-counted packets sent before this flight."""
    packets_sent: int
    smoothed_rtt_s: float | None
    """None until an RTT was measured; so is `min_rtt_s`."""
    min_rtt_s: float | None
    cwnd_bytes: int
    max_datagram_bytes: int
    is_app_limited: bool


@dataclass(frozen=True, slots=True)
class Feedback:
    """The window a receiver asks for and what it measured; a later one replaces an earlier one."""

    sequence: int
    epoch: int
    """Epoch of the last stamp seen."""
    last_stamp_sequence: int
    window_bytes: int
    end_slow_start: bool
    bandwidth_bits_per_s: int
    queueing_delay_s: float
    k: float | None
    """None where the scheme has no such thing; so is `target_delay_s`."""
    target_delay_s: float | None
    """The queueing delay that the window aims at."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a player needs of the network, told a few times a second; a later one replaces an earlier one."""

    rate_bytes_per_s: float | None
    """Rate of the highest rung that it would play, with sound, at its playback rate; None: as much as there is."""
    buffer_s: float
    """How long it can play without another byte."""
    full_buffer_s: float
    """Buffer with which it stops fetching, s."""

    def __post_init__(self) -> None:
        """Raises ValueError for what is negative or not finite, and for a rate or a full buffer of 0."""
        for name in ("rate_bytes_per_s", "buffer_s", "full_buffer_s"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= 0 and (value > 0 or name == "buffer_s")):
                kind = "not negative" if name == "buffer_s" else "positive"
                raise ValueError(f"{name} of a need must be finite and {kind}, not {value}")


@dataclass(frozen=True, slots=True)
class ReceiverState:
    """What a receiver knows at a moment, for adaptation, charts and records; None where it knows nothing yet."""

    raw_queueing_delay_s: float
    queueing_delay_s: float
    bandwidth_bits_per_s: float | None
    delivered_bits_per_s: float | None
    window_bytes: int | None
    """None for an observer of a sender-side scheme."""
    k: float | None
    target_delay_s: float | None
    wanted_bits_per_s: float | None = None
    """What a player's need lets the window carry; None where it is told none, or wants all there is."""
    is_held: bool = False
    """Whether the window is held to that, or was just now: the bandwidth is then at least what was measured."""


class ReceiverScheme(Protocol):
    """The receiver's half of a receiver-driven scheme, pure like the sender's half."""

    def on_stamp(self, stamp: Stamp, *, received_time_s: float, late_s: float = 0.0) -> None:
        """The first packet of a flight arrived with its stamp.

        `late_s`: where the host notices arrivals late, it arrived at most so long before `received_time_s`.
        """

    def expect_data(self, is_expecting: bool) -> None:
        """Whether requests are open: only then does silence say anything about the link."""

    def on_need(self, need: Need, *, now_s: float) -> None:
        """What the player needs; a scheme that does not go by it ignores it."""

    def start_epoch(self, *, now_s: float) -> None:
        """The receiver's clock stepped, slept or stood still: forget what is relative to the clocks.

        The bandwidth stays known, and the next stamp gives the window. Steps that nobody tells of are found out by
        the schemes themselves (`cc.receiver.clock_watch`).
        """

    def feedback(self, *, now_s: float) -> Feedback | None:
        """The window to ask for now; None where there is nothing new to say.

        Asked as often as `cc.receiver.feedback_interval` has it.
        """

    def state(self, *, now_s: float) -> ReceiverState:
        """The measurements at `now_s`."""
