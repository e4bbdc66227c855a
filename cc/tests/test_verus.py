"""Verus against numbers worked by hand from its paper's section 4, and the delay that it allows on simulated links."""

from __future__ import annotations

import math
import random

import pytest

from cc.core.base import Phase
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.sender.verus.profile import DelayProfile, penalised_least_squares
from cc.sender.verus.verus import DELAY_RATIO_MAX, Verus
from cc.simulation import Simulation
from cc.tests.flow import MSS, Flow
from cc.tests.sim_flows import DELAY_S, LINK_MBIT_PER_S, Outage, clean_link, jain_index, run_flow, share_link

PACKET_BYTES = 1350
EPOCH_S = 0.005


def line_s(window_packets: float) -> float:
    """A path where each packet in flight adds 0.9 ms."""
    return 0.1 + 0.0009 * window_packets


def line_profile() -> DelayProfile:
    profile = DelayProfile()
    for window in range(10, 51):
        profile.learn(window, line_s(window))
    profile.draw_curve()
    return profile


def test_a_point_is_an_average_of_its_delays() -> None:
    profile = DelayProfile()
    profile.learn(10, 0.1)
    profile.learn(10, 0.2)
    profile.draw_curve()
    assert profile.delay_s(10) == pytest.approx(0.1125)  # 7/8 * 0.1 + 1/8 * 0.2


def test_the_curve_gives_a_window_its_delay_and_a_delay_its_window() -> None:
    profile = line_profile()
    assert [profile.delay_s(window) for window in (10, 30.5, 50)] == pytest.approx([0.109, 0.12745, 0.145])
    assert profile.window_packets(0.1275) == 30  # 31 packets would wait 127.9 ms
    assert profile.window_packets(0.01) == 9


def test_the_curve_goes_on_with_its_last_slope_to_twice_the_largest_window() -> None:
    profile = line_profile()
    assert profile.delay_s(60) == pytest.approx(0.154)
    assert profile.window_packets(0.154) == pytest.approx(60)
    assert profile.window_packets(9.0) == 100


def test_where_larger_windows_cost_nothing_the_window_may_double() -> None:
    profile = DelayProfile()
    for window in range(1, 31):
        profile.learn(window, 0.1)
    profile.draw_curve()
    assert profile.window_packets(0.2) == 60


def test_the_window_is_that_before_the_curve_first_exceeds_the_delay() -> None:
    profile = DelayProfile()
    for window in range(1, 400):  # a hill of 100 ms around 200 packets
        profile.learn(window, 0.1 + 0.1 * math.exp(-(((window - 200) / 60) ** 2)))
    profile.draw_curve()
    assert 120 < profile.window_packets(0.15) < 170


def test_the_curve_smooths_noise_away() -> None:
    profile = DelayProfile()
    for window in range(10, 200):
        profile.learn(window, line_s(window) + (0.01 if window % 2 else -0.01))
    profile.draw_curve()
    assert profile.delay_s(100) == pytest.approx(line_s(100), abs=0.0005)


def test_large_profiles_keep_their_shape_with_fewer_knots() -> None:
    profile = DelayProfile()
    for window in range(7, 3000, 3):
        profile.learn(window, line_s(window))
    profile.draw_curve()
    assert [profile.delay_s(window) for window in (8, 1234, 2998)] == pytest.approx(
        [line_s(window) for window in (8, 1234, 2998)], abs=0.002
    )


def test_points_can_be_forgotten() -> None:
    profile = line_profile()
    profile.forget_from(20)
    profile.draw_curve()
    assert (profile.last_packets, profile.largest_packets) == (19, 38)
    profile.forget_from(5)
    profile.draw_curve()
    assert profile.last_packets == 10  # the smallest stays


