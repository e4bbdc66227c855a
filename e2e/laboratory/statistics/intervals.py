"""Ratios of runs that make pairs."""

from __future__ import annotations

from collections.abc import Sequence


def paired_ratios(samples: Sequence[float | None], partners: Sequence[float | None]) -> list[float]:
    """How much larger each sample is than its partner, as a share of it; a pair that lacks one is left out.

    Raises ValueError where they make no pairs.
    """
    pairs = zip(samples, partners, strict=True)
    return [sample / partner - 1 for sample, partner in pairs if sample is not None and partner]
