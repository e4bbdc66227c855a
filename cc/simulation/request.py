"""The lines that `nuwa simulate -` reads: a run as a JSON object, checked and turned into a network."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cc.core.ack_policy import ACK_RULES, TCP
from cc.core.base import SenderScheme
from cc.core.decision import Decide
from cc.core.random_source import RandomSource
from cc.core.receiver_base import ReceiverScheme
from cc.links.clock import LinkClocks
from cc.links.link import MAX_PAYLOAD_BYTES, ChanceLoss, Link, QueueLimit
from cc.links.queueing.discipline import DropTail
from cc.links.queueing.registry import DROPTAIL, check_discipline, make_discipline
from cc.receiver.observer import Observer
from cc.receiver.presets import DEFAULT_PRESET, preset
from cc.registry import scheme
from cc.simulation.bottleneck import Bottleneck, Carried, ForeseeingBottleneck, ServedBottleneck
from cc.simulation.checked_scheme import make_scheme
from cc.simulation.downloads import Downloads
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network
from cc.simulation.omniscient import OMNISCIENT, Omniscient
from cc.simulation.options import SIMULATED_TIMER_S, SimulationOptions
from cc.simulation.recovery import RECOVERIES
from cc.simulation.sender import NEVER_S
from cc.simulation.sources import Bulk, OnOff, Source

LARGEST_NUMBER = 1e12
MAX_INTERVALS = 1_000_000
CLOCKS = ("exact", "mahimahi")
FIELDS: Mapping[str, Sequence[str]] = {
    "the run": ("id", "seed", "duration_s", "interval_s", "packet_bytes", "link", "flows", "options"),
    "link": (
        "opportunities_ms",
        "return_opportunities_ms",
        "queue",
        "delay_ms",
        "return_delay_ms",
        "loss_ratio",
        "clock",
    ),
    "queue": ("discipline", "packets", "wire_bytes"),
    "a flow": ("scheme", "preset", "start_s", "stop_s", "extra_delay_ms", "source"),
    "source": ("kind", "on_bytes", "off_s"),
    "options": ("ack", "recovery", "timer_quantum_ms", "feedback_interval_ms"),
}

Json = Mapping[str, object]
MakeRng = Callable[[str], RandomSource]
"""A generator for a seed; equal texts give equal generators."""


FindPolicy = Callable[[str], Decide]
"""Makes what answers one flow's requests, from a policy's name; raises ValueError for one that cannot be had."""


class RequestError(ValueError):
    """A run that cannot be understood; the message is one sentence that names the field."""


def no_policy(name: str) -> Decide:
    """What cc/ alone has."""
    raise RequestError(f"policy {name} is not part of cc: run `nuwa simulate`")


@dataclass(frozen=True, slots=True)
class Run:
    """A network that is ready to run."""

    network: Network
    duration_s: float
    interval_s: float


def prepare_run(request: Json, make_rng: MakeRng, find_policy: FindPolicy = no_policy) -> Run:
    """Raises RequestError, UnknownSchemeError, UnknownPresetError, UnknownDisciplineError, ValueError, SchemeError."""
    for where, json in _objects(request):
        _refuse_unknown(json, where)
    seed = _whole(request, "seed", default=1)
    duration_s = _number(request, "duration_s", above=0.0)
    interval_s = _number(request, "interval_s", default=0.1, above=0.0)
    if duration_s > MAX_INTERVALS * interval_s:
        raise RequestError(f"interval_s {interval_s:g} gives more than {MAX_INTERVALS} intervals in {duration_s:g} s")
    packet_bytes = _whole(request, "packet_bytes", default=1350)
    if not 1 <= packet_bytes <= MAX_PAYLOAD_BYTES:
        raise RequestError(f"packet_bytes {packet_bytes} is not from 1 to {MAX_PAYLOAD_BYTES}")
    link = _object(request, "link")
    opportunities_ms = _opportunities_ms(link, "opportunities_ms")
    flows = request.get("flows")
    if not isinstance(flows, list) or not flows or not all(isinstance(flow, Mapping) for flow in flows):
        raise RequestError("flows must be a list of at least one object")
    network = Network(
        _bottleneck(link, opportunities_ms, make_rng(f"{seed} loss"), make_rng(f"{seed} queue")),
        [
            _flow(flow, packet_bytes, opportunities_ms, make_rng(f"{seed} flow {index}"), find_policy)
            for index, flow in enumerate(flows)
        ],
        return_delay_s=_number(link, "return_delay_ms", default=0.0) / 1000,
        return_opportunities_ms=_return_opportunities_ms(link),
        options=_options(request),
        clocks=_clocks(link, make_rng(f"{seed} clock")),
    )
    return Run(network, duration_s, interval_s)


def _opportunities_ms(link: Json, field: str) -> list[int]:
    opportunities = link.get(field)
    if not isinstance(opportunities, list) or not all(type(time_ms) is int for time_ms in opportunities):
        raise RequestError(f"link.{field} must be a list of whole milliseconds")
    if opportunities and max(opportunities) > LARGEST_NUMBER:
        raise RequestError(f"link.{field} has a time of more than {LARGEST_NUMBER:g} ms")
    return opportunities


def _return_opportunities_ms(link: Json) -> list[int] | None:
    field = "return_opportunities_ms"
    return None if link.get(field) is None else _opportunities_ms(link, field)


def _clocks(link: Json, rng: RandomSource) -> LinkClocks | None:
    name = link.get("clock", "exact")
    if name not in CLOCKS:
        raise RequestError(f"link.clock {name!r} is unknown; known clocks: {', '.join(CLOCKS)}")
    return None if name == "exact" else LinkClocks.drawn(rng)


def _bottleneck(link: Json, opportunities_ms: list[int], loss_rng: RandomSource, queue_rng: RandomSource) -> Bottleneck:
    queue = _object(link, "queue", default={})
    limit = QueueLimit(packets=_limit(queue, "packets"), wire_bytes=_limit(queue, "wire_bytes"))
    delay_s = _number(link, "delay_ms", default=0.0) / 1000
    loss_ratio = _number(link, "loss_ratio", default=0.0)
    name = check_discipline(queue.get("discipline", DROPTAIL))
    if name == DROPTAIL:
        return ForeseeingBottleneck(
            Link(opportunities_ms, queue=limit, delay_s=delay_s, loss_ratio=loss_ratio, rng=loss_rng)
        )
    discipline: DropTail[Carried] = make_discipline(name, limit, opportunities_ms=opportunities_ms, rng=queue_rng)
    return ServedBottleneck(opportunities_ms, discipline, delay_s=delay_s, loss=ChanceLoss(loss_ratio, loss_rng))


def _flow(
    json: Json, packet_bytes: int, opportunities_ms: list[int], rng: RandomSource, find_policy: FindPolicy
) -> FlowPlan:
    name = json.get("scheme")
    if not isinstance(name, str):
        raise RequestError(f"a flow's scheme {name!r} is not a text")
    start_s = _number(json, "start_s", default=0.0)
    stop_s = NEVER_S if json.get("stop_s") is None else _number(json, "stop_s")
    if stop_s <= start_s:
        raise RequestError(f"stop_s {stop_s:g} of a flow of {name} is not after its start_s {start_s:g}")
    source = _source(_object(json, "source", default={"kind": "bulk"}), start_s)
    receiver = _receiver(name, json.get("preset"))
    if receiver is None and isinstance(source, Downloads):
        receiver = Observer()  # a player wants the estimate under every scheme
    plan = FlowPlan(
        scheme=_make_scheme(name, packet_bytes, rng),
        name=name,
        receiver=receiver,
        source=source,
        start_s=start_s,
        stop_s=stop_s,
        extra_delay_s=_number(json, "extra_delay_ms", default=0.0) / 1000,
    )
    if name == OMNISCIENT:
        plan.known_opportunities_ms = opportunities_ms
        return plan
    policy = scheme(name).policy
    if policy is not None:
        plan.decide = find_policy(policy)
    return plan


def _make_scheme(name: str, packet_bytes: int, rng: RandomSource) -> SenderScheme:
    """Raises UnknownSchemeError, and SchemeError for a scheme that cannot be made."""
    make_sender = Omniscient if name == OMNISCIENT else scheme(name).make_sender
    return make_scheme(make_sender, name=name, max_datagram_bytes=packet_bytes, rng=rng)


def _receiver(name: str, preset_name: object) -> ReceiverScheme | None:
    chosen = preset(DEFAULT_PRESET if preset_name is None else str(preset_name))
    make_receiver = None if name == OMNISCIENT else scheme(name).make_receiver
    return None if make_receiver is None else make_receiver(chosen.parameters)


def _source(json: Json, start_s: float) -> Source:
    kind = json.get("kind")
    if kind == "bulk":
        return Bulk()
    if kind == "on-off":
        return OnOff(on_bytes=_whole(json, "on_bytes"), off_s=_number(json, "off_s"), start_s=start_s)
    if kind == "downloads":
        return Downloads()
    raise RequestError(f"source {kind!r} is unknown; known sources: bulk, on-off")


def _options(request: Json) -> SimulationOptions:
    json = _object(request, "options", default={})
    ack = json.get("ack", "chromium")
    if not isinstance(ack, str) or ack not in ACK_RULES:
        raise RequestError(f"ack {ack!r} is unknown; known ways: {', '.join(ACK_RULES)}")
    recovery = json.get("recovery", "tcp" if ack == TCP.name else "quic")
    if not isinstance(recovery, str) or recovery not in RECOVERIES:
        raise RequestError(f"recovery {recovery!r} is unknown; known ways: {', '.join(RECOVERIES)}")
    return SimulationOptions(
        ack=ACK_RULES[ack],
        recovery=RECOVERIES[recovery],
        timer_quantum_s=_number(json, "timer_quantum_ms", default=SIMULATED_TIMER_S * 1000) / 1000,
        feedback_interval_s=(
            _number(json, "feedback_interval_ms", above=0.0) / 1000 if "feedback_interval_ms" in json else None
        ),
    )


def _objects(request: Json) -> Iterator[tuple[str, Json]]:
    """Every object of a request that is one, with the name of its kind."""
    link, flows = request.get("link"), request.get("flows")
    yield "the run", request
    found = [("link", link), ("options", request.get("options"))]
    if isinstance(link, Mapping):
        found.append(("queue", link.get("queue")))
    for flow in flows if isinstance(flows, list) else ():
        found.append(("a flow", flow))
        if isinstance(flow, Mapping):
            found.append(("source", flow.get("source")))
    for where, json in found:
        if isinstance(json, Mapping):
            yield where, json


def _refuse_unknown(json: Json, where: str) -> None:
    """A misspelt field would be left out in silence."""
    known = FIELDS[where]
    unknown = next((field for field in json if field not in known), None)
    if unknown is not None:
        raise RequestError(f"{where} has an unknown field {unknown!r}; known fields: {', '.join(known)}")


def _object(json: Json, field: str, default: Json | None = None) -> Json:
    value = json.get(field, default)
    if not isinstance(value, Mapping):
        raise RequestError(f"{field} must be an object")
    return value


def _number(json: Json, field: str, *, default: float | None = None, above: float | None = None) -> float:
    """A finite number, not negative, or greater than `above`."""
    if default is None and field not in json:
        raise RequestError(f"{field} is missing")
    value = json.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise RequestError(f"{field} {value!r} must be a number that is not negative")
    if value > LARGEST_NUMBER:
        raise RequestError(f"{field} is more than {LARGEST_NUMBER:g}")
    if above is not None and value <= above:
        raise RequestError(f"{field} {value!r} must be greater than {above:g}")
    return float(value)


def _whole(json: Json, field: str, *, default: int | None = None) -> int:
    if default is None and field not in json:
        raise RequestError(f"{field} is missing")
    value = json.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RequestError(f"{field} {value!r} must be a whole number")
    return value


def _limit(json: Json, field: str) -> int | None:
    value = json.get(field)
    if value is None:
        return None
    limit = _whole(json, field)
    if limit < 1:
        raise RequestError(f"queue.{field} {limit} must be at least 1, or null for no limit")
    return limit