def test_penalised_least_squares() -> None:
    # y = (0, 1, 0), D y = -2: z = y + 2p/(1 + 6p) (1, -2, 1), with p = 1/2 y + (1, -2, 1)/4.
    assert penalised_least_squares([1.0] * 3, [0.0, 1.0, 0.0], penalty=0.5) == pytest.approx([0.25, 0.5, 0.25])
    # What has no weight lies on the line between its neighbours.
    assert penalised_least_squares([1, 0, 0, 1], [2.0, 0.0, 0.0, 5.0], penalty=7.0) == pytest.approx([2, 3, 4, 5])


def flow_past_slow_start() -> tuple[Flow, Verus]:
    """Slow start has learned the line up to 40 packets, and lost the last of 40."""
    scheme = Verus(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    for packets in (10, 20):
        numbers = flow.send(packets)
        flow.wait()
        for in_flight, number in enumerate(numbers, start=1):
            flow.ack([number], rtt_s=line_s(in_flight))
    assert (scheme.cwnd_bytes, scheme.phase) == (40 * MSS, Phase.SLOW_START)
    numbers = flow.send(40)
    flow.wait()
    for in_flight, number in enumerate(numbers[:-1], start=1):
        flow.ack([number], rtt_s=line_s(in_flight))
    flow.lose(numbers[-1:])
    return flow, scheme


def field(scheme: Verus, name: str) -> float:
    value = scheme.log_fields()[name]
    assert value is not None
    return value


def test_a_loss_ends_slow_start_with_seven_tenths_of_the_window_that_was_lost() -> None:
    _, scheme = flow_past_slow_start()
    assert scheme.phase is Phase.RECOVERY
    assert field(scheme, "window_packets") == pytest.approx(28)
    assert field(scheme, "delay_estimate_s") == pytest.approx(line_s(28), abs=1e-4)


def test_a_loss_of_a_small_window_does_not_end_slow_start() -> None:
    scheme = Verus(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    flow.lose(flow.send(10)[-1:])
    assert (scheme.cwnd_bytes, scheme.phase) == (7 * MSS, Phase.SLOW_START)


def test_a_delay_of_half_a_second_ends_slow_start() -> None:
    scheme = Verus(max_datagram_bytes=MSS, rng=random.Random(1))
    flow = Flow(scheme)
    numbers = flow.send(10)
    flow.wait(0.51)
    flow.ack(numbers, rtt_s=0.51)
    assert scheme.phase is Phase.RECOVERY
    # 0.7 * 10, and the loss phase's growth for the ten packets acknowledged
    assert field(scheme, "window_packets") == pytest.approx(7 + 10 / 7)


def flow_with_epochs() -> tuple[Flow, Verus, list[int]]:
    """The loss phase is over, an epoch half so; one packet at a time waits to be acknowledged."""
    flow, scheme = flow_past_slow_start()
    flow.wait(0.001)
    numbers = list(flow.send(25))
    flow.wait(3.5 * EPOCH_S - 0.001)
    flow.ack([numbers.pop(0)], rtt_s=0.128)
    assert scheme.phase is Phase.AVOIDANCE
    return flow, scheme, numbers


def end_epoch(flow: Flow, numbers: list[int], *, rtt_s: float) -> None:
    """Five milliseconds pass; this delay counts in the epoch that has begun."""
    flow.wait(EPOCH_S)
    flow.ack([numbers.pop(0)], rtt_s=rtt_s)


def test_the_delay_aimed_at_rises_by_two_and_falls_by_one_millisecond() -> None:
    flow, scheme, numbers = flow_with_epochs()
    start_s = field(scheme, "delay_estimate_s")
    steps_ms = []
    for rtt_s in (0.128, 0.140, 0.140, 0.130, 0.130):
        end_epoch(flow, numbers, rtt_s=rtt_s)
        steps_ms.append(round((field(scheme, "delay_estimate_s") - start_s) * 1000, 3))
    # Epochs of 128, 128, 140, 140, 130 ms; the smoothed largest delay before each is 128, 128, 128, 137.6, 139.5 ms.
    assert steps_ms == [2, 4, 3, 2, 4]
    assert field(scheme, "delay_maximum_s") == pytest.approx(0.2 * 0.13952 + 0.8 * 0.130)


def test_the_window_is_read_off_the_curve() -> None:
    flow, scheme, numbers = flow_with_epochs()
    start_s = field(scheme, "delay_estimate_s")
    assert start_s == pytest.approx(0.1252, abs=1e-5)
    end_epoch(flow, numbers, rtt_s=0.128)
    assert field(scheme, "window_packets") == 30  # 127.2 ms; 31 packets would wait 127.9 ms


def test_the_delay_aimed_at_falls_by_two_milliseconds_above_six_times_the_smallest() -> None:
    flow, scheme, numbers = flow_with_epochs()
    smallest_s = field(scheme, "delay_minimum_s")
    for rtt_s in (0.7, 0.7, 0.7):  # smoothed: 0.128, 0.5856, 0.67712 > 6 * 0.1009
        end_epoch(flow, numbers, rtt_s=rtt_s)
    assert field(scheme, "delay_maximum_s") > DELAY_RATIO_MAX * smallest_s
    before_s = field(scheme, "delay_estimate_s")
    end_epoch(flow, numbers, rtt_s=0.128)
    assert field(scheme, "delay_estimate_s") == pytest.approx(before_s - 0.002)


def test_an_epoch_sends_its_share_of_the_window() -> None:
    flow, scheme, numbers = flow_with_epochs()
    before = scheme.cwnd_bytes / MSS  # what is in flight, and what may be
    end_epoch(flow, numbers, rtt_s=0.1)
    # Equation 5 with n = 0.128/0.005 = 26 epochs in a round trip; then a packet is acknowledged.
    sending = field(scheme, "window_packets") - before * 24 / 25
    assert sending > 1
    assert scheme.cwnd_bytes / MSS == pytest.approx(before + sending - 1, abs=0.001)


def test_epochs_without_a_delay_take_the_silence_for_one() -> None:
    estimates_s = []
    for epochs in (25, 30):
        flow, scheme, numbers = flow_with_epochs()
        flow.wait(epochs * EPOCH_S)
        flow.ack([numbers.pop(0)], rtt_s=0.128)
        estimates_s.append(field(scheme, "delay_estimate_s"))
    # Epochs end 3.5, 8.5, ..., 148.5 ms later. The last five, from 128.5 ms on, find more silence than the smoothed
    # largest delay.
    assert estimates_s[1] == pytest.approx(estimates_s[0] - 5 * 0.001)


@pytest.mark.parametrize("queue_packets", [30, 100])
def test_sends_on_at_once_after_an_outage(queue_packets: int) -> None:
    scheme = Verus(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    outage = Outage(begins_s=7, queue_packets=queue_packets)
    # 0 where the lost flight stood against the window: nothing left before the next probe.
    assert outage.rate_mbit_per_s(scheme, since_s=1, until_s=3) > 6


def test_beyond_the_windows_that_are_known_it_grows_no_faster_than_slow_start() -> None:
    flow, scheme, numbers = flow_with_epochs()
    windows = []
    for _ in range(8):
        end_epoch(flow, numbers, rtt_s=0.128)
        windows.append(field(scheme, "window_packets"))
    # Each epoch would add 2 ms / 0.9 ms = 2.2 packets. From 39 on, the largest known, it doubles in 128 ms at the most.
    assert windows[:5] == [30, 32, 34, 36, pytest.approx(39, abs=1)]
    assert windows[7] <= 39 * 2 ** (3 * EPOCH_S / 0.128) + 0.01


def test_a_loss_forgets_the_window_that_was_lost() -> None:
    flow, scheme, numbers = flow_with_epochs()
    assert scheme._profile.last_packets == 39
    flow.lose([numbers[-1]])  # it left with 25 in flight
    assert scheme._profile.last_packets == 24


def test_in_the_loss_phase_the_window_grows_by_a_packet_in_a_round_trip_and_the_profile_rests() -> None:
    flow, scheme, numbers = flow_with_epochs()
    end_epoch(flow, numbers, rtt_s=0.128)
    flow.lose([numbers.pop()])
    lost_packets = field(scheme, "window_packets")
    assert lost_packets == pytest.approx(0.7 * 25)
    flow.lose([numbers.pop()])  # of the same phase
    assert field(scheme, "window_packets") == lost_packets
    estimate_s = field(scheme, "delay_estimate_s")
    end_epoch(flow, numbers, rtt_s=0.5)
    assert field(scheme, "window_packets") == pytest.approx(lost_packets + 1 / lost_packets)
    assert field(scheme, "delay_estimate_s") == estimate_s
    later = flow.send(1)
    flow.wait()
    flow.ack(later, rtt_s=0.128)
    assert scheme.phase is Phase.AVOIDANCE


def test_idle_times_are_no_epochs() -> None:
    flow, scheme, numbers = flow_with_epochs()
    flow.ack(numbers, rtt_s=0.128)
    before_s = field(scheme, "delay_estimate_s")
    flow.wait(60)
    later = flow.send(1)
    flow.wait(0.004)
    flow.ack(later, rtt_s=0.128)
    assert field(scheme, "delay_estimate_s") == before_s


def test_fills_a_queue_that_is_shorter_than_the_delay_it_allows() -> None:
    result = run_flow(Verus(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1)), duration_s=20)
    assert result.utilisation > 0.95
    assert 0.08 < result.queueing_delay.mean_s < 0.13
    assert result.packets_lost < 1000


def test_keeps_the_delay_below_six_times_the_smallest() -> None:
    scheme = Verus(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = Simulation(scheme, clean_link(queue_packets=1500), return_delay_s=DELAY_S)
    simulation.run_until(5)
    largest_s = []
    while simulation.now_s < 20:
        simulation.run_until(simulation.now_s + 0.05)
        largest_s.append(field(scheme, "delay_maximum_s"))
    allowed_s = DELAY_RATIO_MAX * 2 * DELAY_S
    assert 0.8 * allowed_s < max(largest_s) < 1.2 * allowed_s
    assert simulation.result().goodput_bits_per_s > 0.95 * LINK_MBIT_PER_S * 1e6


def test_loses_no_more_than_a_fifth_in_a_queue_that_overflows_below_the_delay_it_allows() -> None:
    scheme = Verus(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = Simulation(scheme, clean_link(queue_packets=100), return_delay_s=DELAY_S)
    simulation.run_until(20)
    result = simulation.result()
    assert result.packets_lost < 0.2 * result.packets_sent
    assert result.goodput_bits_per_s > 0.85 * LINK_MBIT_PER_S * 1e6


def test_follows_a_link_whose_rate_changes() -> None:
    # ten seconds of 24 Mbit/s, ten of 6
    fast, slow = constant_rate_opportunities_ms(24), constant_rate_opportunities_ms(6)
    trace = [1000 * second + time_ms for second in range(10) for time_ms in fast]
    trace += [10_000 + 1000 * second + time_ms for second in range(10) for time_ms in slow]
    scheme = Verus(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    simulation = Simulation(
        scheme, Link(trace, queue=QueueLimit(packets=1000), delay_s=DELAY_S), return_delay_s=DELAY_S
    )
    simulation.run_until(40)
    result = simulation.result()
    assert result.goodput_bits_per_s > 0.9 * 15e6 * 0.97
    assert result.queueing_delay is not None
    assert result.queueing_delay.p95_s < 0.6


def test_two_flows_share_the_link() -> None:
    schemes = [Verus(max_datagram_bytes=PACKET_BYTES, rng=random.Random(seed)) for seed in range(2)]
    rates = share_link(schemes, starts_s=[0, 5], duration_s=30, since_s=15)
    assert jain_index(rates) > 0.9
    assert sum(rates) > 0.95 * LINK_MBIT_PER_S
