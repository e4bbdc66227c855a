"""How many groups of samples it takes to say where a value lies."""

from __future__ import annotations

LEAST_GROUPS = 3
"""Of fewer an interval says nothing."""
