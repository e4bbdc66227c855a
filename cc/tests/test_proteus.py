"""Proteus-S against numbers worked by hand from section 4 of the paper and the authors' constants."""

from __future__ import annotations

import random
from statistics import median

import pytest

from cc.core.monitor_interval import MonitorInterval
from cc.registry import scheme
from cc.sender.cubic import Cubic
from cc.sender.pcc.proteus import Proteus, scavenger_utility
from cc.sender.pcc.vivace import PccVivace
from cc.tests.flow import MSS
from cc.tests.monitored import begin, interval, rate_mbit_per_s
from cc.tests.sim_flows import Outage, jain_index, run_flow, share_link

MEGABIT = 125_000.0


def proteus(*, rate_mbit_per_s: float) -> Proteus:
    """A sender that probes at this rate."""
    scheme = Proteus(max_datagram_bytes=MSS, rng=random.Random(1))
    begin(scheme)
    scheme.on_trials([interval(1, loss_ratio=0.5)])  # a loss: the end of starting
    scheme.set_rate(rate_mbit_per_s * MEGABIT)
    return scheme


def pair(centre: float, *, higher_gradient: float = 0.0) -> list[MonitorInterval]:
    return [interval(1.05 * centre, gradient=higher_gradient), interval(0.95 * centre)]


def test_utility_falls_with_the_deviation_of_the_rtt() -> None:
    # 10^0.9 = 7.9433; 1500 x 10 x 0.0005 = 7.5; and Vivace's 90 for a gradient, 2.27 for losses.
    values = [
        scavenger_utility(rate_mbit_per_s=10, rtt_gradient=gradient, rtt_deviation_s=deviation_s, loss_ratio=loss)
        for gradient, deviation_s, loss in ((0, 0, 0), (0, 0.0005, 0), (0.01, 0.0005, 0.02))
    ]
    assert values == pytest.approx([7.9433, 0.4433, -91.8267], abs=1e-4)


def test_probes_with_two_pairs() -> None:
    assert len(proteus(rate_mbit_per_s=20).trial_rates()) == 4


def test_both_pairs_must_agree() -> None:
    scheme = proteus(rate_mbit_per_s=20)
    scheme.on_trials(pair(20) + pair(20, higher_gradient=0.04))
    assert rate_mbit_per_s(scheme) == pytest.approx(20)
    scheme.on_trials(2 * pair(20))
    assert rate_mbit_per_s(scheme) == pytest.approx(21.6671, abs=1e-4)  # 21 and Vivace's gamma of 0.6671
    scheme = proteus(rate_mbit_per_s=20)
    scheme.on_trials(2 * pair(20, higher_gradient=0.04))
    assert rate_mbit_per_s(scheme) == pytest.approx(18.05)  # 19 less 5 %


def test_goes_down_when_rtts_fluctuate() -> None:
    scheme = proteus(rate_mbit_per_s=20)
    higher, lower = pair(20)
    # An RTT that falls by 1.7 ms in 34 ms costs Vivace nothing; its deviation of 0.55 ms costs 1500 x 21 x 0.00055.
    higher.rtt_samples = [(time_s, rtt_s - 0.05 * time_s) for time_s, rtt_s in higher.rtt_samples]
    scheme.on_trials([higher, lower, lower, higher])
    assert rate_mbit_per_s(scheme) == pytest.approx(18.05)


def test_uses_most_of_a_link_that_it_has_for_itself() -> None:
    result = run_flow(Proteus(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=30)
    assert result.utilisation > 0.80
    assert result.queueing_delay.mean_s < 0.010
    assert result.packets_lost == 0


def test_yields_to_a_primary_flow() -> None:
    scavenger = Proteus(max_datagram_bytes=1350, rng=random.Random(1))
    primary = PccVivace(max_datagram_bytes=1350, rng=random.Random(2))
    rates = share_link([scavenger, primary], starts_s=(0, 5), duration_s=40, since_s=20, mbit_per_s=12)
    assert rates[0] < 0.25 * 12
    assert rates[1] > 0.70 * 12


def test_the_primary_of_the_registry_shares_with_another_of_its_kind() -> None:
    senders = [scheme("proteus-p").make_sender(max_datagram_bytes=1350, rng=random.Random(seed)) for seed in (1, 2)]
    rates = share_link(senders, starts_s=(0, 5), duration_s=25, since_s=10, mbit_per_s=12)
    assert jain_index(rates) > 0.9


def test_leaves_the_link_to_cubic() -> None:
    cubic = Cubic(max_datagram_bytes=1350, rng=random.Random(1))
    scavenger = Proteus(max_datagram_bytes=1350, rng=random.Random(2))
    rates = share_link([cubic, scavenger], starts_s=(0, 5), duration_s=40, since_s=20)
    assert rates[0] > 0.90 * 24
    assert rates[1] < 0.05 * 24


def test_comes_back_from_an_outage() -> None:
    # 1.4 where it did not start again at the least rate.
    rates = [
        Outage(begins_s=7).rate_mbit_per_s(
            Proteus(max_datagram_bytes=1350, rng=random.Random(seed)), since_s=5, until_s=10
        )
        for seed in range(1, 6)
    ]
    assert median(rates) > 5
