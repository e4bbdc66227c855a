"""How many groups of samples it takes to say where a value lies."""

from __future__ import annotations

LEAST_GROUPS = 3
"""Of fewer an interval says nothing."""
LEAST_RESAMPLED_GROUPS = 12
"""Of fewer a percentile bootstrap is too narrow: of twelve normal values it holds the mean in 90 of 100 cases, of five
in 81."""
