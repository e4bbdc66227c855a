"""What was played is kept, and what was stopped goes on."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.laboratory.learned import episode_runs, plays
from e2e.laboratory.learned.arms import Arm
from e2e.laboratory.learned.episode_runs import EpisodeRuns, Settings
from e2e.laboratory.learned.groups import row, typical_s
from e2e.laboratory.learned.plays import Play, Played, Task
from e2e.laboratory.learned.store import Store
from models.policies.folder import POLICIES
from models.recipes import recipe
from models.scenarios.evaluation import play_all
from models.scenarios.scenario import Scenario

CUBIC = Arm("cubic", "cubic")
SCENARIOS = tuple(Scenario("5mbit", base_rtt_s=0.040, queue_packets=20, duration_s=9.0, seed=seed) for seed in (1, 2))
PLAY = Play("bbr-fit", (CUBIC,), SCENARIOS)


def played(reward: float, *, mine: float = 3e6, rival: float | None = None) -> Played:
    return Played(reward, 0.5, mine, 0.010, 0.030, 0.050, 0.01, rival)


def test_a_second_run_plays_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(store=tmp_path, seconds=1.0)
    first = EpisodeRuns(settings).play("some", "bbr-fit", [CUBIC], SCENARIOS)
    assert [len(each) for each in first.values()] == [2]
    assert 0 < first["cubic"][0].throughput_bits_per_s <= 5e6
    assert re.search(r"some: 100%.* 2/2 ", capsys.readouterr().err)

    def refuse(_task: Task) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr(Task, "play", refuse)
    assert EpisodeRuns(settings).play("some", "bbr-fit", [CUBIC], SCENARIOS) == first
    assert capsys.readouterr().err == ""
    with pytest.raises(AssertionError, match="played again"):
        EpisodeRuns(replace(settings, is_fresh=True)).play("some", "bbr-fit", [CUBIC], SCENARIOS)


def test_an_action_of_its_own_takes_the_place_of_a_policy(tmp_path: Path) -> None:
    raised, held = (Arm(f"BBR-FIT, {action:g}", "bbr-fit", action=action) for action in (10.0, 0.0))
    assert raised.policy is None
    of_raised, of_held = (Task("bbr-fit", (arm,), SCENARIOS[0], tmp_path).play()[arm.name] for arm in (raised, held))
    assert of_raised.queueing_s > of_held.queueing_s


def test_any_judge_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = recipe("bbr-fit")
    own = replace(judged, judge=lambda makers, scenarios: play_all(makers, scenarios, judged.reward))
    task = Task("bbr-fit", (CUBIC,), SCENARIOS[0], POLICIES)
    unjudged = task.play()
    monkeypatch.setattr(plays, "recipe", {"bbr-fit": own}.__getitem__)
    assert task.play() == unjudged


def test_nothing_that_arrived_has_no_delay() -> None:
    scenario = Scenario("5mbit", base_rtt_s=0.040, queue_packets=20, duration_s=0.001)
    (found,) = Task("bbr-fit", (CUBIC,), scenario, POLICIES).play().values()
    assert (found.throughput_bits_per_s, found.queueing_p95_s) == (0.0, math.inf)
    assert row("cubic", [found]).queueing_p95_s is None


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    store = Store(tmp_path, POLICIES)
    store.begin(PLAY, {})
    store.add(PLAY, 1, {"cubic": played(0.25)})
    store.add(PLAY, 0, {"cubic": played(0.75)})
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    found = store.read(PLAY)
    assert found == {1: {"cubic": played(0.25)}}
    store.begin(PLAY, found)
    store.add(PLAY, 0, {"cubic": played(0.5)})
    assert store.read(PLAY) == {1: {"cubic": played(0.25)}, 0: {"cubic": played(0.5)}}


def test_another_model_is_another_play(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bbr-fit.onnx").write_bytes(name.encode())
    learned = Play("bbr-fit", (Arm("BBR-FIT", "bbr-fit"),), SCENARIOS)
    one, other = (Store(tmp_path, tmp_path / name) for name in ("one", "other"))
    assert one.key(learned) != other.key(learned)
    assert one.key(PLAY) == other.key(PLAY)
    assert one.key(PLAY) != one.key(Play("owl", (CUBIC,), SCENARIOS))


def test_another_onnxruntime_is_another_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path, tmp_path)
    before = store.key(PLAY)
    monkeypatch.setattr("e2e.laboratory.learned.store.version", lambda package: f"another {package}")
    assert store.key(PLAY) != before


def test_processes_give_what_one_gives(tmp_path: Path) -> None:
    alone = EpisodeRuns(Settings(store=tmp_path / "1", seconds=0.5)).play("", "bbr-fit", [CUBIC], SCENARIOS)
    together = EpisodeRuns(Settings(store=tmp_path / "2", seconds=0.5, jobs=2)).play("", "bbr-fit", [CUBIC], SCENARIOS)
    assert alone == together
    assert episode_runs.Settings().jobs == 1


def test_a_row_is_of_means_and_shares_of_pairs() -> None:
    found = row("cubic", [played(0.2, mine=3e6, rival=1e6), played(0.4, mine=1e6, rival=3e6)])
    assert found.reward == pytest.approx(0.3)
    assert (found.throughput_bits_per_s, found.share, found.scenarios) == (2e6, 0.5, 2)
    assert row("cubic", [played(0.2)]).share is None


def test_an_outage_in_one_episode_does_not_decide_about_delays() -> None:
    assert typical_s([0.009, 0.099, 0.999]) == pytest.approx(0.099)  # with a millisecond each: 10, 100, 1000
    assert typical_s([0.0, 0.0]) == pytest.approx(0.0)
    assert typical_s([0.1, math.inf]) == math.inf
