"""The lines that `python -m cc simulate` reads: a run as a JSON object, checked and turned into a network."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cc.ack_policy import ACK_RULES
from cc.link import MAX_PAYLOAD_BYTES, Link, QueueLimit
from cc.presets import DEFAULT_PRESET, preset
from cc.random_source import RandomSource
from cc.receiver.nuwa import NuwaParameters
from cc.receiver_base import ReceiverScheme
from cc.registry import scheme
from cc.simulation.flow import FlowPlan
from cc.simulation.network import Network
from cc.simulation.options import FEEDBACK_INTERVAL_S, TIMER_QUANTUM_S, SimulationOptions
from cc.simulation.sender import NEVER_S
from cc.simulation.sources import Bulk, OnOff, Source

Json = Mapping[str, object]
MakeRng = Callable[[str], RandomSource]
"""A generator for a seed; equal texts give equal generators."""


class RequestError(ValueError):
    """A run that cannot be understood; the message is one sentence that names the field."""


@dataclass(frozen=True, slots=True)
class Run:
    """A network that is ready to run."""

    network: Network
    duration_s: float
    interval_s: float


def prepare_run(request: Json, make_rng: MakeRng) -> Run:
    """Raises RequestError, UnknownSchemeError, UnknownPresetError, ValueError and SchemeError."""
    seed = _whole(request, "seed", default=1)
    duration_s = _number(request, "duration_s", above=0.0)
    interval_s = _number(request, "interval_s", default=0.1, above=0.0)
    packet_bytes = _whole(request, "packet_bytes", default=1350)
    if not 1 <= packet_bytes <= MAX_PAYLOAD_BYTES:
        raise RequestError(f"packet_bytes {packet_bytes} is not from 1 to {MAX_PAYLOAD_BYTES}")
    link_json = _object(request, "link")
    link = _link(link_json, make_rng(f"{seed} link"))
    flows = request.get("flows")
    if not isinstance(flows, list) or not flows:
        raise RequestError("flows must be a list of at least one flow")
    plans = []
    for index, flow in enumerate(flows):
        if not isinstance(flow, Mapping):
            raise RequestError(f"flow {index} is not an object")
        plans.append(_flow(flow, packet_bytes, make_rng(f"{seed} flow {index}")))
    return_delay_s = _number(link_json, "return_delay_ms", default=0.0) / 1000
    network = Network(link, plans, return_delay_s=return_delay_s, options=_options(request))
    return Run(network, duration_s, interval_s)


def _link(json: Json, rng: RandomSource) -> Link:
    opportunities = json.get("opportunities_ms")
    if not isinstance(opportunities, list) or not all(type(time_ms) is int for time_ms in opportunities):
        raise RequestError("link.opportunities_ms must be a list of whole milliseconds")
    queue = _object(json, "queue", default={})
    discipline = queue.get("discipline", "droptail")
    if discipline != "droptail":
        raise RequestError(f"queue discipline {discipline!r} is unknown; known disciplines: droptail")
    return Link(
        opportunities,
        queue=QueueLimit(packets=_limit(queue, "packets"), wire_bytes=_limit(queue, "wire_bytes")),
        delay_s=_number(json, "delay_ms", default=0.0) / 1000,
        loss_ratio=_number(json, "loss_ratio", default=0.0),
        rng=rng,
    )


def _flow(json: Json, packet_bytes: int, rng: RandomSource) -> FlowPlan:
    name = json.get("scheme")
    if not isinstance(name, str):
        raise RequestError(f"a flow's scheme {name!r} is not a text")
    entry = scheme(name)
    start_s = _number(json, "start_s", default=0.0)
    stop_s = json.get("stop_s")
    return FlowPlan(
        scheme=entry.make_sender(max_datagram_bytes=packet_bytes, rng=rng),
        name=name,
        receiver=None if entry.make_receiver is None else _receiver(json, entry.make_receiver),
        source=_source(_object(json, "source", default={"kind": "bulk"}), start_s),
        start_s=start_s,
        stop_s=NEVER_S if stop_s is None else _number(json, "stop_s"),
        extra_delay_s=_number(json, "extra_delay_ms", default=0.0) / 1000,
    )


def _receiver(json: Json, make_receiver: Callable[[NuwaParameters], ReceiverScheme]) -> ReceiverScheme:
    name = json.get("preset")
    chosen = preset(DEFAULT_PRESET if name is None else str(name))
    return make_receiver(NuwaParameters(target_delay_s=chosen.target_delay_s, rho_s=chosen.rho_s, k=chosen.k))


def _source(json: Json, start_s: float) -> Source:
    kind = json.get("kind")
    if kind == "bulk":
        return Bulk()
    if kind == "on-off":
        return OnOff(on_bytes=_whole(json, "on_bytes"), off_s=_number(json, "off_s"), start_s=start_s)
    raise RequestError(f"source {kind!r} is unknown; known sources: bulk, on-off")


def _options(request: Json) -> SimulationOptions:
    json = _object(request, "options", default={})
    ack = json.get("ack", "chromium")
    if ack not in ACK_RULES:
        raise RequestError(f"ack {ack!r} is unknown; known ways: {', '.join(ACK_RULES)}")
    return SimulationOptions(
        ack=ACK_RULES[str(ack)],
        timer_quantum_s=_number(json, "timer_quantum_ms", default=TIMER_QUANTUM_S * 1000) / 1000,
        feedback_interval_s=_number(json, "feedback_interval_ms", default=FEEDBACK_INTERVAL_S * 1000, above=0.0) / 1000,
    )


def _object(json: Json, field: str, default: Json | None = None) -> Json:
    value = json.get(field, default)
    if not isinstance(value, Mapping):
        raise RequestError(f"{field} must be an object")
    return value


def _number(json: Json, field: str, *, default: float | None = None, above: float | None = None) -> float:
    """A finite number, not negative, or greater than `above`."""
    value = json.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise RequestError(f"{field} {value!r} must be a number that is not negative")
    if above is not None and value <= above:
        raise RequestError(f"{field} {value!r} must be greater than {above:g}")
    return float(value)


def _whole(json: Json, field: str, *, default: int | None = None) -> int:
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
