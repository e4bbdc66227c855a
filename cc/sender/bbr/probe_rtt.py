"""A stay in ProbeRTT: how long it lasts, and what it keeps from being measured.

Source: draft-cardwell-iccrg-bbr-congestion-control-00 section 4.3.5 (BBRHandleProbeRTT); the same in
draft-ietf-ccwg-bbr-06 section 5.3.4.3 (HandleProbeRTT).
"""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.rounds import RoundCounter

DURATION_S = 0.2  # ProbeRTTDuration


class ProbeRtt:
    """Lasts 200 ms and a round trip from when little enough is in flight."""

    __slots__ = ("_began_s", "_done_s", "_is_round_done", "_limited_until_bytes")

    def __init__(self) -> None:
        self._began_s: float | None = None
        self._done_s: float | None = None
        self._is_round_done = False
        self._limited_until_bytes = 0

    def begin(self, now_s: float) -> None:
        """What leaves from now on measures ProbeRTT's window."""
        self._began_s = now_s
        self._done_s = None
        self._is_round_done = False

    def on_ack(self, event: AckEvent, *, target_bytes: float, is_round_start: bool, rounds: RoundCounter) -> bool:
        """Whether it is over. `target_bytes`: the most that may be in flight."""
        self._limited_until_bytes = event.delivered_bytes + event.bytes_in_flight
        if self._done_s is not None:
            self._is_round_done = self._is_round_done or is_round_start
        elif event.bytes_in_flight <= target_bytes:
            self._done_s = event.now_s + DURATION_S
            rounds.restart(event.delivered_bytes)
        return self._is_round_done and self.has_elapsed(event.now_s)

    def has_elapsed(self, now_s: float) -> bool:
        """Whether the 200 ms are over, be it by a pause."""
        return self._done_s is not None and now_s > self._done_s

    def limits(self, event: AckEvent) -> bool:
        """Whether ProbeRTT held back what the ACK tells of: until all that was in flight at its end is delivered."""
        newest = event.acked[-1]
        return (
            self._began_s is not None
            and newest.sent_time_s >= self._began_s
            and newest.delivered_bytes <= self._limited_until_bytes
        )
