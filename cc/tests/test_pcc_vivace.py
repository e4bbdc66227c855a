"""PCC Vivace against numbers worked by hand from section 4 of the paper and the authors' constants."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.core.monitor_interval import MonitorInterval
from cc.core.rtt_tolerance import Judged
from cc.sender.pcc.vivace import ChangeBoundary, PccVivace, Trial, amplifier, utility_gradient, vivace_utility
from cc.tests.flow import MSS
from cc.tests.monitored import begin, interval, rate_mbit_per_s
from cc.tests.sim_flows import Outage, jain_index, run_flow, share_link

MEGABIT = 125_000.0


def vivace(*, rate_mbit_per_s: float, is_starting: bool = False) -> PccVivace:
    """A sender at this rate, that probes unless it is starting."""
    scheme = PccVivace(max_datagram_bytes=MSS, rng=random.Random(1))
    begin(scheme, rate_mbit_per_s=rate_mbit_per_s)
    if not is_starting:
        scheme.on_trials([interval(1, loss_ratio=0.5)])  # a loss: the end of starting
        scheme.set_rate(rate_mbit_per_s * MEGABIT)
    return scheme


def pair(centre: float, *, higher_gradient: float = 0.0, lower_gradient: float = 0.0) -> list[MonitorInterval]:
    """Trials 5 % above and below; an RTT gradient lowers the utility of the trial that has it."""
    return [interval(1.05 * centre, gradient=higher_gradient), interval(0.95 * centre, gradient=lower_gradient)]


def test_utility_of_rate_gradient_and_loss() -> None:
    # Equation 1: 10^0.9 = 7.9433; 900 x 10 x 0.01 = 90; 11.35 x 10 x 0.02 = 2.27.
    assert vivace_utility(rate_mbit_per_s=10, rtt_gradient=0, loss_ratio=0) == pytest.approx(7.9433, abs=1e-4)
    assert vivace_utility(rate_mbit_per_s=10, rtt_gradient=0.01, loss_ratio=0) == pytest.approx(-82.0567, abs=1e-4)
    assert vivace_utility(rate_mbit_per_s=10, rtt_gradient=0, loss_ratio=0.02) == pytest.approx(5.6733, abs=1e-4)
    assert vivace_utility(rate_mbit_per_s=10, rtt_gradient=-0.01, loss_ratio=0) == pytest.approx(7.9433, abs=1e-4)


def test_gradient_of_the_utility() -> None:
    low = Trial(19 * MEGABIT, vivace_utility(rate_mbit_per_s=19, rtt_gradient=0, loss_ratio=0))
    high = Trial(21 * MEGABIT, vivace_utility(rate_mbit_per_s=21, rtt_gradient=0, loss_ratio=0))
    # 21^0.9 - 19^0.9 = 15.4882 - 14.1541 over 2 Mbit/s: close to 0.9 x 20^-0.1 = 0.6670.
    assert utility_gradient(high, low) == pytest.approx(0.6671, abs=1e-4)
    assert utility_gradient(low, high) == utility_gradient(high, low)


def test_confidence_amplifier() -> None:
    # 1, 1, then 2^1.2 = 2.2974 twice, then 3^1.2 = 3.7372.
    assert [amplifier(moves) for moves in (1, 2, 3, 4, 5)] == pytest.approx([1, 1, 2.2974, 2.2974, 3.7372], abs=1e-4)


def test_change_boundary_widens_and_narrows_by_five_percent() -> None:
    boundary = ChangeBoundary()
    assert boundary.limit(30, rate=100) == pytest.approx(5)
    assert boundary.limit(30, rate=100) == pytest.approx(10)
    assert boundary.limit(15, rate=100) == pytest.approx(15)
    assert boundary.omega == pytest.approx(0.10)
    assert boundary.limit(1, rate=100) == 1
    assert boundary.limit(1, rate=100) == 1
    assert boundary.omega == pytest.approx(0.05)


def test_starting_doubles_while_utility_grows_and_then_halves() -> None:
    scheme = vivace(rate_mbit_per_s=2, is_starting=True)
    scheme.on_trials([interval(2)])
    assert rate_mbit_per_s(scheme) == pytest.approx(4)
    phases = [scheme.phase]
    scheme.on_trials([interval(4)])
    assert rate_mbit_per_s(scheme) == pytest.approx(8)
    scheme.on_trials([interval(8, gradient=0.1)])  # 8^0.9 - 900 x 8 x 0.1 is far below 4^0.9
    assert rate_mbit_per_s(scheme) == pytest.approx(4)
    assert [*phases, scheme.phase] == [Phase.SLOW_START, Phase.AVOIDANCE]


def test_starting_takes_no_notice_of_an_rtt_that_grew_by_less_than_a_millisecond() -> None:
    scheme = vivace(rate_mbit_per_s=8, is_starting=True)
    scheme.on_trials([interval(8, gradient=0.009)])  # 100 packets at 8 Mbit/s last 100 ms: 0.9 ms
    assert rate_mbit_per_s(scheme) == pytest.approx(16)
    scheme.on_trials([interval(16, gradient=0.021)])  # 50 ms: 1.05 ms
    assert rate_mbit_per_s(scheme) == pytest.approx(8)


def test_probing_tries_three_pairs_around_the_rate() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    rates = [round(rate / MEGABIT, 6) for rate in scheme.trial_rates()]
    assert len(rates) == 6
    assert all(sorted(rates[index : index + 2]) == [19, 21] for index in (0, 2, 4))
    orders = {tuple(scheme.trial_rates()) for _ in range(50)}
    assert len(orders) == 8  # each pair comes in either order


def test_moves_to_the_better_rate_and_a_step_further() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    scheme.on_trials(3 * pair(20))
    # To 21, and by theta x gamma = 0.6671 Mbit/s, within 5 % of 21.
    assert rate_mbit_per_s(scheme) == pytest.approx(21.6671, abs=1e-4)
    assert len(scheme.trial_rates()) == 1


def test_two_of_three_pairs_are_enough_for_a_higher_rate() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    scheme.on_trials(2 * pair(20, lower_gradient=5e-5) + pair(20, higher_gradient=0.04))
    # gamma is 0.6671 + 900 x 19 x 5e-5 / 2 = 1.0946, averaged over the three pairs.
    assert rate_mbit_per_s(scheme) == pytest.approx(21 + 2 / 3 * 1.0946, abs=1e-4)


def test_a_lower_rate_needs_all_three_pairs() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    scheme.on_trials(2 * pair(20, higher_gradient=0.04) + pair(20))
    assert rate_mbit_per_s(scheme) == pytest.approx(20)
    scheme.on_trials(3 * pair(20, higher_gradient=0.04))
    # To 19; gamma is some -377, so the step is all that omega lets through, 5 % of 19.
    assert rate_mbit_per_s(scheme) == pytest.approx(18.05)
    assert scheme.log_fields()["omega"] == pytest.approx(0.10)


def test_probing_that_ends_at_the_least_rate_starts_again() -> None:
    # Two packets in 0.1 s are 0.16 Mbit/s.
    for higher_gradient in (0.0, 0.04):  # undecided; decided to go down
        scheme = vivace(rate_mbit_per_s=0.16)
        downward = pair(0.16, higher_gradient=0.04)
        scheme.on_trials(2 * downward + pair(0.16, higher_gradient=higher_gradient))
        assert scheme.phase is Phase.SLOW_START
        assert rate_mbit_per_s(scheme) == pytest.approx(0.16)
        scheme.on_trials([interval(0.16)])
        assert rate_mbit_per_s(scheme) == pytest.approx(0.32)


def test_starting_again_knows_no_utility_of_before() -> None:
    scheme = vivace(rate_mbit_per_s=10, is_starting=True)
    scheme.on_trials([interval(10)])
    scheme.on_trials([interval(20, loss_ratio=0.5)])
    scheme.set_rate(0.16 * MEGABIT)
    scheme.on_trials(3 * pair(0.16, higher_gradient=0.04))
    scheme.on_trials([interval(0.16)])
    assert rate_mbit_per_s(scheme) == pytest.approx(0.32)


def test_above_the_least_rate_probing_goes_on() -> None:
    scheme = vivace(rate_mbit_per_s=0.17)
    scheme.on_trials(2 * pair(0.17, higher_gradient=0.04) + pair(0.17))
    assert scheme.phase is Phase.AVOIDANCE


def test_goes_on_while_it_pays_with_growing_steps() -> None:
    scheme = vivace(rate_mbit_per_s=60)
    scheme.on_trials(3 * pair(60))
    rates = [rate_mbit_per_s(scheme)]
    for _ in range(2):
        scheme.on_trials([interval(rates[-1])])
        rates.append(rate_mbit_per_s(scheme))
    # To 63, and by gamma, 0.9 x 60^-0.1 = 0.598; then by 0.9 x 63.3^-0.1 = 0.594, and by 2.2974 times that.
    assert rates[0] == pytest.approx(63.598, abs=1e-3)
    assert rates[1] - rates[0] == pytest.approx(0.594, abs=1e-3)
    assert rates[2] - rates[1] == pytest.approx(2.2974 * 0.594, rel=0.002)


@pytest.mark.parametrize("rate", [400, 4])
def test_changes_by_half_a_megabit_at_least(rate: float) -> None:
    # At 400 Mbit/s gamma is 0.9 x 400^-0.1 = 0.494; at 4 it is 0.783, of which omega allows 5 % of 4.2.
    scheme = vivace(rate_mbit_per_s=rate)
    scheme.on_trials(3 * pair(rate))
    assert rate_mbit_per_s(scheme) == pytest.approx(1.05 * rate + 0.5)


def test_turns_back_and_probes_when_utility_falls() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    scheme.on_trials(3 * pair(20))
    scheme.on_trials([interval(21.6671, gradient=0.02)])
    # gamma is some -580: back by all that omega allows, 5 % of 21.6671.
    assert rate_mbit_per_s(scheme) == pytest.approx(20.5837, abs=1e-4)
    assert len(scheme.trial_rates()) == 6


def test_turns_back_from_a_way_down_too() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    scheme.on_trials(3 * pair(20, higher_gradient=0.04))
    scheme.on_trials([interval(18.05, gradient=0.04)])
    # gamma is some -680: back by all that omega allows by now, 10 % of 18.05.
    assert rate_mbit_per_s(scheme) == pytest.approx(19.855)
    assert len(scheme.trial_rates()) == 6


def test_going_down_ends_at_the_least_rate() -> None:
    scheme = vivace(rate_mbit_per_s=1)
    scheme.on_trials(3 * pair(1, higher_gradient=0.04, lower_gradient=0.02))
    assert rate_mbit_per_s(scheme) == pytest.approx(0.45)
    scheme.on_trials([interval(0.45)])
    assert rate_mbit_per_s(scheme) == pytest.approx(0.16)  # two packets in 0.1 s
    assert len(scheme.trial_rates()) == 6


class Indifferent(PccVivace):
    """Likes all rates alike."""

    def utility(self, interval: MonitorInterval, judged: Judged) -> float:
        del interval, judged
        return 1.0


def test_equal_utilities_speak_for_the_lower_rate() -> None:
    scheme = Indifferent(max_datagram_bytes=MSS, rng=random.Random(1))
    begin(scheme, rate_mbit_per_s=20)
    for _ in range(2):
        scheme.on_trials([interval(20)])  # better than nothing; no better than before: the end of starting
    assert rate_mbit_per_s(scheme) == pytest.approx(20)
    scheme.on_trials(3 * pair(20))
    assert rate_mbit_per_s(scheme) == pytest.approx(18.5)


def test_noise_in_the_rtt_does_not_count() -> None:
    scheme = vivace(rate_mbit_per_s=20)
    noisy = pair(20, higher_gradient=0.04)
    for index, (time_s, rtt_s) in enumerate(noisy[0].rtt_samples):
        noisy[0].rtt_samples[index] = (time_s, rtt_s + (-0.004 if index % 3 else 0.004))  # some 8 % of the RTT
    scheme.on_trials(3 * noisy)
    assert rate_mbit_per_s(scheme) > 21


def test_fills_a_clean_link_with_little_queue() -> None:
    result = run_flow(PccVivace(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=30)
    # Some nine tenths of the capacity, with a queue that its start dominates.
    assert 0.88 < result.utilisation < 0.99
    assert result.queueing_delay.mean_s < 0.010
    assert result.queueing_delay.p95_s < 0.030
    assert result.packets_lost == 0


@pytest.mark.parametrize("mbit_per_s", [24, 12])
def test_two_flows_share_a_link_fairly(mbit_per_s: int) -> None:
    schemes = [PccVivace(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in (1, 2)]
    rates = share_link(schemes, starts_s=(0, 5), duration_s=45, since_s=25, mbit_per_s=mbit_per_s)
    assert sum(rates) > 0.9 * mbit_per_s
    assert jain_index(rates) > 0.95  # section 3.1, theorem 1; changes of 2 % of the rate have 0.87 at 12 Mbit/s


def test_comes_back_from_an_outage() -> None:
    scheme = PccVivace(max_datagram_bytes=1350, rng=random.Random(1))
    # 1.8 where it did not start again at the least rate.
    assert Outage(begins_s=5).rate_mbit_per_s(scheme, since_s=1, until_s=6) > 3
