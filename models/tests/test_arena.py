"""The arena's ranks by hand, and that rivals have the learner's network to themselves."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from cc.registry import UnknownSchemeError, scheme
from cc.simulation.record import FlowRecord
from models.scenarios.arena import Result, contest, play_alone, rank, ranking, ranking_among, result
from models.scenarios.episode import Contender, MakeContender, Outcome
from models.scenarios.evaluation import play, play_all
from models.scenarios.scenario import Scenario

SCENARIO = Scenario("8mbit", base_rtt_s=0.040, queue_packets=60, duration_s=5.0)


@pytest.mark.parametrize(
    ("value", "others", "expected"),
    [(5.0, [1.0, 2.0, 3.0, 4.0], 5.0), (0.0, [1.0, 2.0], 1.0), (2.0, [1.0, 2.0, 3.0], 2.5), (1.0, [1.0, 1.0], 2.0)],
)
def test_ranks_ascend_from_one_and_equals_share(value: float, others: list[float], expected: float) -> None:
    assert rank(value, others) == expected


def test_a_ranking_is_of_throughput_and_of_delay() -> None:
    others = [Result(100.0, 0.3), Result(300.0, 0.2), Result(200.0, math.inf), Result(50.0, 0.01)]
    assert ranking(Result(250.0, 0.1), others) == (4.0, 2.0)


def test_a_result_counts_wire_bytes_and_the_95th_percentile() -> None:
    record = FlowRecord()
    departures_s = [0.01 * number for number in range(1, 101)]
    entered_s = [departure_s - 0.001 * n for n, departure_s in enumerate(departures_s)]
    record.add([*departures_s], [1000] * 100, entered_s)
    half = result(record, 0.5)
    assert half.throughput_bytes_per_s == pytest.approx(50 * (1000 + 32) / 0.5)
    assert half.delay_p95_s == pytest.approx(0.047)  # the 48th of 50
    assert result(FlowRecord(), 1.0) == Result(0.0, math.inf)


def test_rivals_are_alone_and_ranked_at_whole_seconds() -> None:
    record = play_alone(Contender(scheme("vegas")), SCENARIO).flow.record
    rivals = ("cubic", "newreno")
    alone = [play_alone(Contender(scheme(name)), SCENARIO).flow.record for name in rivals]
    for until_s, second in ((0.3, 1.0), (3.7, 3.0), (5.0, 5.0), (8.0, 5.0)):
        expected = ranking(result(record, second), [result(other, second) for other in alone])
        assert ranking_among(record, until_s, SCENARIO, rivals) == expected
    assert ranking_among(record, 5.0, SCENARIO, rivals)[1] == 1.0  # Vegas keeps the shortest queue
    with pytest.raises(UnknownSchemeError):
        ranking_among(record, 5.0, SCENARIO, ("tcp",))


def test_a_contest_ranks_every_contender_among_all() -> None:
    makers = {
        "vegas": lambda: Contender(scheme("vegas")),
        "cubic": lambda: Contender(scheme("cubic")),
        "newreno": lambda: Contender(scheme("newreno")),
    }
    placings = contest(makers, [SCENARIO], lambda throughput_rank, delay_rank: 2 * throughput_rank - delay_rank)
    for ranks in (
        [each[0].throughput_rank for each in placings.values()],
        [p[0].delay_rank for p in placings.values()],
    ):
        assert sum(ranks) == 6.0
    assert placings["vegas"][0].delay_rank == 1.0
    placing = placings["cubic"][0]
    assert placing.reward == 2 * placing.throughput_rank - placing.delay_rank
    assert placing.utilisation == play(Contender(scheme("cubic")), SCENARIO, lambda _outcome: 0.0).utilisation


def test_a_rival_plays_once_beside_all_seeds_of_a_policy() -> None:
    made: list[str] = []

    def maker(name: str) -> MakeContender:
        def make() -> Contender:
            made.append(name)
            return Contender(scheme("vegas"))

        return make

    rival = maker("rival")

    def reward(_outcome: Outcome) -> float:
        return 1.0

    judged = [contest({seed: maker(seed), "rival": rival}, [SCENARIO], max) for seed in ("1", "2")]
    played = [play_all({seed: maker(seed), "rival": rival}, [SCENARIO], reward) for seed in ("3", "4")]
    assert made == ["1", "rival", "2", "3", "rival", "4"]
    assert judged[0]["rival"] == judged[1]["rival"]
    assert played[0]["rival"] == played[1]["rival"]


def test_a_scenario_of_less_than_a_second_is_ranked_at_its_end() -> None:
    short = replace(SCENARIO, duration_s=0.5)
    record = play_alone(Contender(scheme("cubic")), short).flow.record
    assert ranking_among(record, 0.5, short, ("vegas", "cubic"))[0] in (1.0, 1.5, 2.0, 2.5, 3.0)
