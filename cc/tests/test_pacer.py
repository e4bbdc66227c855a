"""The pacer: bursts, waits and long-run rate."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.core.base import Phase, RttState
from cc.core.pacer import MOST_LATE_S, Pacer, Timer, window_rate_bytes_per_s
from cc.tests.flow import MSS


def send_all(pacer: Pacer, now_s: float, *, at_most: int = 10_000) -> int:
    """Send full packets until the pacer says wait; how many."""
    for count in range(at_most):
        if pacer.next_send_time_s(now_s) is not None:
            return count
        pacer.on_sent(MSS, now_s)
    return at_most


def test_without_a_rate_nothing_waits() -> None:
    assert send_all(Pacer(MSS), 1.0, at_most=50) == 50


@pytest.mark.parametrize(
    ("rate_bytes_per_s", "burst_bytes"),
    [
        (1e5, 2000),  # 0.8 Mbit/s: two packets
        (3e6, 12_000),  # 24 Mbit/s: 4 ms
        (1e8, 130_000),  # 800 Mbit/s: 1.2 ms and ten packets
    ],
)
def test_burst(rate_bytes_per_s: float, burst_bytes: int) -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(rate_bytes_per_s, 1.0)
    assert pacer.burst_bytes == pytest.approx(burst_bytes)
    assert send_all(pacer, 1.0) == burst_bytes // MSS


def test_waits_for_one_packets_time_after_the_burst() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)  # a packet in 10 ms
    send_all(pacer, 1.0)
    assert pacer.next_send_time_s(1.0) == pytest.approx(1.010)
    assert pacer.next_send_time_s(1.004) == pytest.approx(1.010)
    assert pacer.next_send_time_s(1.010) is None


def test_an_idle_time_earns_one_burst_and_no_more() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    assert send_all(pacer, 1000.0) == 2


def test_the_bucket_holds_a_turn_and_what_comes_while_a_timer_is_late() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e6, 1.0, turn_bytes=8 * MSS)  # 8 ms; a burst alone is 4
    assert pacer.burst_bytes == pytest.approx(8 * MSS + 1200)
    assert send_all(pacer, 1.0) == 9
    assert pacer.next_send_time_s(1.0, size_bytes=8 * MSS) == pytest.approx(1.0078)
    assert pacer.next_send_time_s(1.0, size_bytes=1) == pacer.next_send_time_s(1.0)
    assert pacer.next_send_time_s(1.0078, size_bytes=8 * MSS) is None
    pacer.set_rate(1e6, 1.0078)
    assert pacer.burst_bytes == pytest.approx(4000)


def test_a_change_of_rate_counts_from_now_on() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.set_rate(1e6, 1.005)  # 500 bytes earned at the old rate; the other 500 take 0.5 ms
    assert pacer.next_send_time_s(1.005) == pytest.approx(1.0055)


def test_a_probe_that_did_not_wait_is_paid_for_later() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.on_sent(MSS, 1.0)
    assert pacer.next_send_time_s(1.0) == pytest.approx(1.020)


@pytest.mark.parametrize(
    ("mbit_per_s", "wake_every_s"),
    [(1, 0.0011), (24, 0.0011), (140, 0.0011), (200, 0.0011), (1000, 0.0011), (1, 0.0035), (24, 0.0035)],
)
def test_a_coarse_timer_does_not_cap_the_rate(wake_every_s: float, mbit_per_s: float) -> None:
    rate = mbit_per_s * 1e6 / 8
    pacer = Pacer(MSS)
    pacer.set_rate(rate, 0.0)
    sent_bytes = sum(send_all(pacer, tick * wake_every_s) * MSS for tick in range(int(5 / wake_every_s)))
    assert sent_bytes / 5 == pytest.approx(rate, rel=0.01)


@given(
    rate=st.floats(1e3, 1e9),
    waits_s=st.lists(st.floats(0, 1), min_size=1, max_size=30),
)
@settings(derandomize=True, max_examples=50)
def test_never_sends_more_than_rate_and_burst_allow(rate: float, waits_s: list[float]) -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(rate, 0.0)
    now_s = 0.0
    sent_bytes = 0
    for wait_s in waits_s:
        now_s += wait_s
        sent_bytes += send_all(pacer, now_s, at_most=300) * MSS
        assert sent_bytes <= rate * now_s + pacer.burst_bytes + 2 * len(waits_s)  # two bytes of rounding each


@given(rate=st.floats(1, 1e10), now_s=st.floats(0, 1e6))
@settings(derandomize=True)
def test_waiting_as_told_is_waiting_enough(rate: float, now_s: float) -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(rate, now_s)
    send_all(pacer, now_s)
    next_s = pacer.next_send_time_s(now_s)
    for _ in range(3):  # a clock far from zero rounds; it must come to an end
        if next_s is None:
            break
        assert next_s >= now_s
        now_s, next_s = next_s, pacer.next_send_time_s(next_s)
    assert next_s is None or next_s - now_s < 1e-6


@pytest.mark.parametrize("rate", [0.0, -1.0, math.inf, math.nan])
def test_refuses_rates_that_mean_nothing(rate: float) -> None:
    with pytest.raises(ValueError, match="positive and finite"):
        Pacer(MSS).set_rate(rate, 0.0)


@pytest.mark.parametrize(
    ("phase", "rate"), [(Phase.SLOW_START, 20_000), (Phase.AVOIDANCE, 12_500), (Phase.RECOVERY, 12_500)]
)
def test_rate_from_a_window(phase: Phase, rate: float) -> None:
    # A window of 1000 bytes in 0.1 s, times 2 in slow start and 1.25 otherwise.
    rtt = RttState(latest_s=0.1, smoothed_s=0.1, min_s=0.1, variance_s=0.0)
    assert window_rate_bytes_per_s(cwnd_bytes=1000, rtt=rtt, phase=phase) == pytest.approx(rate)


def test_the_rate_follows_the_shorter_of_smoothed_and_latest_round_trip() -> None:
    drained = RttState(latest_s=0.05, smoothed_s=0.4, min_s=0.05, variance_s=0.1)
    filling = RttState(latest_s=0.4, smoothed_s=0.05, min_s=0.05, variance_s=0.1)
    for rtt in (drained, filling):
        rate = window_rate_bytes_per_s(cwnd_bytes=1000, rtt=rtt, phase=Phase.AVOIDANCE)
        assert rate == pytest.approx(1.25 * 1000 / 0.05)


def test_a_schedule_is_what_a_sender_would_do_that_is_woken_each_time() -> None:
    scheduled, woken = Pacer(MSS), Pacer(MSS)
    for pacer in (scheduled, woken):
        pacer.set_rate(1.7e6, 1.0)
    times_s, wake_s = scheduled.schedule(20, now_s=1.0, until_s=1.0045, timer=Timer(quantum_s=0.001))
    expected_s = []
    now_s = 1.0
    while now_s < 1.0045:
        while woken.next_send_time_s(now_s) is None:
            woken.on_sent(MSS, now_s)
            expected_s.append(now_s)
        now_s += 0.001
    assert times_s == pytest.approx(expected_s)
    assert wake_s == pytest.approx(1.005)


def test_a_schedule_ends_with_the_packets_the_time_or_the_patience() -> None:
    pacer = Pacer(MSS)
    assert pacer.schedule(3, now_s=1.0, until_s=9.0, timer=Timer(quantum_s=0.0)) == ([1.0] * 3, math.inf)
    pacer.set_rate(1e5, 1.0)  # two packets at once, then one in 10 ms
    ideal = Timer(quantum_s=0.0)
    times_s, wake_s = pacer.schedule(3, now_s=1.0, until_s=9.0, timer=ideal)
    assert times_s == pytest.approx([1.0, 1.0, 1.01])
    assert wake_s == math.inf
    times_s, wake_s = pacer.schedule(9, now_s=1.01, until_s=1.025, timer=ideal)
    assert times_s == pytest.approx([1.02])
    assert wake_s == pytest.approx(1.03)
    impatient = Timer(quantum_s=0.0, last_sent_s=1.02, patience_s=0.009)
    times_s, wake_s = pacer.schedule(9, now_s=1.021, until_s=9.0, timer=impatient)
    assert times_s == []
    assert wake_s == pytest.approx(1.03)


@given(rate=st.floats(1e3, 1e8), waits_s=st.lists(st.floats(0, 0.05), min_size=1, max_size=20), most=st.integers(0, 30))
def test_packets_that_leave_together_are_as_many_as_would_leave_one_by_one(
    rate: float, waits_s: list[float], most: int
) -> None:
    together, one_by_one = Pacer(MSS), Pacer(MSS)
    now_s = 0.0
    for pacer in (together, one_by_one):
        pacer.set_rate(rate, now_s)
    for wait_s in waits_s:
        now_s += wait_s
        packets = together.packets_now(now_s, most=most)
        together.on_packets_sent(packets, now_s)
        assert packets == send_all(one_by_one, now_s, at_most=most)
        assert together.next_send_time_s(now_s) == one_by_one.next_send_time_s(now_s)


def test_without_a_rate_all_leave_together() -> None:
    assert Pacer(MSS).packets_now(0.0, most=1000) == 1000


def test_a_sender_that_comes_later_than_it_meant_to_sends_what_could_have_left() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)  # a packet in 10 ms
    send_all(pacer, 1.0)
    pacer.expect_sender(pacer.next_send_time_s(1.0))
    assert send_all(pacer, 1.0 + 0.010 + 0.0412) == 5  # all of the 51.2 ms
    assert send_all(pacer, 1.0 + 0.010 + 0.0412) == 0


def test_a_host_is_late_for_no_longer_than_fills_a_short_queue() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.expect_sender(1.010)
    assert send_all(pacer, 10.0) == 2 + round(MOST_LATE_S * 1e5 / MSS)


def test_a_sender_that_did_not_wait_for_the_pacer_is_not_late() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.expect_sender(1.010)
    pacer.expect_sender(None)
    assert send_all(pacer, 10.0) == 2


def test_a_sender_that_learns_late_that_its_window_is_open_sends_what_could_have_left() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.expect_sender(None)
    pacer.expect_sender_since(2.0)
    pacer.expect_sender_since(2.03)  # more ACKs, read with the first one
    assert send_all(pacer, 2.0412) == 2 + 4


def test_a_sender_that_waits_for_the_pacer_gains_nothing_from_an_ack() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.expect_sender(1.040)
    pacer.expect_sender_since(1.0)
    assert send_all(pacer, 1.0412) == 2


def test_a_rate_set_while_the_host_is_late_takes_nothing_back() -> None:
    pacer = Pacer(MSS)
    pacer.set_rate(1e5, 1.0)
    send_all(pacer, 1.0)
    pacer.expect_sender(1.010)
    pacer.set_rate(1e5, 1.031)
    assert send_all(pacer, 1.0412) == 4


@given(st.lists(st.tuples(st.floats(0.0, 0.2), st.booleans()), min_size=1, max_size=60))
def test_however_late_the_sender_is_no_more_leaves_than_the_rate_allows(turns: list[tuple[float, bool]]) -> None:
    pacer = Pacer(MSS)
    rate = 3e5
    pacer.set_rate(rate, 0.0)
    now_s, sent = 0.0, send_all(pacer, 0.0)
    for late_s, waits in turns:
        due_s = pacer.next_send_time_s(now_s)
        pacer.expect_sender(due_s if waits else None)
        now_s = (due_s or now_s) + late_s
        sent += send_all(pacer, now_s)
    assert sent * MSS <= pacer.burst_bytes + rate * now_s + MSS
