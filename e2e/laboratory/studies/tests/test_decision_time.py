"""How long decisions take is not for tests."""

from __future__ import annotations

import asyncio

from e2e.laboratory.studies.decision_time import decision_times
from models.policies.policy import load_policy


def test_the_first_decisions_are_left_out() -> None:
    space = load_policy("bbr-fit").card.space
    times_s = asyncio.run(decision_times("bbr-fit", space, count=3))
    assert len(times_s) == 3
    assert min(times_s) > 0
