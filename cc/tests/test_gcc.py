"""Google congestion control against numbers worked by hand from draft-ietf-rmcat-gcc-02."""

from __future__ import annotations

import random

import pytest

from cc.core.base import Phase
from cc.sender.gcc.delay import ArrivalFilter, GroupDelta, OveruseDetector, PacketGroups, Usage
from cc.sender.gcc.gcc import Gcc
from cc.sender.gcc.rate import (
    AimdRate,
    IncomingRate,
    LinkCapacity,
    RateState,
    additive_increase,
    loss_based_rate,
)
from cc.simulation import FlowPlan, Network, OnOff
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, Outage, clean_link, run_flow

RESPONSE_S = 0.14
NORMAL, OVER_USE, UNDER_USE = Usage.NORMAL, Usage.OVER_USE, Usage.UNDER_USE


# Groups of packets, sections 5.1 and 5.2


def test_delay_variation_between_two_groups() -> None:
    groups = PacketGroups()
    arrivals = [(0, 50), (4, 54), (10, 61), (14, 62), (20, 70)]
    deltas = [groups.on_arrival(sent_ms=sent, arrived_ms=arrived) for sent, arrived in arrivals]
    # The last packets of the first two groups left at 4 and 14 ms and arrived at 54 and 62 ms.
    assert deltas == [None, None, None, None, GroupDelta(departure_ms=10, arrival_ms=8)]
    assert deltas[-1] is not None
    assert deltas[-1].delay_variation_ms == -2


def test_packets_that_arrive_in_a_burst_are_one_group() -> None:
    groups = PacketGroups()
    arrivals = [(0, 50), (10, 200), (20, 203), (30, 206), (40, 216), (50, 226)]
    deltas = [groups.on_arrival(sent_ms=sent, arrived_ms=arrived) for sent, arrived in arrivals]
    # Three that were held back by an outage arrive 3 ms apart; the group's last left at 30 ms.
    assert [delta for delta in deltas if delta is not None] == [GroupDelta(30, 156), GroupDelta(10, 10)]


def test_packets_out_of_order_are_ignored() -> None:
    groups = PacketGroups()
    for sent, arrived in ((0, 50), (10, 60), (3, 61)):
        assert groups.on_arrival(sent_ms=sent, arrived_ms=arrived) is None
    assert groups.on_arrival(sent_ms=20, arrived_ms=70) == GroupDelta(10, 10)


# Filter, section 5.3


def test_one_step_of_the_filter() -> None:
    arrival_filter = ArrivalFilter()
    m_ms = arrival_filter.update(GroupDelta(departure_ms=10, arrival_ms=12))
    # alpha = 0.99^(30 x 0.010) = 0.996989; var_v = 0.996989 x 50 + 0.003011 x 2^2 = 49.8615;
    # k = 0.101 / (49.8615 + 0.101) = 0.0020215; m = 2 k.
    assert arrival_filter.noise_ms2 == pytest.approx(49.8615, abs=1e-3)
    assert m_ms == pytest.approx(0.004043, abs=1e-6)


def test_filter_converges_to_a_steady_growth() -> None:
    arrival_filter = ArrivalFilter()
    for _ in range(5000):
        m_ms = arrival_filter.update(GroupDelta(departure_ms=5, arrival_ms=5.25))
    assert m_ms == pytest.approx(0.25, rel=0.01)
    assert arrival_filter.noise_ms2 == 1.0  # no less, however quiet the path


def test_learns_of_noise_while_the_signal_is_normal() -> None:
    jumps = [GroupDelta(departure_ms=10, arrival_ms=10 + late_ms) for late_ms in (30, -30)] * 10
    noises = {}
    for usage in Usage:
        kalman = ArrivalFilter()
        for delta in jumps:
            kalman.update(delta, usage)
        noises[usage] = kalman.noise_ms2
    assert noises[Usage.OVER_USE] == noises[Usage.UNDER_USE] == 50.0
    assert noises[Usage.NORMAL] > 50.0


def test_is_quick_on_its_way_back() -> None:
    late, steady = (GroupDelta(departure_ms=10, arrival_ms=arrival_ms) for arrival_ms in (60, 10))
    kalmans = {usage: ArrivalFilter() for usage in Usage}
    for usage, kalman in kalmans.items():
        kalman.update(late)
        for _ in range(200):
            kalman.update(steady, usage)
    assert 0 < kalmans[Usage.OVER_USE].m_hat_ms < 0.2 * kalmans[Usage.UNDER_USE].m_hat_ms


