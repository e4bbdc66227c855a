"""What numbers `serve` takes; `npm start` reads the same file, since it passes them on (server/setup)."""

from __future__ import annotations

import json
from pathlib import Path

_LIMITS: dict[str, dict[str, float]] = json.loads(Path(__file__).with_name("limits.json").read_text("utf-8"))


def _range(name: str) -> tuple[float, float]:
    return _LIMITS[name]["min"], _LIMITS[name]["max"]


def _whole_range(name: str) -> tuple[int, int]:
    return int(_LIMITS[name]["min"]), int(_LIMITS[name]["max"])


RATE_LIMITS_MBIT = _range("rate_mbit")
IN_FLIGHT_MIB = _whole_range("in_flight_mib")
WORKERS = _whole_range("workers")
