"""The states of BBR v3, and how fast it sends in each (draft-ietf-ccwg-bbr-06 sections 5.1 and 5.6.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum

STARTUP_GAIN = 4 * math.log(2)  # BBR.StartupPacingGain, 2.77
DEFAULT_CWND_GAIN = 2.0  # BBR.DefaultCwndGain


class State(Enum):
    """Section 5.1."""

    STARTUP = "startup"
    DRAIN = "drain"
    DOWN = "probe-bw-down"
    CRUISE = "probe-bw-cruise"
    REFILL = "probe-bw-refill"
    UP = "probe-bw-up"
    PROBE_RTT = "probe-rtt"


PROBE_BW = frozenset({State.DOWN, State.CRUISE, State.REFILL, State.UP})
ACCELERATING = frozenset({State.STARTUP, State.REFILL, State.UP})

PACING_GAINS: Mapping[State, float] = {
    State.STARTUP: STARTUP_GAIN,
    State.DRAIN: 0.5,
    State.DOWN: 0.9,
    State.CRUISE: 1.0,
    State.REFILL: 1.0,
    State.UP: 1.25,
    State.PROBE_RTT: 1.0,
}
CWND_GAINS: Mapping[State, float] = {
    State.STARTUP: DEFAULT_CWND_GAIN,
    State.DRAIN: DEFAULT_CWND_GAIN,
    State.DOWN: DEFAULT_CWND_GAIN,
    State.CRUISE: DEFAULT_CWND_GAIN,
    State.REFILL: DEFAULT_CWND_GAIN,
    State.UP: 2.25,
    State.PROBE_RTT: 0.5,
}