def test_outliers_count_as_three_deviations() -> None:
    arrival_filter = ArrivalFilter()
    arrival_filter.update(GroupDelta(departure_ms=10, arrival_ms=1010))
    # 3 sqrt(50) = 21.21 in place of 1000: 0.996989 x 50 + 0.003011 x 450 = 51.2045.
    assert arrival_filter.noise_ms2 == pytest.approx(51.2045, abs=1e-3)


# Detector, section 5.4


def test_threshold_adapts_slowly_down_and_faster_up() -> None:
    thresholds = []
    for estimate_ms in (0.0, 20.0, -20.0, 28.0):
        detector = OveruseDetector()
        detector.update(estimate_ms, GroupDelta(departure_ms=10, arrival_ms=10))
        thresholds.append(detector.threshold_ms)
    # 12.5 - 10 x 0.00018 x 12.5; 12.5 + 10 x 0.01 x 7.5, twice; and 15.5 above it is too far.
    assert thresholds == pytest.approx([12.4775, 13.25, 13.25, 12.5])


def test_threshold_keeps_within_six_and_six_hundred() -> None:
    detector = OveruseDetector()
    for _ in range(10_000):
        detector.update(0.0, GroupDelta(departure_ms=50, arrival_ms=50))
    assert detector.threshold_ms == 6.0
    for _ in range(10_000):
        detector.update(detector.threshold_ms + 14, GroupDelta(departure_ms=50, arrival_ms=50))
    assert detector.threshold_ms == 600.0


def test_over_use_must_last_ten_milliseconds_and_grow() -> None:
    detector = OveruseDetector()
    delta = GroupDelta(departure_ms=6, arrival_ms=7)
    usages = [detector.update(estimate_ms, delta) for estimate_ms in (20, 21, 20, 5, 30)]
    assert usages == [NORMAL, OVER_USE, OVER_USE, NORMAL, NORMAL]
    detector = OveruseDetector()
    usages = [detector.update(estimate_ms, delta) for estimate_ms in (20, 19, 18, 19)]
    assert usages == [NORMAL, NORMAL, NORMAL, OVER_USE]  # not while it falls


def test_under_use_is_the_opposite() -> None:
    detector = OveruseDetector()
    delta = GroupDelta(departure_ms=6, arrival_ms=5)
    assert [detector.update(estimate_ms, delta) for estimate_ms in (-13, -12, 0)] == [UNDER_USE, NORMAL, NORMAL]


# Rates, section 5.5


def test_states_follow_the_table() -> None:
    rate = AimdRate(1e6)
    states = []
    for usage in (NORMAL, OVER_USE, OVER_USE, NORMAL, UNDER_USE, NORMAL, UNDER_USE, OVER_USE, UNDER_USE):
        rate.on_signal(usage, incoming=1e6, response_s=RESPONSE_S, now_s=1.0)
        states.append(rate.state.name[0])
    assert "".join(states) == "IDDHHIHDH"


def test_over_use_leaves_85_percent_of_what_arrives_once_a_response_time() -> None:
    rate = AimdRate(1e6)
    rate.on_signal(OVER_USE, incoming=0.9e6, response_s=RESPONSE_S, now_s=1.0)
    assert rate.rate == pytest.approx(765_000)
    rate.on_signal(OVER_USE, incoming=0.8e6, response_s=RESPONSE_S, now_s=1.1)
    assert rate.rate == pytest.approx(765_000)
    rate.on_signal(OVER_USE, incoming=0.8e6, response_s=RESPONSE_S, now_s=1.2)
    assert rate.rate == pytest.approx(680_000)
    rate.on_signal(OVER_USE, incoming=2e6, response_s=RESPONSE_S, now_s=2.0)
    assert rate.rate == pytest.approx(680_000)  # a decrease is none that increases


def increased(rate: AimdRate, incoming: float) -> float:
    rate.increase(incoming=incoming, response_s=RESPONSE_S, elapsed_s=0.1)
    return rate.rate


def after_decrease() -> AimdRate:
    """It decreased at 1 MB/s, and may increase again."""
    rate = AimdRate(1e6)
    for usage in (OVER_USE, NORMAL, NORMAL):
        rate.on_signal(usage, incoming=1e6, response_s=RESPONSE_S, now_s=1.0)
    assert rate.rate == pytest.approx(850_000)
    assert rate.state is RateState.INCREASE
    return rate


def test_increases_by_8_percent_a_second_far_from_convergence() -> None:
    assert increased(after_decrease(), 0.85e6) == pytest.approx(850_000 * 1.08**0.1)


