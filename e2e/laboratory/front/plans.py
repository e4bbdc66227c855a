"""What is run: schemes, links and the application, as conditions of the laboratory."""

from __future__ import annotations

import argparse

from cc.links.link import OPPORTUNITY_BYTES
from cc.registry import SCHEMES
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.condition import Condition, LoadedLink
from e2e.laboratory.matrix.flow_syntax import Context, parse_scheme
from e2e.laboratory.matrix.link_names import links_by_name
from e2e.laboratory.matrix.links import load_link, made_link
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.matrix.values import OptionError, list_of
from e2e.laboratory.plan import Arm, FlowChoice, LinkPlan, OnOff, RunPlan
from e2e.laboratory.request import LinkChoice, SchemeChoice
from e2e.laboratory.unseen_links import UNSEEN, UNSEEN_LINKS

PRESET = "on-demand"
SEGMENT_S = 2.0
SEGMENT_SHARE = 0.5
"""Of the link's mean rate: what a film takes of it."""
PAUSE_S = 1.0
LEAST_SEGMENT_BYTES = 20_000


def conditions_of(options: argparse.Namespace) -> list[Condition]:
    """A condition a link. Raises OptionError and UnknownLinkError; nothing has begun by then."""
    context = Context(options.seconds, PRESET)
    names = [each.name for each in SCHEMES] if options.schemes is None else list_of("schemes", options.schemes)
    schemes = [parse_scheme(name, context) for name in names]
    called = [_name(each) for each in schemes]
    for index, name in enumerate(called):
        if name in called[:index]:
            raise OptionError(f"--schemes: {name} is there twice")
    named = UNSEEN_LINKS if options.links == UNSEEN else list_of("links", options.links)
    links = links_by_name([_load(name, options) for name in named])
    return [_condition(options, schemes, link) for link in links.values()]


def thinned_ms(times_ms: tuple[int, ...], most_mbits: float) -> tuple[int, ...]:
    """Opportunities of which so many are left out, evenly, that the mean is no more than this."""
    mean_mbits = len(times_ms) * OPPORTUNITY_BYTES * 8 / 1000 / times_ms[-1]
    if mean_mbits <= most_mbits:
        return times_ms
    share = most_mbits / mean_mbits
    kept = [time for index, time in enumerate(times_ms) if int((index + 1) * share) > int(index * share)]
    return (*kept, times_ms[-1]) if not kept or kept[-1] != times_ms[-1] else tuple(kept)


def _load(name: str, options: argparse.Namespace) -> LoadedLink:
    choice = LinkChoice(name, options.delay, options.queue, "droptail", options.loss)
    link = load_link(choice)
    thin_ms = thinned_ms(link.downlink_ms, options.most)
    if thin_ms == link.downlink_ms:
        return link
    return made_link(choice, f"{link.name} at {options.most:g} Mbit/s", thin_ms, link.uplink_ms)


def _condition(options: argparse.Namespace, schemes: list[SchemeChoice], link: LoadedLink) -> Condition:
    source = None if options.application == "bulk" else segments_of(link)
    arms = tuple(Arm(_name(each), (FlowChoice(each.scheme, each.preset, source=source),)) for each in schemes)
    reference = Arm(OMNISCIENT, (FlowChoice(OMNISCIENT, PRESET, source=source),))
    runs = [_run(options, link, arm, seed) for seed in range(1, options.starts + 1) for arm in arms]
    references = [_run(options, link, reference, seed) for seed in range(1, options.starts + 1)]
    return Condition("simulation", link, arms, arms[0], tuple(runs), tuple(references))


def segments_of(link: LoadedLink) -> OnOff:
    """Segments of a film at a share of the link's mean rate, with pauses between them."""
    mean_bytes_per_s = len(link.downlink_ms) * OPPORTUNITY_BYTES * 1000 / link.downlink_ms[-1]
    return OnOff(max(LEAST_SEGMENT_BYTES, round(SEGMENT_SHARE * SEGMENT_S * mean_bytes_per_s)), PAUSE_S)


def _name(choice: SchemeChoice) -> str:
    return choice.scheme if choice.preset == PRESET else f"{choice.scheme} ({choice.preset})"


def _run(options: argparse.Namespace, link: LoadedLink, arm: Arm, seed: int) -> RunPlan:
    plan = LinkPlan(
        name=link.name,
        downlink_sha256=link.downlink_sha256,
        uplink_sha256=link.uplink_sha256,
        start_ms=start_of_seed_ms(seed, link.downlink_ms[-1]),
        delay_ms=link.choice.delay_ms,
        discipline=link.choice.discipline,
        queue_packets=link.choice.queue_packets,
        loss_ratio=link.choice.loss_ratio,
    )
    return RunPlan("simulation", plan, arm, seed, options.seconds)
