"""Runs that differ in nothing but scheme and seed: what one chart compares."""

from __future__ import annotations

from dataclasses import dataclass

from e2e.laboratory.plan import Arm, Place, RunPlan
from e2e.laboratory.request import LinkChoice


@dataclass(frozen=True, slots=True)
class LoadedLink:
    """A link as it was asked for, and when it may deliver."""

    choice: LinkChoice
    name: str
    """The trace's; without folders where it is a file."""
    downlink_ms: tuple[int, ...]
    """Delivery opportunities, one each 1504 bytes; the last one's time is the period in which they repeat."""
    uplink_ms: tuple[int, ...]
    downlink_sha256: str
    uplink_sha256: str


@dataclass(frozen=True, slots=True)
class Condition:
    """The runs of one chart."""

    place: Place
    link: LoadedLink
    arms: tuple[Arm, ...]
    baseline: Arm
    """The one of them that the others are compared with."""
    runs: tuple[RunPlan, ...]
    """In the order in which they are made: every other seed goes through the arms backwards."""
    references: tuple[RunPlan, ...]
    """What a sender that knows the link would get, simulated with each seed; empty where an arm is that sender."""

    def runs_of(self, arm: Arm) -> tuple[RunPlan, ...]:
        """Those of one arm, in the order of their seeds."""
        return tuple(plan for plan in self.runs if plan.arm == arm)


def title_of(condition: Condition) -> str:
    """What a condition is called."""
    where = "simulated" if condition.place == "simulation" else f"over {condition.place}"
    return f"{condition.link.name}, {'in the browser' if condition.place == 'browser' else where}"


def settings_of(condition: Condition) -> str:
    """What its link and its receivers are set to."""
    link = condition.link.choice
    queue = "unlimited queue" if link.queue_packets is None else f"queue of {link.queue_packets} packets"
    loss = "" if link.loss_ratio == 0 else f", {link.loss_ratio * 100:g} % random loss"
    acks = condition.runs[0].acks
    rule = "" if acks == "chromium" else f"; acknowledgements: {acks}"
    return f"{link.delay_ms} ms each way, {link.discipline}, {queue}{loss}{rule}"
