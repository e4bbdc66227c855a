"""A run in full: two runs with equal plans, made by equal sources, may stand for each other."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from typing import Literal, get_args

Place = Literal["simulation", "relay", "mahimahi", "browser"]
"""Virtual time, the relay of transport/, mahimahi, or a film in a browser over the relay."""
PLACES: tuple[Place, ...] = get_args(Place)

AckPolicy = Literal["chromium", "every-packet", "every-second", "tcp"]
"""When the receiver acknowledges; emulated receivers do it as Chromium does. With `tcp` senders recover as TCP, too."""
ACK_POLICIES: tuple[AckPolicy, ...] = get_args(AckPolicy)

Estimator = Literal["receiver", "dashjs"]
"""Whose estimate of the network the page's adaptation uses."""
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)

INTERVAL_S = 0.1
"""Length of the intervals in which a run is recorded."""

_FORMAT = 4
"""Raised when what a run's file holds, or what its figures mean, changes."""


@dataclass(frozen=True, slots=True)
class LinkPlan:
    """A trace and what surrounds it; the hashes are those of the traces in mahimahi's format."""

    name: str
    """The trace's; without folders where it is a file."""
    downlink_sha256: str
    uplink_sha256: str
    start_ms: int
    """Where in the downlink's trace the run begins."""
    delay_ms: int
    """Each way."""
    discipline: str
    queue_packets: int | None
    """None is no limit."""
    loss_ratio: float
    """Share of downlink packets lost at random behind the queue."""


@dataclass(frozen=True, slots=True)
class OnOff:
    """A source that sends `on_bytes`, then pauses for `off_s`, and so on."""

    on_bytes: int
    off_s: float


@dataclass(frozen=True, slots=True)
class FlowChoice:
    """One flow of a run."""

    scheme: str
    preset: str
    """The receiver's, for schemes that it drives."""
    start_s: float = 0.0
    stop_s: float | None = None
    """None: until the run ends."""
    extra_rtt_ms: float = 0.0
    """Of its path without a queue, above that of the link."""
    source: OnOff | None = None
    """None: as much as the scheme will send."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a comparison: the flows that share the link in a run."""

    name: str
    """As the report calls it."""
    flows: tuple[FlowChoice, ...]


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """What adapts the film that a browser plays."""

    rule: str
    estimator: Estimator


@dataclass(frozen=True, slots=True)
class RunPlan:
    """One run, in full."""

    place: Place
    link: LinkPlan
    arm: Arm
    seed: int
    duration_s: float
    acks: AckPolicy = "chromium"
    player: PlayerPlan | None = None
    """None everywhere but in the browser."""


def plan_key(plan: RunPlan, sources: str) -> str:
    """The name of a run's file: a hash of all that makes it, `sources` being that of the programs.

    The arm's name is no part of it: it changes nothing.
    """
    identity = {"format": _FORMAT, "interval_s": INTERVAL_S, "sources": sources, "plan": asdict(nameless(plan))}
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]


def nameless(plan: RunPlan) -> RunPlan:
    """What makes a run what it is: all but what its arm is called."""
    return replace(plan, arm=replace(plan.arm, name=""))


def describe_run(plan: RunPlan) -> str:
    """What a run is called on the terminal and in error messages."""
    return f"{plan.arm.name} over {plan.link.name} ({plan.place}), seed {plan.seed}"


def describe_flow(flow: FlowChoice) -> str:
    """A flow as a legend calls it."""
    parts = [flow.scheme]
    if flow.start_s != 0 or flow.stop_s is not None:
        until = "" if flow.stop_s is None else f" to {flow.stop_s:g}"
        parts.append(f"from {flow.start_s:g}{until} s")
    if flow.extra_rtt_ms != 0:
        parts.append(f"RTT {flow.extra_rtt_ms:g} ms longer")
    if flow.source is not None:
        parts.append(f"{flow.source.on_bytes} bytes, then {flow.source.off_s:g} s of pause")
    return ", ".join(parts)
