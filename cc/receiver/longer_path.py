"""Tells a path that has become longer from a queue: its delay stays whatever the flow leaves of its window.

A handover between cells or satellites, or another route, adds a delay that no window drains. What a flow has itself in
a queue goes with its window. Where less than `LEFT_SHARE` of what was in flight is left and the delay has stood still
all the while, next to nothing of it is this flow's. Others' queue seldom stands so still; where it does, the flow holds
its target above that until the queue is shorter again.

The sender's shortest round trip is that of the path as it was, and never rises. So what the round trip has become
longer by is added to it, and taken off again as far as a later round trip has less.
"""

from __future__ import annotations

from dataclasses import dataclass

from cc.core.receiver_base import Stamp

STILL_S = 0.002  # within this a delay stands still
LEAST_RISE_S = 0.010  # less is of little account to any target
LEFT_SHARE = 0.4  # of what was in flight; where two flows draw even, the larger keeps a half at least
BLOCK_STAMPS = 4  # and a round trip: the least delay of so many is without jitter
LEAST_BLOCKS = 4


@dataclass(slots=True)
class _Block:
    """A round trip or more, of some stamps."""

    began_s: float
    began_bytes: int
    stamps: int
    least_s: float
    most_cwnd_bytes: int


@dataclass(slots=True)
class _Still:
    """Blocks in which the delay stood still."""

    blocks: int
    least_s: float
    most_s: float
    most_in_flight_bytes: float


class PathWatch:
    """Watches the stamps of one session, in order of sequence."""

    def __init__(self) -> None:
        self.extra_s = 0.0
        """What a round trip takes more than the sender's shortest one says; 0 where the sender has another path."""
        self._block: _Block | None = None
        self._still: _Still | None = None

    def forget_delays(self) -> None:
        """Delays begin anew."""
        self._block = self._still = None

    def unqueued_bytes(self, stamp: Stamp, *, received_time_s: float, raw_delay_s: float) -> float | None:
        """Where the delay is the path's, the most that was in flight on it without a queue; else None."""
        if stamp.smoothed_rtt_s is None or stamp.min_rtt_s is None:
            return None
        risen_s = max(0.0, stamp.smoothed_rtt_s - stamp.min_rtt_s)
        self.extra_s = min(self.extra_s, risen_s)
        block = self._block
        if block is None:
            self._block = _begin_block(stamp, received_time_s, raw_delay_s)
            return None
        block.stamps += 1
        block.least_s = min(block.least_s, raw_delay_s)
        block.most_cwnd_bytes = max(block.most_cwnd_bytes, stamp.cwnd_bytes)
        elapsed_s = received_time_s - block.began_s
        if block.stamps < BLOCK_STAMPS or elapsed_s <= 0 or elapsed_s < stamp.smoothed_rtt_s:
            return None
        round_trip_bytes = (stamp.bytes_sent - block.began_bytes) * stamp.smoothed_rtt_s / elapsed_s
        still = self._note_block(block, min(round_trip_bytes, block.most_cwnd_bytes))
        is_longer = (
            still.blocks >= LEAST_BLOCKS
            and still.least_s >= LEAST_RISE_S
            and block.most_cwnd_bytes <= LEFT_SHARE * still.most_in_flight_bytes
        )
        if not is_longer:
            self._block = _begin_block(stamp, received_time_s, raw_delay_s)
            return None
        self.extra_s = risen_s
        self.forget_delays()
        return still.most_in_flight_bytes

    def _note_block(self, block: _Block, in_flight_bytes: float) -> _Still:
        still = self._still
        if still is not None:
            least_s = min(still.least_s, block.least_s)
            most_s = max(still.most_s, block.least_s)
            if most_s - least_s <= STILL_S:
                still.blocks += 1
                still.least_s, still.most_s = least_s, most_s
                still.most_in_flight_bytes = max(still.most_in_flight_bytes, in_flight_bytes)
                return still
        self._still = _Still(1, block.least_s, block.least_s, in_flight_bytes)
        return self._still


def _begin_block(stamp: Stamp, received_time_s: float, raw_delay_s: float) -> _Block:
    return _Block(received_time_s, stamp.bytes_sent, 1, raw_delay_s, stamp.cwnd_bytes)
