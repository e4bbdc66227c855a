"""PCC Allegro against numbers worked by hand from sections 2 and 3 of the paper."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase, RttState
from cc.sender.pcc.allegro import PccAllegro, allegro_utility
from cc.tests.flow import MSS
from cc.tests.monitored import begin, interval, rate_mbit_per_s
from cc.tests.sim_flows import run_flow

MEGABIT = 125_000.0


def allegro(*, rate_mbit_per_s: float, is_starting: bool = False) -> PccAllegro:
    """A sender at this rate, that decides unless it is starting."""
    scheme = PccAllegro(max_datagram_bytes=MSS, rng=random.Random(1))
    begin(scheme, rate_mbit_per_s=rate_mbit_per_s)
    if not is_starting:
        scheme.on_trials([interval(2)])
        scheme.on_trials([interval(1)])  # less than before: the end of starting
        scheme.set_rate(rate_mbit_per_s * MEGABIT)
    return scheme


def epsilon(scheme: PccAllegro) -> float:
    value = scheme.log_fields()["epsilon"]
    assert value is not None
    return value


def test_utility_is_throughput_until_five_percent_are_lost() -> None:
    # Section 2, alpha = 100: 10 / (1 + e^-5) = 9.9331; with 5 % lost 9.5 / 2 - 0.5; with a tenth 9 / (1 + e^5) - 1.
    assert allegro_utility(rate_mbit_per_s=10, loss_ratio=0) == pytest.approx(9.9331, abs=1e-4)
    assert allegro_utility(rate_mbit_per_s=10, loss_ratio=0.05) == pytest.approx(4.25)
    assert allegro_utility(rate_mbit_per_s=10, loss_ratio=0.1) == pytest.approx(-0.9398, abs=1e-4)
    assert allegro_utility(rate_mbit_per_s=10, loss_ratio=1) == pytest.approx(-10)


def test_starting_doubles_until_utility_falls_and_goes_back() -> None:
    scheme = allegro(rate_mbit_per_s=2, is_starting=True)
    scheme.on_trials([interval(2)])
    scheme.on_trials([interval(4)])
    assert rate_mbit_per_s(scheme) == pytest.approx(8)
    phases = [scheme.phase]
    scheme.on_trials([interval(8, loss_ratio=0.2)])
    assert rate_mbit_per_s(scheme) == pytest.approx(4)
    assert [*phases, scheme.phase] == [Phase.SLOW_START, Phase.AVOIDANCE]


def test_decides_by_four_trials_one_percent_above_and_below() -> None:
    scheme = allegro(rate_mbit_per_s=10)
    rates = [rate / MEGABIT for rate in scheme.trial_rates()]
    assert len(rates) == 4
    assert sorted(rates[:2]) == sorted(rates[2:]) == pytest.approx([9.9, 10.1])
    assert len({tuple(scheme.trial_rates()) for _ in range(50)}) == 4  # each pair in a random order


def test_moves_up_when_the_higher_rate_wins_both_pairs() -> None:
    scheme = allegro(rate_mbit_per_s=10)
    scheme.on_trials([interval(10.1), interval(9.9), interval(9.9), interval(10.1)])
    assert rate_mbit_per_s(scheme) == pytest.approx(10.1 * 1.01)  # r_1 = r_0 (1 + 0.01)
    assert len(scheme.trial_rates()) == 1


def test_moves_down_when_the_lower_rate_wins_both_pairs() -> None:
    scheme = allegro(rate_mbit_per_s=10)
    lossy = interval(10.1, loss_ratio=0.08)
    scheme.on_trials([lossy, interval(9.9), interval(9.9), lossy])
    assert rate_mbit_per_s(scheme) == pytest.approx(9.9 * 0.99)


def test_stays_and_tries_wider_when_the_pairs_disagree() -> None:
    scheme = allegro(rate_mbit_per_s=10)
    assert epsilon(scheme) == pytest.approx(0.01)
    for expected in (0.02, 0.03, 0.04, 0.05, 0.05):
        lossy = interval(10.1, loss_ratio=0.08)
        scheme.on_trials([lossy, interval(9.9), interval(9.9), interval(10.1)])
        assert epsilon(scheme) == pytest.approx(expected)
    assert rate_mbit_per_s(scheme) == pytest.approx(10)
    assert sorted(scheme.trial_rates()[:2]) == pytest.approx([9.5 * MEGABIT, 10.5 * MEGABIT])


def test_steps_grow_while_they_pay_and_the_last_is_taken_back() -> None:
    scheme = allegro(rate_mbit_per_s=10)
    scheme.on_trials([interval(10.1), interval(9.9), interval(9.9), interval(10.1)])
    scheme.on_trials([interval(10.201)])
    assert rate_mbit_per_s(scheme) == pytest.approx(10.201 * 1.02)
    scheme.on_trials([interval(10.405)])
    assert rate_mbit_per_s(scheme) == pytest.approx(10.201 * 1.02 * 1.03)
    scheme.on_trials([interval(10.717, loss_ratio=0.1)])
    assert rate_mbit_per_s(scheme) == pytest.approx(10.201 * 1.02)  # r_(n-1), and back to trials
    assert len(scheme.trial_rates()) == 4
    assert epsilon(scheme) == pytest.approx(0.01)


def test_intervals_last_some_two_rtts_or_ten_packets() -> None:
    scheme = allegro(rate_mbit_per_s=8)
    rtt = RttState(latest_s=0.1, smoothed_s=0.1, min_s=0.05, variance_s=0.0)
    durations_s = [scheme.interval_duration_s(rtt) for _ in range(100)]
    assert 0.17 <= min(durations_s) < 0.18
    assert 0.21 < max(durations_s) <= 0.22
    scheme.set_rate(0.16 * MEGABIT)  # two packets an RTT
    assert scheme.interval_duration_s(rtt) == pytest.approx(0.5)


def test_fills_the_link_and_its_queue() -> None:
    result = run_flow(PccAllegro(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=30)
    # Blind to delay, it overshoots far at the start and then stands at the brim of a deep queue.
    assert result.utilisation > 0.95
    assert result.queueing_delay.p50_s > 0.100
