"""Scenarios once a seed, such as those of papers, which name one run of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.scenarios.scenario import Scenario
from models.scenarios.traces import opportunities_ms


def with_seeds(scenarios: Sequence[Scenario], seeds: int) -> list[Scenario]:
    """Each scenario once a seed, begun elsewhere in its trace; seed 1 is the scenario itself. Seeds are outermost."""
    return [
        replace(scenario, seed=seed, trace_offset_s=(seed - 1) / seeds * opportunities_ms(scenario.trace)[-1] / 1000)
        for seed in range(1, seeds + 1)
        for scenario in scenarios
    ]
