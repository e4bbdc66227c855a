"""Flows over links, for studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cc.links.defaults import DELAY_MS
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.links import load_link
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.plan import Arm, FlowChoice, LinkPlan, Place, RunPlan, plan_key
from e2e.laboratory.request import LinkChoice
from e2e.laboratory.runs.attempt import KeyedRun
from e2e.laboratory.store.sources import sources_of

ALONE_S = 30.0
"""How long runs take that differ in nothing but scheme and seed."""


@dataclass(frozen=True, slots=True)
class LinkRun:
    """A run, and the link that its plan has the hashes of."""

    plan: RunPlan
    link: LoadedLink


def choice(trace: str, queue_packets: int) -> LinkChoice:
    """A link with a queue that drops at its tail."""
    return LinkChoice(trace, DELAY_MS, queue_packets, "droptail", 0.0)


def named_link(trace: str, queue_packets: int, directories: Sequence[Path] = ()) -> LoadedLink:
    """A rate such as `24mbit`, a generated or a recorded trace. Raises UnknownLinkError."""
    return load_link(choice(trace, queue_packets), directories)


def bulk_flow(scheme: str, preset: str, start_s: float = 0.0) -> FlowChoice:
    """A transfer that goes on until the run ends."""
    return FlowChoice(scheme, preset, start_s)


def alone(scheme: str, preset: str, name: str | None = None) -> Arm:
    """The arm of one such transfer, called as its scheme unless told otherwise."""
    return Arm(name or scheme, (bulk_flow(scheme, preset),))


def link_run(
    link: LoadedLink,
    arm: Arm,
    seed: int,
    *,
    duration_s: float,
    place: Place = "simulation",
    has_own_start: bool = False,
) -> LinkRun:
    """With `has_own_start` each seed begins elsewhere in the trace, the same for all arms and places."""
    plan = LinkPlan(
        name=link.name,
        downlink_sha256=link.downlink_sha256,
        uplink_sha256=link.uplink_sha256,
        start_ms=start_of_seed_ms(seed, link.downlink_ms[-1]) if has_own_start else 0,
        delay_ms=link.choice.delay_ms,
        discipline=link.choice.discipline,
        queue_packets=link.choice.queue_packets,
        loss_ratio=link.choice.loss_ratio,
    )
    return LinkRun(RunPlan(place, plan, arm, seed, duration_s), link)


def simulated_alone(schemes: Sequence[str], *, seeds: int) -> list[KeyedRun]:
    """Each scheme from as many places of a link of 24 Mbit/s, for `ALONE_S`."""
    link, sources = named_link("24mbit", 300), sources_of("simulation")
    runs = [
        link_run(link, alone(scheme, "on-demand"), seed, duration_s=ALONE_S, has_own_start=True)
        for seed in range(1, seeds + 1)
        for scheme in schemes
    ]
    return [KeyedRun(plan_key(each.plan, sources), each.plan, each.link) for each in runs]
