"""Parts over results that are made up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from cc import registry
from cc.registry import SCHEMES, scheme
from cc.sender.zixia import Zixia
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import Arm
from e2e.laboratory.learned.episode_runs import Results, Settings
from e2e.laboratory.learned.lineup import TITLES
from e2e.laboratory.learned.plays import Played
from e2e.laboratory.studies import bbr_fit_links, bbr_fit_room, dqn_queues, dqn_rates, k_front, known_network, low_rates
from e2e.laboratory.studies.bench import Bench
from models.recipes import RECIPES, recipe
from models.scenarios.scenario import Scenario
from models.scenarios.seeds import with_seeds


class MadeUp:
    """Learned arms carry so much of what others carry, and wait so much of what they wait."""

    def __init__(self, policies: Path, *, throughput: float, delay: float) -> None:
        self.policies = policies
        self._throughput = throughput
        self._delay = delay

    def play(self, what: str, recipe: str, arms: Iterable[Arm], scenarios: Iterable[Scenario]) -> Results:
        del what, recipe
        return {arm.name: [self._played(arm, scenario) for scenario in scenarios] for arm in list(arms)}

    def _played(self, arm: Arm, scenario: Scenario) -> Played:
        throughput, delay = (1.0, 1.0) if arm.policy is None else (self._throughput, self._delay)
        return Played(
            reward=throughput,
            utilisation=0.5 * throughput,
            throughput_bits_per_s=1e6 * scenario.seed * throughput,
            queueing_s=0.1 * delay,
            queueing_p95_s=0.2 * delay,
            latency_s=0.1 * delay,
            loss_ratio=0.0,
            rival_bits_per_s=1e6 * scenario.seed if scenario.rivals else None,
        )


def bench_of(made_up: MadeUp) -> Bench:
    settings = Settings(policies=made_up.policies)
    return Bench(settings, repeats=2, play=made_up.play, recorded=(), run=lambda runs: [None for _ in runs])


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    for name in ("bbr-fit", "zixia", "dqn-v1", "dqn-v2", "owl"):
        (tmp_path / f"{name}.json").touch()
    return tmp_path


def value(figure: Figure) -> float:
    assert figure.interval is not None
    assert figure.value == figure.interval.value
    return figure.value


def test_bbr_fit_has_a_group_for_each_link_and_both_ratios(policies: Path) -> None:
    found = bbr_fit_links.measure(bench_of(MadeUp(policies, throughput=1.5, delay=0.9)))
    assert [group.name for group in found.groups] == ["lte-like", "5g-like", "24mbit", "wifi-like"]
    assert [row.scenarios for row in found.groups[0].rows] == [2, 2]
    assert [value(figure) for figure in found.figures] == pytest.approx([1.5, 0.9])


class RoomOnSteps(MadeUp):
    """BBR uses half of `steps` and all of the other links; others use as `MadeUp` says."""

    def _played(self, arm: Arm, scenario: Scenario) -> Played:
        played = super()._played(arm, scenario)
        return played if scenario.trace == "steps" else replace(played, utilisation=1.0)


def test_bbr_fit_is_judged_where_bbr_has_room_alone(policies: Path) -> None:
    found = bbr_fit_room.measure(bench_of(RoomOnSteps(policies, throughput=1.2, delay=1.5)))
    links, utilisation, latency, *largest = found.figures[: len(found.figures) // 2]
    assert links.value == 1
    assert [value(utilisation), value(latency)] == pytest.approx([1.2, 1.5])
    assert (utilisation.is_reached, latency.is_reached) == (True, False)
    assert [value(each) for each in largest] == pytest.approx([1.0, 1.0])
    assert all(each.reach is None for each in largest)
    assert [row.scenarios for row in found.groups[0].rows] == [2, 2, 2]


def test_where_bbr_has_no_room_there_is_nothing_to_judge(policies: Path) -> None:
    found = bbr_fit_room.measure(bench_of(NoRoom(policies, throughput=1.2, delay=1.0)))
    assert [figure.value for figure in found.figures] == [0, 0]


class NoRoom(MadeUp):
    """All links are full."""

    def _played(self, arm: Arm, scenario: Scenario) -> Played:
        return replace(super()._played(arm, scenario), utilisation=1.0)


def test_table_2s_queue_is_the_product_of_100_mbit_and_40_ms() -> None:
    trace = "24mbit"
    assert bbr_fit_room.own_product(trace) == round(24e6 / 8 * 0.040 / 1504)
    assert pytest.approx(100e6 / 8 * 0.040 / 1504, rel=0.01) == bbr_fit_room.PAPERS_PACKETS


def test_zixias_delay_is_one_way_and_its_variants_are_not_trained(policies: Path) -> None:
    found = low_rates.measure(bench_of(MadeUp(policies, throughput=1.02, delay=0.1)))
    throughput, p95, mean, *missing = found.figures
    assert value(throughput) == pytest.approx(1.02)
    assert value(p95) == pytest.approx((0.020 + 0.020) / (0.020 + 0.200))
    assert value(mean) == pytest.approx((0.020 + 0.010) / (0.020 + 0.100))
    variants = [TITLES[each.name] for each in RECIPES if each.scheme.make_sender is Zixia]
    assert [figure.what for figure in missing] == [f"{title}, low rates: not shipped" for title in variants[1:]]


def test_all_variants_of_zixia_have_the_same_to_reach_but_the_one_for_delay(tmp_path: Path) -> None:
    names = [each.name for each in RECIPES if each.scheme.make_sender is Zixia]
    for name in names:
        (tmp_path / f"{name}.json").touch()
    found = low_rates.measure(bench_of(MadeUp(tmp_path, throughput=1.0, delay=1.0)))
    reaches = {name: [figure.reach for figure in found.figures[3 * at :][:2]] for at, name in enumerate(names)}
    assert reaches.pop("zixia-delay") == [None, None]
    assert len(reaches) > 1
    both = [Reach("at least", 1.0), Reach("at most", 0.3)]
    assert all(reach == both for reach in reaches.values())


def test_a_variant_of_nuwa_rl_is_on_the_front_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = replace(recipe("nuwa-rl"), name="nuwa-rl-x")
    line = replace(scheme("nuwa-rl"), name=variant.name, policy=variant.name)
    monkeypatch.setattr(registry, "SCHEMES", (*SCHEMES, line))
    monkeypatch.setattr(k_front, "RECIPES", (*RECIPES, variant))
    monkeypatch.setitem(TITLES, variant.name, "Nuwa-RL, x")
    found = k_front.measure(bench_of(MadeUp(tmp_path, throughput=1.0, delay=1.0)))
    said = [figure.what for figure in found.figures]
    assert (said[0], said[-1]) == ("Nuwa-RL, front of k: not shipped", "Nuwa-RL, x, front of k: not shipped")


class GreedyWins(MadeUp):
    """k = 9 carries twice what the other k do and waits half as long: only a front that has it is out of reach."""

    def _played(self, arm: Arm, scenario: Scenario) -> Played:
        played = super()._played(arm, scenario)
        if arm.k != 9:
            return played
        return replace(
            played,
            throughput_bits_per_s=2 * played.throughput_bits_per_s,
            queueing_p95_s=played.queueing_p95_s / 2,
        )


def test_the_front_of_the_papers_two_k_is_told_apart_from_that_of_all(tmp_path: Path) -> None:
    (tmp_path / "nuwa-rl.json").touch()
    found = k_front.measure(bench_of(GreedyWins(tmp_path, throughput=1.5, delay=1.0)))
    papers, strictest = found.figures[:2]
    assert "k = 2 and 7" in papers.what
    assert "all of" in strictest.what
    assert value(papers) == pytest.approx(50)
    assert value(strictest) < 0
    assert found.groups[0].front == ("Nuwa, k = 9",)


def test_who_waits_less_than_the_front_and_carries_less_has_no_interval(tmp_path: Path) -> None:
    (tmp_path / "nuwa-rl.json").touch()
    less, more = (
        k_front.measure(bench_of(MadeUp(tmp_path, throughput=throughput, delay=0.5))).figures[0]
        for throughput in (0.9, 1.1)
    )
    assert "carries 0.90 of" in less.what
    assert (less.value, less.interval, less.is_reached) == (0.0, None, True)
    assert value(more) == pytest.approx(10)
    assert more.interval is not None


def test_dqn_v2_is_alone_at_five_rates_and_beside_cubic_at_one(policies: Path) -> None:
    found = dqn_rates.measure(bench_of(MadeUp(policies, throughput=1.5, delay=1.0)))
    *alone, least, most = found.figures
    assert [value(figure) for figure in alone] == pytest.approx([0.75] * 5)  # 0.5 and 1 Mbit/s more
    assert value(least) == value(most) == pytest.approx(60.0)
    assert found.groups[-1].rows[0].share == pytest.approx(0.6)


def test_dqns_queues_empty_in_the_same_time_at_every_rate(policies: Path) -> None:
    assert [dqn_queues.queue_packets(mbit_per_s, 0.040) for mbit_per_s in (5, 100)] == [17, 332]
    assert dqn_queues.queue_packets(5, 0.005) == dqn_queues.LEAST_PACKETS
    found = dqn_queues.measure(bench_of(MadeUp(policies, throughput=1.5, delay=1.2)))
    assert [value(figure) for figure in found.figures] == pytest.approx([0.75] * 10)
    judged = [figure.what for figure in found.figures if figure.reach is not None]
    assert judged == [f"DQN v2 less CUBIC, 40 ms of queue, {rate} Mbit/s" for rate in (5, 25, 50, 75, 100)]
    table = found.tables[0]
    assert [line[0] for line in table.rows] == ["DQN v2", "DQN v1"]
    assert table.rows[1][1] == "+0.75, +20.0"


def test_owl_has_a_group_for_each_share_that_is_known(policies: Path) -> None:
    found = known_network.measure(bench_of(MadeUp(policies, throughput=1.5, delay=1.0)))
    owl = found.groups[:4]
    assert [group.name for group in owl] == [f"Owl, {share} % known" for share in (0, 50, 80, 100)]
    printed = {figure.what: figure.value for figure in found.figures if figure.value is not None}
    learned, cubic = (printed[f"Owl, 50 % known: throughput of {name}"] for name in ("Owl", "cubic"))
    assert learned == pytest.approx(1.5 * cubic)
    assert printed["Owl, 50 % known: round trip of abc"] == pytest.approx(100)
    assert [row.name for row in found.groups[2].rows] == ["Owl", "abc", "cubic"]
    assert found.groups[0].differences[0].interval.value == pytest.approx(0.5)


def test_seeds_begin_elsewhere_in_the_trace() -> None:
    scenario = Scenario("5mbit", base_rtt_s=0.04, queue_packets=10, duration_s=5.0)
    first, second = with_seeds([scenario], 2)
    assert first == scenario
    period_s = 2 * second.trace_offset_s
    assert period_s > 0
    assert second.seed == 2