def test_increases_by_half_a_packet_a_response_time_near_convergence() -> None:
    # Three deviations are 3 sqrt(0.4 x 125 x 1e6) = 21 kB/s. A frame of 850000 / 30 bytes is 24 packets of 1180.6.
    assert increased(after_decrease(), 0.99e6) == pytest.approx(850_000 + 0.5 * (0.1 / 0.14) * 1180.6, abs=0.1)
    assert additive_increase(3e6, response_s=0.14, elapsed_s=1.0) == pytest.approx(0.5 * 100_000 / 84)
    assert additive_increase(3000, response_s=0.14, elapsed_s=0.1) == 125  # 1000 bit/s at least


def test_starting_takes_all_that_the_bound_allows() -> None:
    rate = AimdRate(1e6)
    assert increased(rate, 0.9e6) == pytest.approx(1.35e6)
    assert increased(rate, 0.1e6) == pytest.approx(1.35e6)


def test_the_incoming_rate_bounds_the_increase() -> None:
    rate = after_decrease()
    assert increased(rate, 0.5e6) == pytest.approx(850_000)  # no more than 750000, but no less than before
    assert increased(rate, 0.57e6) == pytest.approx(855_000)


def test_capacity_averages_by_twentieths_and_begins_anew_above_it() -> None:
    capacity = LinkCapacity()
    assert not capacity.is_near(1e6)
    capacity.on_decrease(1e6)
    assert capacity.is_near(1.02e6)
    assert not capacity.is_near(0.97e6)
    capacity.on_decrease(1.1e6)
    assert capacity.average == pytest.approx(1.005e6)
    assert not capacity.is_near(1.2e6)
    assert capacity.average is None


def test_incoming_rate_is_that_of_half_a_second() -> None:
    incoming = IncomingRate()
    for step in range(11):
        incoming.add(1000, 1 + 0.05 * step)
    assert incoming.bytes_per_s(1.5) == pytest.approx(20_000)  # ten packets: the first is too old


def test_incoming_rate_begins_after_a_tenth_of_a_second() -> None:
    incoming = IncomingRate()
    rates: list[float | None] = []
    for step in range(4):
        incoming.add(1000, 1 + 0.05 * step)
        rates.append(incoming.bytes_per_s(1 + 0.05 * step))
    assert rates == [None, None, pytest.approx(20_000), pytest.approx(20_000)]


def test_loss_based_rate() -> None:
    # Section 6: less than 2 % adds 5 %, 2 to 10 % keep, more takes half of what was lost.
    assert [loss_based_rate(100, loss) for loss in (0, 0.02, 0.05, 0.10, 0.2, 1)] == pytest.approx(
        [105, 100, 100, 100, 90, 50]
    )


# The scheme


