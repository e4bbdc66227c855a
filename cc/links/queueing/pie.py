"""PIE: drop arriving packets with a probability that a controller steers by the queueing delay (RFC 8033).

Choices where the RFC leaves one, and deviations:

- The delay is the time that the last packet to leave had waited (section 4.3 allows time stamps), as in Linux since
  5.6; 0 while the queue is empty.
- The controller's timer is caught up with whenever a packet comes or leaves; nothing it reads changes in between.
- Not built: de-randomisation (section 5.4), ECN (5.1), turning PIE on and off (5.3). All are optional.
"""

from __future__ import annotations

from typing import TypeVar

from cc.core.random_source import RandomSource
from cc.links.link import OPPORTUNITY_BYTES, QueueLimit
from cc.links.queueing.discipline import ROUNDING_S, Discipline, DropTail, QueuedPacket

DELAY_REFERENCE_S = 0.015  # QDELAY_REF, section 4.2
UPDATE_S = 0.015  # T_UPDATE, section 4.2
MAX_BURST_S = 0.150  # MAX_BURST, section 4.4
ALPHA = 0.125  # section 4.2, per second of delay
BETA = 1.25
DECAY = 0.98  # section 4.2
SAFE_PROBABILITY = 0.2  # section 4.1
SAFE_QUEUE_PACKETS = 2  # section 4.1
STEP_LIMIT = 0.02  # section 5.5
STEP_LIMIT_FROM = 0.1
SCALES = ((1e-6, 2048), (1e-5, 512), (1e-4, 128), (1e-3, 32), (1e-2, 8), (1e-1, 2))
"""Section 4.2: below each probability the step is divided by so much."""

TokenT = TypeVar("TokenT")


class Pie(DropTail[TokenT]):
    """Proportional Integral controller Enhanced."""

    def __init__(
        self,
        limit: QueueLimit | None = None,
        *,
        rng: RandomSource,
        delay_reference_s: float = DELAY_REFERENCE_S,
        max_burst_s: float = MAX_BURST_S,
    ) -> None:
        super().__init__(limit)
        self._rng = rng
        self._delay_reference_s = delay_reference_s
        self._max_burst_s = max_burst_s
        self._burst_allowance_s = max_burst_s
        self._delay_s = 0.0
        self._old_delay_s = 0.0
        self._updates = 0
        self.drop_probability = 0.0

    def enter(self, packet: QueuedPacket[TokenT], *, now_s: float) -> bool:
        self._catch_up(now_s)
        return not self._drops_early() and super().enter(packet, now_s=now_s)

    def leave(self, *, now_s: float) -> QueuedPacket[TokenT] | None:
        self._catch_up(now_s)
        packet = self._take()
        self._delay_s = now_s - packet.entered_s if packet is not None and self._packets else 0.0
        return packet

    def _drops_early(self) -> bool:
        """Section 4.1."""
        if self._burst_allowance_s > ROUNDING_S:
            return False
        if self._old_delay_s < self._delay_reference_s / 2 and self.drop_probability < SAFE_PROBABILITY:
            return False
        if self.wire_bytes <= SAFE_QUEUE_PACKETS * OPPORTUNITY_BYTES:
            return False
        return self._rng.random() < self.drop_probability

    def _catch_up(self, now_s: float) -> None:
        while (self._updates + 1) * UPDATE_S <= now_s + ROUNDING_S:
            self._updates += 1
            self._update()
            if self.drop_probability == 0 and self._delay_s == self._old_delay_s == 0:
                # nothing changes any more until a packet leaves: after an idle hour a quarter of a million updates
                self._updates = max(self._updates, int(now_s / UPDATE_S) - 1)

    def _update(self) -> None:
        """Section 4.2, and the burst allowance of section 4.4."""
        delay_s, reference_s = self._delay_s, self._delay_reference_s
        step = ALPHA * (delay_s - reference_s) + BETA * (delay_s - self._old_delay_s)
        step /= next((divisor for below, divisor in SCALES if self.drop_probability < below), 1)
        if self.drop_probability >= STEP_LIMIT_FROM:
            step = min(step, STEP_LIMIT)
        probability = self.drop_probability + step
        if delay_s == 0 and self._old_delay_s == 0:
            probability *= DECAY
        self.drop_probability = min(1.0, max(0.0, probability))
        self._burst_allowance_s = max(0.0, self._burst_allowance_s - UPDATE_S)
        is_calm = delay_s < reference_s / 2 and self._old_delay_s < reference_s / 2
        if self.drop_probability == 0 and is_calm:
            self._burst_allowance_s = self._max_burst_s
        self._old_delay_s = delay_s


DISCIPLINE = Discipline("pie", lambda limit, _opportunities_ms, rng: Pie(limit, rng=rng))
