"""Hd-TCP's reward by numbers worked by hand, and where it practises."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from models.recipes.hd_tcp import HANDOVERS, reward
from models.scenarios.episode import Outcome
from models.scenarios.splits import split_traces


@pytest.mark.parametrize(
    ("utilisation", "delay_s", "lost", "expected"),
    [
        (1.0, 0.0, 0.0, 0.0),
        (0.5, 0.040, 0.0, -2.0),  # half of the link, at twice the round trip
        (1.0, 0.0, 0.5, -2.0),
        (0.5, 0.120, 0.75, -1.0 - 2.0 - 4.0),
        (1.0, 0.0, 1.0, 2 * -6.643856),  # as bad as 99 %
    ],
)
def test_the_reward_by_hand(utilisation: float, delay_s: float, lost: float, expected: float) -> None:
    outcome = SimpleNamespace(
        utilisation=utilisation, mean_queueing_delay_s=delay_s, base_rtt_s=0.040, link_loss_ratio=lost
    )
    assert reward(cast("Outcome", outcome)) == pytest.approx(expected)


def test_it_practises_on_training_traces() -> None:
    assert set(HANDOVERS) <= set(split_traces("training"))
