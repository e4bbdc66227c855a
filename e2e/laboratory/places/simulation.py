"""One run in virtual time, in this process: what `nuwa simulate -` answers, without its lines of JSON."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import msgspec

from cc.links.defaults import PACKET_BYTES
from cc.simulation.answer import error_json, run_and_answer
from cc.simulation.checked_scheme import SchemeError
from cc.simulation.omniscient import OMNISCIENT
from cc.simulation.request import Json, prepare_run
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.decisions import decisions_by_scheme, require_answers
from e2e.laboratory.matrix.trace_window import cut_window_ms
from e2e.laboratory.plan import INTERVAL_S, FlowChoice, RunPlan
from e2e.laboratory.record import RunError, RunFailure
from e2e.laboratory.result import FlowIntervals, FlowResult, Intervals, LinkResult, RunResult, SchemeDecisions
from models.policies.find import find_policy


def simulate(plan: RunPlan, link: LoadedLink) -> RunResult:
    """Let it happen. Raises RunError for a scheme that raises or asks for nonsense, and for what cannot be run."""
    try:
        answer = run_and_answer(prepare_run(simulation_request(plan, link), random.Random, find_policy))
    except SchemeError as error:
        raise RunError(msgspec.convert(error_json(error), RunFailure)) from error
    except ValueError as error:
        raise RunError(RunFailure(str(error))) from error
    result = read_answer(answer)
    require_answers(result.decisions)
    return result


def simulation_request(plan: RunPlan, link: LoadedLink) -> Json:
    """What is asked for. The traces are cut out for the run, so that no answer depends on where they repeat.

    The way back and the link's clock are mahimahi's, which the emulated places have, too; only what shows the limit is
    free of them.
    """
    length_ms = math.ceil(plan.duration_s * 1000)
    start_ms = plan.link.start_ms
    knows_link = all(flow.scheme == OMNISCIENT for flow in plan.arm.flows)
    return {
        "seed": plan.seed,
        "duration_s": plan.duration_s,
        "interval_s": INTERVAL_S,
        "packet_bytes": PACKET_BYTES,
        "link": {
            "opportunities_ms": cut_window_ms(link.downlink_ms, from_ms=start_ms, length_ms=length_ms),
            "return_opportunities_ms": cut_window_ms(link.uplink_ms, from_ms=start_ms, length_ms=length_ms),
            "clock": "exact" if knows_link else "mahimahi",
            "queue": {"discipline": plan.link.discipline, "packets": plan.link.queue_packets, "wire_bytes": None},
            "delay_ms": plan.link.delay_ms,
            "return_delay_ms": plan.link.delay_ms,
            "loss_ratio": plan.link.loss_ratio,
        },
        "flows": [_flow_request(flow) for flow in plan.arm.flows],
        "options": {"ack": plan.acks},
    }


def _flow_request(flow: FlowChoice) -> Json:
    source = flow.source
    return {
        "scheme": flow.scheme,
        "preset": flow.preset,
        "start_s": flow.start_s,
        "stop_s": flow.stop_s,
        "extra_delay_ms": flow.extra_rtt_ms,
        "source": {"kind": "bulk"}
        if source is None
        else {"kind": "on-off", "on_bytes": source.on_bytes, "off_s": source.off_s},
    }


@dataclass(frozen=True, slots=True)
class _AnsweredDecisions:
    asked: int
    answered: int
    late: int
    failed: int


@dataclass(frozen=True, slots=True)
class _AnsweredFlow:
    scheme: str
    decisions: _AnsweredDecisions | None
    """None where nothing asks a policy."""


@dataclass(frozen=True, slots=True)
class _AnsweredIntervals:
    end_s: tuple[float, ...]
    capacity_bits_per_s: tuple[float, ...]
    flows: tuple[FlowIntervals, ...]


def read_answer(answer: Json) -> RunResult:
    """The answer's fields are those of a result, but that it names intervals by their ends."""
    intervals = msgspec.convert(answer["intervals"], _AnsweredIntervals)
    flows = msgspec.convert(answer["flows"], tuple[_AnsweredFlow, ...])
    return RunResult(
        flows=msgspec.convert(answer["flows"], tuple[FlowResult, ...]),
        link=msgspec.convert(answer["link"], LinkResult),
        intervals=Intervals((0.0, *intervals.end_s[:-1]), intervals.capacity_bits_per_s, intervals.flows),
        decisions=decisions_by_scheme(
            SchemeDecisions(flow.scheme, True, made.asked, made.answered, made.late, made.failed)
            for flow in flows
            if (made := flow.decisions) is not None  # without its policy a simulation does not run at all
        ),
    )
