"""Sprout against numbers worked by hand from section 3 of its paper, and its delay on simulated links."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from cc.links.link import Link, QueueLimit
from cc.links.traces.registry import TRACES
from cc.sender.sprout.belief import BINS, RATES, Belief
from cc.sender.sprout.sprout import Sprout
from cc.simulation import Simulation
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, clean_link

TICK_S = 0.02
PACKET_BYTES = 1350


def belief(probabilities: dict[int, float] | None = None) -> Belief:
    """With these probabilities by bin; at first all are as likely."""
    made = Belief(TICK_S)
    if probabilities is not None:
        made._probabilities = np.array([probabilities.get(index, 0.0) for index in range(BINS)])
    return made


def deviation(of: Belief) -> float:
    squares = sum(p * (rate - of.mean_rate) ** 2 for p, rate in zip(of._probabilities, RATES, strict=True))
    return math.sqrt(squares)


def test_what_a_tick_delivers_never_lowers_the_rate_however_much_it_is() -> None:
    before = 0.0
    for packets in range(1, 201):
        one = belief()
        one.observe_at_least(packets)
        assert (np.diff(one._probabilities) >= 0).all(), packets  # the larger the rate the likelier
        assert one.mean_rate > before, packets
        before = one.mean_rate
    assert before < 1000


def test_at_least_so_many_is_a_poissons_tail() -> None:
    one = belief({128: 0.5, 255: 0.5})
    one.observe_at_least(12)
    tails = [
        1 - sum(math.exp(-mean) * mean**count / math.factorial(count) for count in range(12))
        for mean in (RATES[128] * TICK_S, RATES[255] * TICK_S)
    ]
    assert one._probabilities[128] == pytest.approx(tails[0] / sum(tails))


def test_at_first_all_rates_up_to_a_thousand_are_as_likely() -> None:
    assert (len(RATES), RATES[0], RATES[-1]) == (256, 0, 1000)
    assert belief().mean_rate == pytest.approx(500)


def test_what_was_delivered_weighs_the_rates() -> None:
    one = belief()
    one.observe(8.0)
    one.observe(8.0)
    # A flat prior and 16 packets in 40 ms: a gamma distribution of 17 in 40 ms.
    assert one.mean_rate == pytest.approx(17 / 0.04, abs=0.5)
    assert deviation(one) == pytest.approx(math.sqrt(17) / 0.04, abs=0.5)


def test_a_tick_lets_the_rate_wander_by_28_packets_per_second() -> None:
    one = belief({128: 1.0})
    one.evolve()
    assert one.mean_rate == pytest.approx(RATES[128])
    assert deviation(one) == pytest.approx(200 * math.sqrt(0.02), rel=0.01)
    one.evolve(4)
    assert deviation(one) == pytest.approx(200 * math.sqrt(0.1), rel=0.01)


def test_an_outage_lasts() -> None:
    one = belief({0: 1.0})
    one.evolve()
    # e^-0.02 stays, and of the rest what wanders below half a bin: Phi(1.961 / 28.28) = 0.5276.
    assert one.outage_probability == pytest.approx(math.exp(-0.02) + (1 - math.exp(-0.02)) * 0.5276, abs=1e-4)


def test_probabilities_add_up_at_both_ends() -> None:
    one = belief({1: 0.5, 254: 0.5})
    for _ in range(20):
        one.evolve()
    assert sum(one._probabilities) == pytest.approx(1)


def test_nothing_delivered_is_an_outage_and_something_is_none() -> None:
    one = belief()
    for _ in range(10):
        one.evolve()
        one.observe(0.0)
    assert one.outage_probability > 0.7
    assert one.forecast_packets(5) == 0
    one.observe(1.0)
    assert one.outage_probability == 0


def test_a_tick_without_a_queue_says_at_least() -> None:
    one, other = belief(), belief()
    one.observe(4.0)
    other.observe_at_least(4)
    assert one.mean_rate == pytest.approx(5 / 0.02, abs=1)
    assert other.mean_rate > 550  # all rates above stay likely


def test_the_forecast_is_the_fifth_percentile_of_walks_that_are_drawn() -> None:
    # By hand: 40.2 packets on average, a variance of 40.2 + (0.1 * 28.28 * sqrt(2.2))^2 = 57.8: 40.2 - 1.645 * 7.6.
    assert belief({102: 1.0}).forecast_packets(5) == pytest.approx(40 - 1.645 * 7.6, abs=1)
    rng = random.Random(1)
    counts = sorted(_drawn_packets(RATES[102], rng) for _ in range(4000))
    assert belief({102: 1.0}).forecast_packets(5) == pytest.approx(counts[200], abs=1)


def _drawn_packets(rate: float, rng: random.Random) -> int:
    """What five ticks of a wandering rate deliver."""
    packets = 0
    for _ in range(5):
        rate = max(0.0, rate + rng.gauss(0.0, 200 * math.sqrt(TICK_S)))
        time_s = rng.expovariate(rate) if rate > 0 else 1.0
        while time_s < TICK_S:
            packets += 1
            time_s += rng.expovariate(rate)
    return packets


def make_flow() -> tuple[Flow, Sprout]:
    """The first ACK has come, for 10 packets, and 190 more are in flight."""
    scheme = Sprout(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.send(200)
    flow.wait()
    flow.ack(range(10))
    return flow, scheme


def test_what_an_ack_reports_arrived_evenly_since_the_one_before() -> None:
    flow, scheme = make_flow()
    scheme._belief = seen = _Noting(TICK_S)
    flow.wait(0.05)
    scheme._min_rtt_s = 0.05
    flow.ack(range(10, 30), rtt_s=0.1)
    # 20 packets in 50 ms, beside 10 that had come as the tick began
    assert seen.at_least == [18, 8]
    assert scheme._packets_this_tick == pytest.approx(4)


class _Noting(Belief):
    def __init__(self, tick_s: float) -> None:
        super().__init__(tick_s)
        self.at_least: list[int] = []

    def observe_at_least(self, packets: int) -> None:
        self.at_least.append(packets)


def test_the_window_is_the_forecast_for_100_ms_and_two_packets_at_least() -> None:
    _, scheme = make_flow()
    scheme._forecast_packets = 27
    assert scheme.cwnd_bytes == 27 * MSS
    assert scheme.forecast_bytes(10) == 54 * MSS
    scheme._forecast_packets = 1
    assert scheme.cwnd_bytes == 2 * MSS


def test_an_outage_takes_the_window_down_to_two_packets() -> None:
    flow, scheme = make_flow()
    flow.wait(0.9)
    flow.lose(range(10, 20), is_persistent_congestion=True)
    assert scheme.cwnd_bytes == 2 * MSS


def goodput_and_p95(link: Link, *, duration_s: float) -> tuple[float, float]:
    sender = Sprout(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = Simulation(sender, link, return_delay_s=DELAY_S)
    simulation.run_until(duration_s)
    result = simulation.result()
    assert result.queueing_delay is not None
    return result.goodput_bits_per_s / 1e6, result.queueing_delay.p95_s


def test_fills_a_steady_link_with_less_queue_than_100_ms() -> None:
    goodput, p95_s = goodput_and_p95(clean_link(mbit_per_s=8), duration_s=10)
    assert goodput > 0.92 * 8 * PACKET_BYTES / 1504
    assert p95_s < 0.04


def test_no_more_is_in_flight_than_a_thousand_packets_per_second_may_bring() -> None:
    # On average 100 packets at the most; the rate can only fall: a percentile of some 80.
    assert 75 < belief({255: 1.0}).forecast_packets(5) < 90


def test_holds_95_percent_below_100_ms_over_lte() -> None:
    trace = next(trace for trace in TRACES if trace.name == "lte-like")
    opportunities_ms = trace.opportunities_ms("downlink", random.Random(trace.seed))
    link = Link(opportunities_ms, queue=QueueLimit(packets=1000), delay_s=DELAY_S)
    _, p95_s = goodput_and_p95(link, duration_s=12)
    assert p95_s < 0.1
