"""What a command line asks for, as `matrix.options` understands it."""

from __future__ import annotations

from dataclasses import dataclass

from e2e.laboratory.plan import AckPolicy, OnOff, Place, PlayerPlan

SELF = "self"
"""In a flow: the scheme under test."""


@dataclass(frozen=True, slots=True)
class SchemeChoice:
    """A scheme as `--schemes` names it."""

    scheme: str
    preset: str


@dataclass(frozen=True, slots=True)
class FlowTemplate:
    """A flow before scheme and link are known."""

    scheme: str
    """A scheme's name, or SELF."""
    preset: str | None
    """None: that of the scheme under test, or the matrix's."""
    start_s: float = 0.0
    stop_s: float | None = None
    rtt_ms: float | None = None
    """Of its whole path without a queue; None: the link's."""
    source: OnOff | None = None


@dataclass(frozen=True, slots=True)
class LinkChoice:
    """A link as `--links` names it."""

    trace: str
    """A recorded or generated trace, a file, or a rate."""
    delay_ms: int
    queue_packets: int | None
    discipline: str
    loss_ratio: float


@dataclass(frozen=True, slots=True)
class MatrixRequest:
    """Every scheme over every link, in every place, with every seed."""

    schemes: tuple[SchemeChoice, ...]
    links: tuple[LinkChoice, ...]
    places: tuple[Place, ...]
    seeds: int
    """How often each is run: with the seeds 1 to this."""
    flows: tuple[FlowTemplate, ...]
    flows_text: str
    """As it was written."""
    preset: str
    """Of flows that name none."""
    duration_s: float
    spreads_starts: bool
    """Whether each seed begins elsewhere in the trace."""
    acks: AckPolicy
    baseline: str | None
    """Name of the arm that the others are compared with; None is the first."""
    player: PlayerPlan
    """Of runs in the browser."""
    qlog: bool
    jobs: int
    """Simulations side by side."""
    cluster: str | None
    """An address of `models.executors.registry`; None is this machine."""
    output: str | None
    """A directory; None makes one by the name of the arguments."""
