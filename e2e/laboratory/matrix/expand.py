"""The product of a request: conditions, their arms and their runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cc.command_line.nearest import choice
from cc.simulation.omniscient import OMNISCIENT
from e2e.laboratory.condition import Condition, LoadedLink
from e2e.laboratory.matrix.trace_window import start_of_seed_ms
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.plan import Arm, FlowChoice, LinkPlan, Place, RunPlan
from e2e.laboratory.request import SELF, FlowTemplate, LinkChoice, MatrixRequest, SchemeChoice


def expand_matrix(request: MatrixRequest, links: Sequence[LoadedLink]) -> list[Condition]:
    """Everything that is to be run. Raises OptionError.

    In each condition every other seed goes through the arms backwards, so that what drifts meets all alike.
    """
    return [_condition(request, place, link) for link in links for place in request.places]


def _condition(request: MatrixRequest, place: Place, link: LoadedLink) -> Condition:
    arms = _arms(request, link.choice, place)
    is_reference_tested = any([flow.scheme for flow in arm.flows] == [OMNISCIENT] for arm in arms)
    reference = Arm(OMNISCIENT, (FlowChoice(OMNISCIENT, request.preset),))
    references = () if is_reference_tested else tuple(_runs(request, "simulation", link, (reference,)))
    runs = tuple(_runs(request, place, link, arms))
    return Condition(place, link, arms, _baseline(request, arms), runs, references)


def _runs(request: MatrixRequest, place: Place, link: LoadedLink, arms: tuple[Arm, ...]) -> Iterator[RunPlan]:
    for seed in range(1, request.seeds + 1):
        for arm in arms if seed % 2 == 1 else reversed(arms):
            yield RunPlan(
                place=place,
                link=_link_plan(request, link, seed),
                arm=arm,
                seed=seed,
                duration_s=request.duration_s,
                acks=request.acks,
                player=request.player if place == "browser" else None,
            )


def _link_plan(request: MatrixRequest, link: LoadedLink, seed: int) -> LinkPlan:
    choice = link.choice
    return LinkPlan(
        name=link.name,
        downlink_sha256=link.downlink_sha256,
        uplink_sha256=link.uplink_sha256,
        start_ms=start_of_seed_ms(seed, link.downlink_ms[-1]) if request.spreads_starts else 0,
        delay_ms=choice.delay_ms,
        discipline=choice.discipline,
        queue_packets=choice.queue_packets,
        loss_ratio=choice.loss_ratio,
    )


def _arms(request: MatrixRequest, link: LinkChoice, place: Place) -> tuple[Arm, ...]:
    default = SchemeChoice(SELF, request.preset)
    arms = tuple(
        Arm(_arm_name(choice, request), tuple(_flow(flow, choice, link) for flow in request.flows))
        for choice in request.schemes or (default,)
    )
    names = [arm.name for arm in arms]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise OptionError(f"--schemes: {name} is there twice")
    if place != "simulation" and any(flow.scheme == OMNISCIENT for arm in arms for flow in arm.flows):
        raise OptionError(f"{OMNISCIENT} exists in simulation alone, not on {place}; every report shows it anyway")
    return arms


def _arm_name(choice: SchemeChoice, request: MatrixRequest) -> str:
    if choice.scheme == SELF:
        return request.flows_text
    return choice.scheme if choice.preset == request.preset else f"{choice.scheme} ({choice.preset})"


def _flow(template: FlowTemplate, tested: SchemeChoice, link: LinkChoice) -> FlowChoice:
    link_rtt_ms = 2 * link.delay_ms
    extra_rtt_ms = 0.0 if template.rtt_ms is None else template.rtt_ms - link_rtt_ms
    if extra_rtt_ms < 0:
        raise OptionError(
            f"--flows: rtt={template.rtt_ms:g} is less than the {link_rtt_ms} ms of the link {link.trace}"
        )
    return FlowChoice(
        scheme=tested.scheme if template.scheme == SELF else template.scheme,
        preset=template.preset or tested.preset,
        start_s=template.start_s,
        stop_s=template.stop_s,
        extra_rtt_ms=extra_rtt_ms,
        source=template.source,
    )


def _baseline(request: MatrixRequest, arms: tuple[Arm, ...]) -> Arm:
    for arm in arms:
        if request.baseline in (None, arm.name):
            return arm
    assert request.baseline is not None  # or the first arm had it
    raise OptionError(f"--baseline {request.baseline}: {choice(request.baseline, (arm.name for arm in arms))}")
