"""The reference's reward in the same scenario at the same time."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from models.scenarios.episode import Episode, Outcome
from models.scenarios.pairing import reference_reward
from models.scenarios.rival import by_hand
from models.scenarios.scenario import Scenario

SCENARIO = Scenario("8mbit", base_rtt_s=0.040, queue_packets=60, duration_s=2.25)
CUBIC = by_hand("cubic")
ENDS_S = (0.5, 1.0, 1.5, 2.0, 2.25)


def utilisation(outcome: Outcome) -> float:
    return outcome.utilisation


@pytest.mark.parametrize(
    ("start_s", "end_s", "windows"), [(0.0, 0.5, [0]), (0.6, 0.7, [1]), (0.9, 1.6, [1, 2, 3]), (2.3, 2.4, [4])]
)
def test_is_the_mean_of_the_windows_in_between(start_s: float, end_s: float, windows: list[int]) -> None:
    episode = Episode(SCENARIO, CUBIC.make())
    rewards = [utilisation(episode.run_until(each_s)) for each_s in ENDS_S]
    found = reference_reward(CUBIC, utilisation, SCENARIO, start_s, end_s, window_s=0.5)
    assert found == pytest.approx(fmean(rewards[window] for window in windows))
    assert len(set(rewards)) > 1


@pytest.mark.parametrize("step", range(1, 22))
def test_windows_that_follow_each_other_are_each_their_own(step: int) -> None:
    # 0.1 * 3 is more than 0.3
    short = replace(SCENARIO, duration_s=2.1)
    one = reference_reward(CUBIC, utilisation, short, 0.1 * (step - 1), 0.1 * step, window_s=0.1)
    assert one == reference_reward(CUBIC, utilisation, short, 0.1 * step - 0.06, 0.1 * step - 0.04, window_s=0.1)


def test_there_is_no_last_window_of_nothing() -> None:
    short = replace(SCENARIO, duration_s=2.1)  # 2.1 / 0.3 is more than 7
    ended = reference_reward(CUBIC, utilisation, short, 5.0, 6.0, window_s=0.3)
    assert ended == reference_reward(CUBIC, utilisation, short, 1.8, 2.1, window_s=0.3) > 0.5
