"""CoDel: drop at the head when even the shortest delay of an interval was too long (RFC 8289, section 5).

Deviations: none from the RFC. Mahimahi's CoDel sends the packet that the RFC drops and drops the one behind it, so that
as many are dropped; its clock counts whole milliseconds.
"""

from __future__ import annotations

import math
from typing import TypeVar

from cc.links.link import OPPORTUNITY_BYTES, QueueLimit
from cc.links.queueing.discipline import ROUNDING_S, Discipline, DropTail, QueuedPacket

TARGET_S = 0.005  # section 4.3
INTERVAL_S = 0.100  # section 4.3
MAX_PACKET_BYTES = OPPORTUNITY_BYTES  # section 5.3: with less than this waiting, nothing is dropped
RESUME_INTERVALS = 16  # section 5.5: the drop rate of so long ago still counts

TokenT = TypeVar("TokenT")


class CoDel(DropTail[TokenT]):
    """Controlled Delay; names as in the RFC's pseudocode."""

    def __init__(
        self, limit: QueueLimit | None = None, *, target_s: float = TARGET_S, interval_s: float = INTERVAL_S
    ) -> None:
        super().__init__(limit)
        self._target_s = target_s
        self._interval_s = interval_s
        self._first_above_s: float | None = None
        """When the delay will have been above the target for an interval; None while it is below."""
        self._is_dropping = False
        self._drop_next_s = 0.0
        self._count = 0
        """Drops since the dropping state was entered."""
        self._last_count = 0

    def leave(self, *, now_s: float) -> QueuedPacket[TokenT] | None:
        packet, may_drop = self._look(now_s)
        if self._is_dropping:
            self._is_dropping = may_drop
            while self._is_dropping and now_s >= self._drop_next_s - ROUNDING_S:
                packet, may_drop = self._drop(packet, now_s)
                self._count += 1
                self._is_dropping = may_drop
                if may_drop:
                    self._drop_next_s = self._control_law(self._drop_next_s)
        elif may_drop:
            packet, _ = self._drop(packet, now_s)
            self._enter_dropping_state(now_s)
        return packet

    def _look(self, now_s: float) -> tuple[QueuedPacket[TokenT] | None, bool]:
        """Take the packet at the head; whether it may be dropped (the RFC's dodequeue)."""
        packet = self._take()
        if (
            packet is None
            or now_s - packet.entered_s < self._target_s - ROUNDING_S
            or self.wire_bytes <= MAX_PACKET_BYTES
        ):
            self._first_above_s = None
            return packet, False
        if self._first_above_s is None:
            self._first_above_s = now_s + self._interval_s
            return packet, False
        return packet, now_s >= self._first_above_s - ROUNDING_S

    def _drop(self, packet: QueuedPacket[TokenT] | None, now_s: float) -> tuple[QueuedPacket[TokenT] | None, bool]:
        assert packet is not None
        self._dropped.append(packet)
        return self._look(now_s)

    def _enter_dropping_state(self, now_s: float) -> None:
        self._is_dropping = True
        delta = self._count - self._last_count
        is_soon = now_s - self._drop_next_s < RESUME_INTERVALS * self._interval_s
        self._count = delta if delta > 1 and is_soon else 1
        self._drop_next_s = self._control_law(now_s)
        self._last_count = self._count

    def _control_law(self, after_s: float) -> float:
        """Section 5.2: drops come faster with the square root of their number."""
        return after_s + self._interval_s / math.sqrt(self._count)


DISCIPLINE = Discipline("codel", lambda limit, _opportunities_ms, _rng: CoDel(limit))
