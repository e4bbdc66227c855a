"""What may be asked of an emulated link, and what it has unasked, from links/limits.json as TypeScript reads it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

LIMITS_FILE = Path(__file__).with_name("limits.json")


@dataclass(frozen=True, slots=True)
class Range:
    """From `min` to `max`, both included."""

    min: float
    max: float


@dataclass(frozen=True, slots=True)
class LinkLimits:
    """Those of the relay, of simulations, of the web server and of its page; transport/relay/README.md says why."""

    delay_ms: Range
    queue_packets: Range
    loss_ratio: Range


@dataclass(frozen=True, slots=True)
class LinkDefaults:
    """Those of `npm start`, of cells, of simulations and of matrices."""

    delay_ms: int
    queue_packets: int
    loss_ratio: float


_READ = json.loads(LIMITS_FILE.read_text("utf-8"))

LIMITS = LinkLimits(**{name: Range(**_READ[name]) for name in ("delay_ms", "queue_packets", "loss_ratio")})
LINK_DEFAULTS = LinkDefaults(**_READ["defaults"])
LINK_NAME = re.compile(_READ["name"])
"""What a link may be called that is asked for by its name."""
