"""Eagle's lessons: the action whose window comes nearest to what BBR would have in flight."""

from __future__ import annotations

import pytest

from cc.sender.bbr.eagle import Eagle
from models.recipes.eagle import EAGLE, expert
from models.scenarios.episode import Contender, Episode
from models.scenarios.scenario import Scenario

SCENARIO = Scenario("12mbit", base_rtt_s=0.040, queue_packets=100, duration_s=2.0)


@pytest.mark.parametrize(
    ("wanted", "action"), [(10.0, 0), (1.6, 1), (1.04, 2), (1.0, 3), (0.94, 4), (0.7, 5), (0.1, 6)]
)
def test_the_nearest_action_is_the_lesson(wanted: float, action: int, monkeypatch: pytest.MonkeyPatch) -> None:
    episode = Episode(SCENARIO, Contender(EAGLE.scheme))
    assert episode.next_request(2.0) is not None
    window_bytes = episode.flow.sender.scheme.cwnd_bytes
    monkeypatch.setattr(Eagle, "taught_window_bytes", lambda _scheme: wanted * window_bytes)
    assert expert(episode) == action


def test_who_does_as_it_is_told_fills_the_link_with_a_short_queue() -> None:
    episode = Episode(SCENARIO, Contender(EAGLE.scheme))
    while not episode.is_over:
        request = episode.next_request(2.0)
        if request is None:
            break
        if episode.network.now_s < 1.0:
            mark = episode.mark()
        episode.answer(request, expert(episode))
    outcome = episode.outcome_since(mark)
    assert outcome.utilisation > 0.9
    assert outcome.mean_queueing_delay_s < 0.040
