"""What the rest of a film can earn at most: its sizes against all that the link still carries, without a buffer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from e2e.laboratory.best_film.film_sizes import FilmSizes, Worth
from e2e.laboratory.best_film.known_link import KnownLink, Times

LAGRANGE_MULTIPLIERS = 25
"""How many are tried, the one of zero included."""
MULTIPLIER_RANGE_OCTAVES = 10.0
"""Around what an opportunity usually earns: from a 32nd of it to 32 times."""
LATENESS_STEP_MS = 100.0


class Outlook:
    """Lagrange's bound: at any price of an opportunity, what each segment earns above its price, and what is for sale.

    The smallest over some prices counts. The film may be later than it is, at the price of its stalls.
    """

    def __init__(self, film: FilmSizes, link: KnownLink, worth: Worth, *, first_frame_ms: float) -> None:
        needs = np.array([[link.opportunities_of(size) for size in sizes] for sizes in film.segment_bytes])
        quality = np.array(worth.quality)
        spread = max(1.0, float((needs[-1] - needs[0]).mean()))
        usual = float(quality[-1] - quality[0]) / spread
        octaves = MULTIPLIER_RANGE_OCTAVES / 2
        self._prices = np.concatenate(
            [[0.0], usual * np.exp2(np.linspace(-octaves, octaves, LAGRANGE_MULTIPLIERS - 1))]
        )
        earned = (quality[None, :, None] - self._prices[:, None, None] * needs[None]).max(axis=1)
        self._from_segment = np.concatenate(
            [np.cumsum(earned[:, ::-1], axis=1)[:, ::-1], np.zeros((LAGRANGE_MULTIPLIERS, 1))], axis=1
        )
        self._link = link
        self._first_ms = first_frame_ms
        most_late_ms = 1000 * (2 * quality.max() * film.segments / worth.stall_cost_per_s + 1)
        late_ms = np.arange(0.0, most_late_ms, LATENESS_STEP_MS)
        due_ms = first_frame_ms + 1000 * film.ends_s[-1] + late_ms + LATENESS_STEP_MS
        sold = self._prices[:, None] * link.passed(due_ms)[None] - worth.stall_cost_per_s * late_ms[None] / 1000
        self._sold = np.maximum.accumulate(sold[:, ::-1], axis=1)[:, ::-1]

    def most(self, segment: int, arrived_ms: Times, late_ms: Times) -> NDArray[np.float64]:
        """Of this segment and those after it, less stalls from the first frame on, old ones included."""
        steps = ((late_ms - self._first_ms) / LATENESS_STEP_MS).astype(np.int64)
        passed = self._link.passed(arrived_ms)
        most: NDArray[np.float64] = np.full(len(passed), np.inf)
        for price, rest, sold in zip(self._prices, self._from_segment[:, segment], self._sold, strict=True):
            np.minimum(most, rest + sold[np.minimum(steps, len(sold) - 1)] - price * passed, out=most)
        return most
