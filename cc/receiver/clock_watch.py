"""Tells a clock that stepped, or stood still, from a queue.

A queueing delay is the difference of two clocks, so a step of either one is measured as a queue that no window can
drain. The sender's RTT is measured on one clock alone: a real queue must show in it. If every delay since a stamp A
is at least `floor` and A was acknowledged before a stamp B left, then the RTT sample of A was min_rtt + floor or
more, and B's smoothed RTT (RFC 9002 section 5.3, 7/8 old and 1/8 new) has risen by floor / 8 at least; after n such
turns by (1 - (7/8)^n) * floor. When it did not, no queue explains the delay.

That A was acknowledged (or declared lost, which takes a later acknowledgement) before B left is known without any
comparison of the two clocks: more than a window has been sent in between, or more time has passed at the sender
than A's round trip would have taken with the delay in question. So the packets that an outage held back prove nothing:
they left before anything could be known of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cc.core.receiver_base import Stamp

LEAST_STEP_S = 0.25  # a smaller step is left to the reference's window: jitter of a busy machine looks the same
LEAST_DURATION_S = 0.5  # on the receiver's clock: stamps that a blocked worker reads all at once are no evidence
LEAST_TURNS = 4
SMOOTHING_REST = 7 / 8  # RFC 9002 section 5.3
RISE_SHARE = 0.5  # of the rise that is due at least; below that no queue explains the delay
TURN_MARGIN_S = 0.1  # ACK delay, and jitter on the way back
TURN_MARGIN_PACKETS = 2  # probes leave beyond the window (RFC 9002 section 7.5)


@dataclass(slots=True)
class _Turn:
    began: Stamp
    delay_s: float
    cwnd_bytes: int
    """The largest window since."""


@dataclass(slots=True)
class _Suspicion:
    """How long delays have been suspicious, and what was seen since."""

    since_s: float
    floor_s: float
    turn: _Turn
    turns: int = 0


class ClockWatch:
    """Watches the stamps of one session, in order of sequence."""

    def __init__(self) -> None:
        self._last_send_s = -math.inf
        self._last_received_s = -math.inf
        self._suspicion: _Suspicion | None = None

    @property
    def is_suspicious(self) -> bool:
        """Whether the delays of late are not explained by the sender's round trips so far."""
        return self._suspicion is not None

    def runs_back(self, stamp: Stamp, *, received_time_s: float) -> bool:
        """Whether one of the clocks went back since the stamp before: the plainest kind of step."""
        is_back = stamp.send_time_s < self._last_send_s or received_time_s < self._last_received_s
        self._last_send_s = stamp.send_time_s
        self._last_received_s = received_time_s
        return is_back

    def leaps(self, stamp: Stamp, *, undercut_s: float) -> bool:
        """Whether the delay fell below the reference by more than a queue of which the round trips knew.

        The sender's clock leapt ahead, the receiver's stood still, or the path became shorter at once.
        """
        rise_s = _rise_s(stamp)
        return rise_s is not None and undercut_s >= LEAST_STEP_S and rise_s < RISE_SHARE * undercut_s

    def contradicts(self, stamp: Stamp, *, received_time_s: float, raw_delay_s: float) -> bool:
        """Whether the round trips have proved by now that the delay is not a queue's."""
        rise_s = _rise_s(stamp)
        if rise_s is None or raw_delay_s < LEAST_STEP_S or rise_s >= RISE_SHARE * raw_delay_s:
            self.forget()
            return False
        suspicion = self._suspicion
        if suspicion is None:
            self._suspicion = _Suspicion(received_time_s, raw_delay_s, _begin_turn(stamp, raw_delay_s))
            return False
        suspicion.floor_s = min(suspicion.floor_s, raw_delay_s)
        suspicion.turn.cwnd_bytes = max(suspicion.turn.cwnd_bytes, stamp.cwnd_bytes)
        if _is_turn_over(suspicion.turn, stamp):
            suspicion.turns += 1
            suspicion.turn = _begin_turn(stamp, raw_delay_s)
        if suspicion.turns < LEAST_TURNS or received_time_s - suspicion.since_s < LEAST_DURATION_S:
            return False
        due_s: float = (1 - SMOOTHING_REST**suspicion.turns) * suspicion.floor_s
        return rise_s < RISE_SHARE * due_s

    def forget(self) -> None:
        """Nothing is suspicious (any more)."""
        self._suspicion = None


def _begin_turn(began: Stamp, delay_s: float) -> _Turn:
    return _Turn(began, delay_s, began.cwnd_bytes)


def _is_turn_over(turn: _Turn, stamp: Stamp) -> bool:
    """Whether the sender knew the round trip of the stamp that began the turn when this one left."""
    margin_bytes = TURN_MARGIN_PACKETS * stamp.max_datagram_bytes
    if stamp.bytes_sent - turn.began.bytes_sent > turn.cwnd_bytes + margin_bytes:
        return True
    round_trip_s = (stamp.smoothed_rtt_s or 0.0) + turn.delay_s
    return stamp.send_time_s - turn.began.send_time_s > round_trip_s + TURN_MARGIN_S


def _rise_s(stamp: Stamp) -> float | None:
    """How far the smoothed RTT stands above the least one; None before the first sample."""
    if stamp.smoothed_rtt_s is None or stamp.min_rtt_s is None:
        return None
    return max(0.0, stamp.smoothed_rtt_s - stamp.min_rtt_s)
