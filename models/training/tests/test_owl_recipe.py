"""Owl's reward by hand, and the table of its figure 5."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cc.decision import DecisionRequest
from cc.registry import scheme
from cc.sender.owl import ACTIONS
from models.scenarios.episode import START, Contender, Episode
from models.scenarios.scenario import Scenario
from models.training.known_network import KNOWN_RATIOS, RoutedEpisode, main, play, results, table
from models.training.recipes.owl import reward

CLEAN = Scenario("12mbit", base_rtt_s=0.040, queue_packets=40, duration_s=4.0)


def keep(_request: DecisionRequest) -> float:
    return ACTIONS.index(0.0)


def test_eq_4_over_an_episode() -> None:
    episode = Episode(CLEAN, Contender(scheme("cubic")))
    whole = episode.run_until(4.0)
    lost = whole.until.packets_lost
    assert lost > 0
    # 1200 bytes and 32 of headers in opportunities of 1504; 12 Mbit/s are 1.5e6 bytes/s
    lost_share = lost * 1232 / 4.0 / 1.5e6
    share = whole.throughput_bytes_per_s() / 1.5e6
    assert reward(whole) == pytest.approx(0.3 * share - 0.7 * lost_share, rel=0.005)


def test_the_utility_adds_up_over_time() -> None:
    episode = Episode(CLEAN, Contender(scheme("cubic")))
    parts = [reward(episode.run_until(end_s)) for end_s in (1.0, 2.0, 3.0, 4.0)]
    assert sum(parts) / 4 == pytest.approx(reward(episode.outcome_since(START)))


def test_abcs_router_is_where_the_bottleneck_is_known() -> None:
    abc = Contender(scheme("abc"))
    unknown, known = (play(RoutedEpisode(replace(CLEAN, known_ratio=ratio), abc)) for ratio in (0.0, 1.0))
    assert known.rtt_s < unknown.rtt_s
    assert known.throughput_bits_per_s == pytest.approx(12e6, rel=0.15)


def test_figure_5_has_a_line_for_each_share_and_scheme() -> None:
    found = results([replace(CLEAN, duration_s=2.0)], keep)
    lines = table(found).splitlines()
    assert len(lines) == 2 + len(KNOWN_RATIOS) * len(found)
    assert found["CUBIC"][0.0] == found["CUBIC"][1.0]
    assert all("+0.0000 to +0.0000" in line for line in lines if "CUBIC |" in line)


def test_without_a_model_it_says_how_to_get_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--output", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path}/owl/seed-1/owl.onnx is not there" in told  # as ship.finish calls it
    assert "npm run train -- --policy owl --seed 1" in told
