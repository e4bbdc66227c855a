"""Ranks by degrees, of late: how far a contender is ahead of each rival, not only whether it is.

A rank among all of an episode says nothing to most decisions: it moves only where a rival is overtaken. Here a rival
counts as beaten by a share that rises with the lead, half of it over a broad range, so that there is a way uphill from
everywhere, and half over a narrow one, so that the last hundredths count as they do in a rank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from cc.link import OPPORTUNITY_BYTES
from cc.registry import scheme
from cc.simulation.record import FlowRecord
from models.scenarios.arena import KEPT, play_alone
from models.scenarios.episode import Contender
from models.scenarios.scenario import Scenario

WINDOW_S = 0.5
STEPS_PER_S = 10
"""How often rivals' results are taken."""
LEAST_DELAY_S = 0.001
"""Is added to all delays: less is no difference to anybody."""
BROAD, SHARP = 0.5, 0.03
"""Leads, as differences of logarithms, by which the two halves of a share rise from 1/2 to 0.73."""


@dataclass(frozen=True, slots=True)
class Recent:
    """Logarithms of what a contender achieved in a window."""

    throughput: float
    delay: float


def graded_ranks(
    record: FlowRecord, until_s: float, scenario: Scenario, rivals: tuple[str, ...]
) -> tuple[float, float]:
    """Of throughput, where high is good, and of delay, where low is: from 1 to one more than there are rivals.

    Each rival is alone in the scenario. Raises UnknownSchemeError.
    """
    mine = recent(record, until_s)
    theirs = recent_of_rivals(scenario, until_s, rivals)
    return (
        1 + sum(share_beaten(mine.throughput - each.throughput) for each in theirs),
        1 + sum(share_beaten(mine.delay - each.delay) for each in theirs),
    )


def recent_of_rivals(scenario: Scenario, until_s: float, rivals: tuple[str, ...]) -> list[Recent]:
    """Of each of these schemes, alone in the scenario, in the window before the last whole step.

    Raises UnknownSchemeError.
    """
    step = max(1, int(min(until_s, scenario.duration_s) * STEPS_PER_S))
    return [results[step - 1] for results in _results(scenario, rivals)]


def share_beaten(lead: float) -> float:
    """0 to 1; 1/2 without a lead, which is a difference of logarithms."""
    return (_logistic(lead / BROAD) + _logistic(lead / SHARP)) / 2


def recent(record: FlowRecord, until_s: float) -> Recent:
    """In the window before `until_s`. Where nothing left the link the delay is the window."""
    since_s = max(0.0, until_s - WINDOW_S)
    delays = record.delays(since_s, until_s)
    sent_bytes = record.wire_bytes(since_s, until_s) + OPPORTUNITY_BYTES
    delay_s = WINDOW_S if delays is None else delays.p95_s
    return Recent(math.log(sent_bytes / max(until_s - since_s, 1e-3)), math.log(delay_s + LEAST_DELAY_S))


@lru_cache(maxsize=KEPT)
def _results(scenario: Scenario, rivals: tuple[str, ...]) -> tuple[tuple[Recent, ...], ...]:
    steps = range(1, int(scenario.duration_s * STEPS_PER_S) + 1)
    records = [play_alone(Contender(scheme(name)), scenario).flow.record for name in rivals]
    return tuple(tuple(recent(record, step / STEPS_PER_S) for step in steps) for record in records)


def _logistic(value: float) -> float:
    return 0.5 * (1 + math.tanh(value / 2))
