"""Policies beside rivals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest

from cc.registry import SCHEMES, UnknownSchemeError, scheme
from models.evaluation.comparison import compare, comparison, difference_text, evaluation_scenarios
from models.evaluation.progress import watched
from models.evaluation.resampling import Interval
from models.policies.card import read_card
from models.policies.card_page import card_page, comparison_page
from models.policies.folder import POLICIES
from models.policies.policy import PolicyError
from models.recipes import RECIPES, recipe
from models.recipes.recipe import Recipe
from models.scenarios.arena import Placing
from models.scenarios.episode import MakeContender
from models.scenarios.evaluation import Score
from models.scenarios.rival import Rival, by_hand, by_policy
from models.scenarios.scenario import Scenario

SCORE = Score(
    *("6mbit", 1.0, 0.5),
    throughput_bytes_per_s=4e5,
    queueing_delay_s=0.1,
    queueing_p95_s=0.15,
    latency_s=0.2,
    loss_ratio=0.0,
)
SCENARIOS = [Scenario(f"{mbit_per_s}mbit", 0.040, queue_packets=30, duration_s=2.0) for mbit_per_s in (6, 8)]
each_recipe = pytest.mark.parametrize("chosen", RECIPES, ids=lambda chosen: chosen.name)


def on_traces(scores: Sequence[Score]) -> list[Score]:
    """Each on a trace of its own."""
    return [replace(score, trace=f"{number}mbit") for number, score in enumerate(scores, start=1)]


def test_differences_are_paired_by_scenario() -> None:
    rival = [replace(SCORE, reward=0.5), replace(SCORE, reward=0.25, latency_s=0.4)]
    found = comparison("bbr", on_traces([SCORE, SCORE]), on_traces(rival))
    assert found["reward"]["difference"] == {"mean": 0.625, "low": 0.5, "high": 0.75}
    assert found["latency_s"] == {"policy": 0.2, "rival": pytest.approx(0.3)}
    assert (found["scenarios"], found["traces"], found["rival"]) == (2, 2, "bbr")


def test_episodes_of_one_trace_are_drawn_together() -> None:
    ours = [
        replace(SCORE, trace=trace, reward=reward) for trace, reward in zip("aabbcc", (2, 4, 1, 1, 0, 1), strict=True)
    ]
    found = comparison("bbr", ours, [replace(SCORE, trace=score.trace, reward=0.0) for score in ours])
    assert (found["scenarios"], found["traces"]) == (6, 3)
    assert found["reward"]["difference"] == {"mean": 1.5, "low": 0.5, "high": 3.0}  # all three the last, or the first


def test_every_rival_is_compared_and_the_first_by_family_too() -> None:
    chosen = replace(recipe("bbr-fit"), rivals=(by_hand("bbr"), by_hand("cubic"), by_policy("owl")))
    present = [rival.name for rival in chosen.rivals if rival.is_there]
    found = compare(chosen, POLICIES, SCENARIOS)
    assert found["rival"] == "bbr"
    assert list(found["others"]) == present[1:]
    assert found["left_out"] == ([] if "owl" in present else ["owl"])
    assert list(found["families"]) == ["rate"]
    for name, other in found["others"].items():
        assert other["rival"] == name
        assert other["reward"]["policy"] == found["reward"]["policy"]
        assert other["reward"]["rival"] != found["reward"]["rival"]


def test_the_recipes_judge_scores_them_all() -> None:
    def judge(makers: Mapping[str, MakeContender], scenarios: Iterable[Scenario]) -> dict[str, list[Score]]:
        played = list(scenarios)
        return {name: [replace(SCORE, reward=float(place))] * len(played) for place, name in enumerate(makers)}

    chosen = replace(recipe("bbr-fit"), rivals=(by_hand("bbr"), by_hand("cubic")), judge=judge, judge_text="place")
    found = compare(chosen, POLICIES, SCENARIOS)
    assert found["judge"] == "place"
    assert found["reward"]["difference"]["mean"] == -1.0
    assert found["others"]["cubic"]["reward"]["difference"]["mean"] == -2.0


def test_a_ranking_tells_its_ranks() -> None:
    ours, its = (
        Placing(
            **asdict(
                replace(
                    SCORE,
                    reward=2 * throughput_rank - 1.0,
                    queueing_p95_s=float("inf"),  # where nothing arrived: no JSON has such a number
                )
            ),
            throughput_rank=throughput_rank,
            delay_rank=1.0,
        )
        for throughput_rank in (2.0, 1.0)
    )
    found = comparison("copa", [ours], [its])
    assert found["throughput_rank"] == {"policy": 2.0, "rival": 1.0}
    assert "queueing_p95_s" not in found
    page = comparison_page("Test", found | {"families": {}})
    assert page[-1] == "Beside `copa`: rank of throughput 2.00 / 1.00, of delay 1.00 / 1.00."


@pytest.mark.parametrize(
    ("rewards", "verdict"),
    [((0.5, 0.75), "above 0"), ((1.5, 1.25), "below 0"), ((0.5, 1.5), "contains 0")],
)
def test_the_page_says_where_each_interval_lies(rewards: tuple[float, float], verdict: str) -> None:
    learned = on_traces([SCORE] * 20)
    its = [replace(SCORE, reward=reward) for reward in rewards for _ in range(10)]
    cubic = comparison("cubic", learned, on_traces(its))
    first = comparison("bbr", learned, learned) | {"families": {}}
    page = comparison_page("Test", first | {"judge": None, "others": {"cubic": cubic}, "left_out": ["dqn-v1"]})
    (line,) = [line for line in page if line.startswith("- `cubic`: reward 1.0000 / ")]
    assert verdict in line
    assert page[-1] == "Not compared, as their policies were not shipped: dqn-v1."


@pytest.mark.parametrize(("traces", "interval"), [(1, ""), (11, ""), (12, " (+0.5000 to +0.5000)")])
def test_no_interval_of_few_traces(traces: int, interval: str) -> None:
    learned = [*on_traces([SCORE] * traces), *on_traces([SCORE] * traces)]
    found = comparison("bbr", learned, [replace(score, reward=0.5) for score in learned])
    page = "\n".join(comparison_page("Test", found | {"families": {}, "others": {"bbr": found}}))
    assert f"| +0.5000{interval} |" in page
    assert ("the interval lies above 0" in page) == bool(interval)
    assert f"difference +0.5000{interval}{': the interval lies above 0' if interval else ''}; utilisation" in page


def test_a_verdict_takes_a_dozen_traces() -> None:
    card = read_card(POLICIES / "bbr-fit.json")
    few = {**card.results, "test": {**card.results["test"], "traces": 11}}
    assert "cannot be told from that of `bbr`: too few traces" in card_page(replace(card, results=few))


def test_a_card_from_before_there_were_others_has_its_page() -> None:
    card = read_card(POLICIES / "bbr-fit.json")
    results: dict[str, Any] = {
        key: {name: value for name, value in comparison.items() if name not in ("judge", "others", "left_out")}
        if key in ("test", "validation", "paper_setting")
        else comparison
        for key, comparison in card.results.items()
    }
    page = card_page(replace(card, results=results))
    assert "Test scenarios, policy / bbr:" in page
    assert "Other rivals" not in page


def test_rivals_of_the_registry() -> None:
    assert by_hand("cubic").make().scheme is scheme("cubic")
    with pytest.raises(UnknownSchemeError):
        by_hand("tcp").make()
    with pytest.raises(ValueError, match="scheme cubic asks no policy: take by_hand"):
        by_policy("cubic")
    learned = by_policy("bbr-fit")
    assert learned.is_there
    assert learned.make().decide is not None
    nobody = Rival("nobody", by_hand("cubic").make, policy="nobody")
    assert not nobody.is_there
    with pytest.raises(PolicyError, match="policy bbr-fit has no rival that could be had: nobody"):
        compare(replace(recipe("bbr-fit"), rivals=(nobody,)), POLICIES, ())


@each_recipe
def test_the_rival_to_beat_is_always_there_and_none_is_named_twice(chosen: Recipe) -> None:
    assert chosen.rivals[0].policy is None
    names = [rival.name for rival in chosen.rivals]
    assert len({chosen.name, *names}) == 1 + len(names)
    for rival in chosen.rivals:
        if rival.is_there:
            assert rival.make().scheme.name in [entry.name for entry in SCHEMES]


@each_recipe
def test_five_episodes_of_each_trace_are_for_tests(chosen: Recipe) -> None:
    scenarios = evaluation_scenarios(chosen, "test")
    assert len(scenarios) == 5 * len({scenario.trace for scenario in scenarios})
    assert scenarios == evaluation_scenarios(chosen, "test")


def test_a_line_for_each_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(watched(range(40), "test")) == list(range(40))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert (lines[0], lines[-1]) == ("test: 4 of 40 scenarios", "test: 40 of 40 scenarios")
    assert list(watched(range(3), "test")) == [0, 1, 2]
    assert len(capsys.readouterr().err.splitlines()) == 3


@pytest.mark.parametrize(("traces", "told"), [(11, "+1.50"), (12, "+1.50 (+1.25 to +1.75)")])
def test_a_difference_is_told_with_its_interval_of_a_dozen_traces(traces: int, told: str) -> None:
    apart = Interval(1.5, 1.25, 1.75, samples=60, groups=traces, is_resampled=True)
    assert difference_text(apart, 2) == told