def make_flow() -> tuple[Flow, Gcc]:
    """After a first round trip of 100 ms."""
    scheme = Gcc(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.fill_window()
    flow.wait()
    flow.ack(numbers)
    return flow, scheme


def test_starts_with_ten_packets_an_rtt() -> None:
    _, scheme = make_flow()
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(100_000)
    assert scheme.cwnd_bytes == 20 * MSS
    assert scheme.phase is Phase.SLOW_START


def send_steadily(flow: Flow, seconds: float, *, growth: float = 0.0) -> None:
    """A packet each 10 ms comes back 100 ms later, and later and later by this share of the time."""
    began_s = flow.now_s
    while flow.now_s < began_s + seconds:
        flow.send(1)
        flow.wait(0.01)
        while True:
            oldest = next(iter(flow.ledger.in_flight()), None)
            if oldest is None:
                break
            rtt_s = 0.1 + growth * max(0.0, oldest.sent_time_s - began_s)
            if oldest.sent_time_s + rtt_s > flow.now_s + 1e-9:
                break
            flow.ack([oldest.packet_number], rtt_s=rtt_s)


def test_growing_delay_ends_the_start_and_decreases_the_rate() -> None:
    flow, scheme = make_flow()
    send_steadily(flow, 1.0)
    a_hat = scheme.log_fields()["a_hat_bytes_per_s"]
    assert a_hat == pytest.approx(150_000, rel=0.04)  # 1.5 times what arrives
    assert scheme.pacing_rate_bytes_per_s == a_hat
    phases = [scheme.phase]
    send_steadily(flow, 1.5, growth=0.2)
    assert [*phases, scheme.phase] == [Phase.SLOW_START, Phase.AVOIDANCE]
    assert (scheme.pacing_rate_bytes_per_s or 0) < 0.85 * 100_000 + 1


@pytest.mark.parametrize(("mbit_per_s", "most_s"), [(6, 1.0), (24, 2.0), (96, 4.0)])
def test_losses_that_there_are_none_of_do_not_hold_the_start_back(mbit_per_s: int, most_s: float) -> None:
    scheme = Gcc(max_datagram_bytes=1350, rng=random.Random(1))
    network = Network(clean_link(mbit_per_s=mbit_per_s), [FlowPlan(scheme)], return_delay_s=DELAY_S)
    network.run_until(most_s)
    # 5 % each 100 ms, from ten packets an RTT of 40 ms, take 1.0, 3.9 and 6.9 s
    assert network.flows[0].record.wire_bytes(most_s - 0.2, most_s) * 8e-6 / 0.2 > 0.8 * mbit_per_s


def test_a_start_with_a_few_losses_keeps_the_rate_by_loss() -> None:
    flow, scheme = make_flow()
    flow.send(1)  # stays in flight, so that there is no pause
    for _ in range(4):
        numbers = flow.send(20)
        flow.wait(0.11)
        flow.lose(numbers[:1])  # 5 %
        flow.ack(numbers[1:])
    fields = scheme.log_fields()
    assert fields["as_hat_bytes_per_s"] == pytest.approx(100_000)
    assert (fields["a_hat_bytes_per_s"] or 0) > 150_000


def test_a_pause_keeps_the_rate() -> None:
    flow, scheme = make_flow()
    send_steadily(flow, 1.0)
    before = scheme.pacing_rate_bytes_per_s
    flow.ack([packet.packet_number for packet in flow.ledger.in_flight()])
    flow.wait(30)
    flow.ledger.mark_app_limited()
    numbers = flow.send(5)
    flow.wait()
    flow.ack(numbers)
    assert scheme.pacing_rate_bytes_per_s == before


def test_many_losses_lower_the_rate() -> None:
    flow, scheme = make_flow()
    before = scheme.pacing_rate_bytes_per_s or 0
    numbers = flow.send(10)
    flow.wait(0.11)
    flow.lose(numbers[:5])
    flow.ack(numbers[5:])
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(0.875 * before)  # a quarter of the report's 20 packets
    assert scheme.phase is Phase.AVOIDANCE


def test_persistent_congestion_halves_the_rate() -> None:
    flow, scheme = make_flow()
    flow.lose(flow.send(1), is_persistent_congestion=True)
    assert scheme.pacing_rate_bytes_per_s == pytest.approx(50_000)


def test_no_estimate_falls_below_two_packets_an_rtt() -> None:
    flow, scheme = make_flow()
    for _ in range(10):
        flow.lose(flow.send(1), is_persistent_congestion=True)
    assert scheme.log_fields()["as_hat_bytes_per_s"] == pytest.approx(20_000)
    for _ in range(20):
        numbers = flow.send(10)
        flow.wait(0.11)
        flow.lose(numbers[:9])
        flow.ack(numbers[9:])
    assert scheme.log_fields()["as_hat_bytes_per_s"] == pytest.approx(20_000)


def test_grows_from_the_least_rate_after_an_outage() -> None:
    scheme = Gcc(max_datagram_bytes=1350, rng=random.Random(1))
    # Two packets in 40 ms are 0.54 Mbit/s; 8 % a second lead to 1.4 here. 0.83 where it grew from less.
    assert Outage(begins_s=20).rate_mbit_per_s(scheme, since_s=10, until_s=20) > 1.1


def test_over_use_ends_soon_after_an_outage_of_a_slow_link() -> None:
    scheme = Gcc(max_datagram_bytes=1350, rng=random.Random(1))
    outage = Outage(begins_s=20, mbit_per_s=2, delay_s=0.050)
    assert outage.rate_mbit_per_s(scheme, since_s=40, until_s=50) > 1.5  # 0.21 where the filter was slow to return


def test_short_bursts_raise_the_estimate() -> None:
    bursts = OnOff(on_bytes=100_000, off_s=1.0)
    scheme = Gcc(max_datagram_bytes=1350, rng=random.Random(1))
    network = Network(clean_link(), [FlowPlan(scheme, source=bursts)], return_delay_s=DELAY_S)
    network.run_until(20)
    # 2.6 where a rate was known only after half a second: such bursts are shorter.
    assert (scheme.pacing_rate_bytes_per_s or 0) * 8e-6 > 6


def test_fills_most_of_a_clean_link_with_a_little_queue() -> None:
    result = run_flow(Gcc(max_datagram_bytes=1350, rng=random.Random(1)), duration_s=40)
    assert result.utilisation > 0.85
    assert result.queueing_delay.mean_s < 0.030
    assert result.queueing_delay.p95_s < 0.100
