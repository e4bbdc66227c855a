"""Nuwa's arithmetic worked by hand, and its behaviour at the edges."""

from __future__ import annotations

import dataclasses
import math
import random

import pytest

from cc.core.base import Phase
from cc.core.nuwa_parameters import NuwaParameters
from cc.core.receiver_base import Stamp
from cc.links.link import Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.nuwa import DRAIN_AFTER_S, Nuwa
from cc.sender.receiver_driven import ReceiverDriven
from cc.simulation import Simulation

PARAMETERS = NuwaParameters(target_delay_s=0.040, rho_s=0.020, k=7.0)
AS_IN_PAPER = dataclasses.replace(PARAMETERS, as_in_paper=True)
CATCHING_UP = dataclasses.replace(PARAMETERS, catches_up=True)
BASE = Stamp(
    sequence=0,
    epoch=0,
    phase=Phase.AVOIDANCE,
    send_time_s=100.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=0.040,
    min_rtt_s=0.040,
    cwnd_bytes=120_000,
    max_datagram_bytes=1200,
    is_app_limited=False,
)
EMPTY_QUEUE_THETA = 0.9443560571653689  # at a window of 100 packets
CLOCK_OFFSET_S = -77.0  # the receiver's clock runs elsewhere


def later(stamp: Stamp, *, seconds: float, packets: int, **changes: object) -> Stamp:
    """The next stamp, `packets` full packets later."""
    return dataclasses.replace(
        stamp,
        sequence=stamp.sequence + 1,
        send_time_s=stamp.send_time_s + seconds,
        packets_sent=stamp.packets_sent + packets,
        bytes_sent=stamp.bytes_sent + packets * stamp.max_datagram_bytes,
        **changes,  # type: ignore[arg-type]
    )


def deliver(nuwa: Nuwa, stamp: Stamp, *, queueing_delay_s: float = 0.0) -> float:
    """Deliver a stamp over a path of 20 ms and a queue; returns the receive time."""
    received_time_s = stamp.send_time_s + CLOCK_OFFSET_S + 0.020 + queueing_delay_s
    nuwa.on_stamp(stamp, received_time_s=received_time_s)
    return received_time_s


def window_bytes(nuwa: Nuwa, now_s: float) -> int:
    """The window that Nuwa asks for now."""
    window = nuwa.state(now_s=now_s).window_bytes
    assert window is not None
    return window


def test_the_first_stamp_starts_from_the_senders_window() -> None:
    nuwa = Nuwa(PARAMETERS)
    now_s = deliver(nuwa, BASE)
    assert window_bytes(nuwa, now_s) == 120_000


def test_an_empty_queue_grows_the_window_by_theta_k_over_w_per_packet() -> None:
    # the target is 40 ms - 10 ms * ln(100 / 64) = 35.5371 ms; theta = tanh(35.5371 / 20) = 0.944356...;
    # w: 100 -> 100 + 7 * 0.944356... / 100
    nuwa = Nuwa(PARAMETERS)
    deliver(nuwa, BASE)
    now_s = deliver(nuwa, later(BASE, seconds=0.001, packets=1))
    assert window_bytes(nuwa, now_s) == math.floor(1200 * (100 + 7 * EMPTY_QUEUE_THETA / 100))


def test_each_packet_between_two_stamps_counts_once() -> None:
    nuwa = Nuwa(PARAMETERS)
    deliver(nuwa, BASE)
    now_s = deliver(nuwa, later(BASE, seconds=0.001, packets=3))
    window = 100.0
    for _ in range(3):
        window += 7 * EMPTY_QUEUE_THETA / window
    assert window_bytes(nuwa, now_s) == math.floor(1200 * window)


def test_a_queue_far_above_the_target_shrinks_the_window_by_k_per_window() -> None:
    nuwa = Nuwa(PARAMETERS)
    stamp = BASE
    deliver(nuwa, stamp)
    for _ in range(20):  # the filter has settled at a queue of 400 ms, where theta is -1
        stamp = later(stamp, seconds=0.020, packets=0)
        deliver(nuwa, stamp, queueing_delay_s=0.400)
    before_bytes = window_bytes(nuwa, 0.0)
    now_s = deliver(nuwa, later(stamp, seconds=0.020, packets=1), queueing_delay_s=0.400)
    lost_bytes = before_bytes - window_bytes(nuwa, now_s)
    assert lost_bytes == pytest.approx(1200 * 7 / (before_bytes / 1200), abs=2)


@pytest.mark.parametrize(
    ("window_packets", "target_s"),
    [(64, 0.040), (200, 0.028606), (1000, 0.020), (37, 0.045480), (3, 0.070603)],
)
def test_the_target_falls_with_the_logarithm_of_the_window(window_packets: int, target_s: float) -> None:
    # 40 ms - 10 ms * ln(w / 64), at least 20 ms; the queue's raw delay of 40 ms is filtered, so it is read back
    nuwa = Nuwa(PARAMETERS)
    stamp = dataclasses.replace(BASE, cwnd_bytes=1200 * window_packets)
    deliver(nuwa, stamp)
    for _ in range(30):
        stamp = later(stamp, seconds=0.020, packets=0)
        now_s = deliver(nuwa, stamp, queueing_delay_s=0.040)
    assert nuwa.state(now_s=now_s).target_delay_s == pytest.approx(target_s, abs=1e-6)
    now_s = deliver(nuwa, later(stamp, seconds=0.020, packets=1), queueing_delay_s=0.040)
    theta = math.tanh((target_s - nuwa.state(now_s=now_s).queueing_delay_s) / 0.020)
    assert nuwa.window_packets == pytest.approx(max(2.0, window_packets + 7 * theta / window_packets), abs=1e-3)


def test_a_long_round_trip_grows_the_window_by_the_clock() -> None:
    # a smoothed RTT of 500 ms is two and a half times 0.2 s
    nuwa = Nuwa(PARAMETERS)
    slow = dataclasses.replace(BASE, smoothed_rtt_s=0.5)
    deliver(nuwa, slow)
    deliver(nuwa, later(slow, seconds=0.001, packets=1))
    assert nuwa.window_packets == pytest.approx(100 + 2.5 * 7 * EMPTY_QUEUE_THETA / 100)


def test_an_application_limited_sender_does_not_grow() -> None:
    nuwa = Nuwa(PARAMETERS)
    deliver(nuwa, BASE)
    now_s = deliver(nuwa, later(BASE, seconds=0.001, packets=10, is_app_limited=True))
    assert window_bytes(nuwa, now_s) == 120_000


def test_a_new_epoch_restarts_from_the_senders_window() -> None:
    nuwa = Nuwa(PARAMETERS)
    deliver(nuwa, BASE)
    now_s = deliver(nuwa, later(BASE, seconds=0.001, packets=50, epoch=1, cwnd_bytes=84_000))
    assert window_bytes(nuwa, now_s) == 84_000


def test_the_request_stays_within_twice_the_window_in_force() -> None:
    nuwa = Nuwa(PARAMETERS)
    deliver(nuwa, BASE)
    now_s = deliver(nuwa, later(BASE, seconds=0.001, packets=4000, cwnd_bytes=36_000))
    assert window_bytes(nuwa, now_s) == 72_000


def test_an_old_stamp_changes_nothing() -> None:
    nuwa = Nuwa(PARAMETERS)
    deliver(nuwa, BASE)
    newer = later(later(BASE, seconds=0.001, packets=10), seconds=0.001, packets=10)
    now_s = deliver(nuwa, newer)
    before = nuwa.state(now_s=now_s)
    deliver(nuwa, later(BASE, seconds=0.001, packets=10), queueing_delay_s=0.5)
    assert nuwa.state(now_s=now_s) == before


def test_a_standing_queue_ends_slow_start_at_the_window_that_fits() -> None:
    # 3 MB/s arrive (2.5 packets of 1200 bytes in 1 ms) while the queue grows by 0.5 ms in each ms: at the exit
    # w = 3 MB/s * (40 ms + 20 ms) = 180 kB, below the sender's 300 kB
    nuwa = Nuwa(PARAMETERS)
    stamp = dataclasses.replace(BASE, phase=Phase.SLOW_START, cwnd_bytes=300_000)
    queue_s = 0.0
    for _ in range(80):
        deliver(nuwa, stamp, queueing_delay_s=queue_s)
        stamp = later(stamp, seconds=0.002, packets=7 if queue_s == 0 else 9)
        queue_s += 0.001
    feedback = nuwa.feedback(now_s=stamp.send_time_s + CLOCK_OFFSET_S)
    assert feedback is not None
    assert feedback.end_slow_start
    arrived_bytes_per_s = 9 * 1200 / 0.003
    assert feedback.window_bytes == pytest.approx(arrived_bytes_per_s * 0.060, rel=0.05)


def test_slow_start_goes_on_while_no_queue_stands() -> None:
    nuwa = Nuwa(PARAMETERS)
    stamp = dataclasses.replace(BASE, phase=Phase.SLOW_START)
    for _ in range(50):
        deliver(nuwa, stamp)
        stamp = later(stamp, seconds=0.003, packets=10)
    feedback = nuwa.feedback(now_s=0.0)
    assert feedback is not None
    assert not feedback.end_slow_start
    assert feedback.window_bytes == 120_000


def test_there_is_nothing_to_say_before_and_between_stamps() -> None:
    nuwa = Nuwa(PARAMETERS)
    assert nuwa.feedback(now_s=0.0) is None
    now_s = deliver(nuwa, BASE)
    first = nuwa.feedback(now_s=now_s)
    assert first is not None
    assert first.sequence == 0
    assert nuwa.feedback(now_s=now_s) is None
    now_s = deliver(nuwa, later(BASE, seconds=0.003, packets=1))
    second = nuwa.feedback(now_s=now_s)
    assert second is not None
    assert (second.sequence, second.last_stamp_sequence) == (1, 1)


def test_a_queue_that_never_empties_is_drained_once_to_measure_the_reference() -> None:
    nuwa = Nuwa(PARAMETERS)
    stamp = BASE
    deliver(nuwa, stamp)
    lowered_at_s = None
    normal_bytes = 0
    for step in range(round(1.2 * DRAIN_AFTER_S / 0.01)):
        stamp = later(stamp, seconds=0.01, packets=25)  # 3 MB/s
        now_s = deliver(nuwa, stamp, queueing_delay_s=0.040)
        asked_bytes = window_bytes(nuwa, now_s)
        if asked_bytes < 0.8 * 3e6 * 0.040 * 1.01 and lowered_at_s is None:
            lowered_at_s = step * 0.01
        elif lowered_at_s is None:
            normal_bytes = asked_bytes
    assert lowered_at_s == pytest.approx(DRAIN_AFTER_S, abs=0.1)
    assert window_bytes(nuwa, now_s) == pytest.approx(normal_bytes, rel=0.1)  # and given back afterwards


def test_a_queue_shorter_than_half_the_target_is_not_drained() -> None:
    nuwa = Nuwa(PARAMETERS)
    stamp = BASE
    deliver(nuwa, stamp)
    asked_bytes = []
    for _ in range(round(2 * DRAIN_AFTER_S / 0.01)):
        stamp = later(stamp, seconds=0.01, packets=25)
        asked_bytes.append(window_bytes(nuwa, deliver(nuwa, stamp, queueing_delay_s=0.018)))
    assert asked_bytes == sorted(asked_bytes)


def test_after_a_drain_that_the_sender_followed_the_window_is_asked_for_that_held_before() -> None:
    # Of the bottleneck the flow has 4 MB/s: 0.8 * 4 MB/s * 10 ms are 26 packets, twice what is in force then 53.
    nuwa = Nuwa(PARAMETERS)
    stamp = dataclasses.replace(BASE, min_rtt_s=0.010)
    deliver(nuwa, stamp)
    windows_bytes = [stamp.cwnd_bytes]
    for step in range(round(1.05 * DRAIN_AFTER_S / 0.003)):
        stamp = later(stamp, seconds=0.003, packets=10, cwnd_bytes=windows_bytes[-1])
        now_s = deliver(nuwa, stamp, queueing_delay_s=0.025 + 0.004 * math.sin(0.05 * step))  # others', which moves
        windows_bytes.append(window_bytes(nuwa, now_s))
    drained_bytes = min(windows_bytes)
    held_bytes = windows_bytes[windows_bytes.index(drained_bytes) - 5]
    assert drained_bytes == pytest.approx(0.8 * 4e6 * 0.010, rel=0.05)
    assert held_bytes > 4 * drained_bytes
    assert windows_bytes[-1] == pytest.approx(held_bytes, rel=0.05)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target_delay_s", 0.0),
        ("target_delay_s", math.nan),
        ("rho_s", -1.0),
        ("rho_s", math.inf),
        ("k", 0.5),
        ("k", 10.0),
    ],
)
def test_parameters_out_of_range_are_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        dataclasses.replace(PARAMETERS, **{name: value})  # type: ignore[arg-type]


def test_a_burst_in_slow_start_is_no_standing_queue() -> None:
    nuwa = Nuwa(PARAMETERS)
    stamp = dataclasses.replace(BASE, phase=Phase.SLOW_START)
    for step in range(60):
        deliver(nuwa, stamp, queueing_delay_s=0.012 if step % 4 else 0.0)  # 12 ms, but never for 10 ms on end
        stamp = later(stamp, seconds=0.003, packets=10)
    feedback = nuwa.feedback(now_s=0.0)
    assert feedback is not None
    assert not feedback.end_slow_start


def settled(nuwa: Nuwa, *, queueing_delay_s: float, for_s: float) -> Stamp:
    """Stamps each 5 ms without a packet, so that the window rests, until `for_s` after the queue came to be so."""
    stamp = BASE
    deliver(nuwa, stamp)
    for _ in range(round(for_s / 0.005) + 1):
        stamp = later(stamp, seconds=0.005, packets=0)
        deliver(nuwa, stamp, queueing_delay_s=queueing_delay_s)
    return stamp


def test_catching_up_the_window_doubles_with_the_packets_of_a_round_trip_without_a_queue() -> None:
    # a quarter of 40 ms has passed; the target of 35.5 ms is 0.888 of a round trip, which each packet adds
    nuwa = Nuwa(CATCHING_UP)
    stamp = settled(nuwa, queueing_delay_s=0.0, for_s=0.010)
    deliver(nuwa, later(stamp, seconds=0.005, packets=10))
    assert nuwa.window_packets == pytest.approx(100 + 10 * 0.0355371 / 0.040, abs=1e-4)


def test_catching_up_waits_for_a_quarter_of_a_round_trip() -> None:
    nuwa, patient = Nuwa(CATCHING_UP), Nuwa(PARAMETERS)
    for each in (nuwa, patient):
        stamp = settled(each, queueing_delay_s=0.0, for_s=0.0)
        deliver(each, later(stamp, seconds=0.004, packets=10))
    assert nuwa.window_packets == patient.window_packets


def test_catching_up_the_window_falls_by_half_of_itself_in_a_round_trip_far_above_the_target() -> None:
    # theta is tanh((35.5 - 400) / 20) = -1, so that a packet takes half of 0.888
    nuwa = Nuwa(CATCHING_UP)
    stamp = settled(nuwa, queueing_delay_s=0.400, for_s=0.300)
    deliver(nuwa, later(stamp, seconds=0.005, packets=10), queueing_delay_s=0.400)
    assert nuwa.window_packets == pytest.approx(100 - 10 * 0.5 * 0.0355371 / 0.040, abs=1e-4)


@pytest.mark.parametrize("round_trip_s", [0.040, 0.150, 0.300])
@pytest.mark.parametrize("target_delay_s", [0.010, 0.025, 0.120])
def test_catching_up_holds_the_queue_of_a_link_that_does_not_change(round_trip_s: float, target_delay_s: float) -> None:
    def queue_p95_s(catches_up: bool) -> float:
        simulation = Simulation(
            ReceiverDriven(max_datagram_bytes=1200, rng=random.Random(1)),
            Link(constant_rate_opportunities_ms(12), queue=QueueLimit(packets=300), delay_s=round_trip_s / 2),
            return_delay_s=round_trip_s / 2,
            receiver=Nuwa(NuwaParameters(target_delay_s, target_delay_s, k=7.0, catches_up=catches_up)),
        )
        simulation.run_until(12.0)
        delay = simulation.result().queueing_delay
        assert delay is not None
        return delay.p95_s

    assert queue_p95_s(catches_up=True) <= 1.5 * queue_p95_s(catches_up=False) + 0.005


def test_by_the_papers_law_the_target_is_constant_and_k_packets_come_in_a_round_trip_however_long() -> None:
    nuwa = Nuwa(AS_IN_PAPER)
    stamp = dataclasses.replace(BASE, smoothed_rtt_s=0.8, cwnd_bytes=240_000)
    deliver(nuwa, stamp)
    deliver(nuwa, later(stamp, seconds=0.01, packets=1))
    # Eq. 5 and 6 from 200 packets, without a queue; ours would grow by 0.8 / 0.2 times that.
    theta = math.tanh(PARAMETERS.target_delay_s / PARAMETERS.rho_s)
    assert nuwa.window_packets == pytest.approx(200 + PARAMETERS.k * theta / 200)
    assert nuwa.target_delay_s == PARAMETERS.target_delay_s


def test_by_the_papers_law_no_queue_is_drained() -> None:
    asked = {}
    for parameters in (PARAMETERS, AS_IN_PAPER):
        nuwa, stamp, least = Nuwa(parameters), BASE, math.inf
        deliver(nuwa, stamp)
        for _ in range(1500):  # 15 s in which a queue always stands
            stamp = later(stamp, seconds=0.01, packets=10)
            now_s = deliver(nuwa, stamp, queueing_delay_s=PARAMETERS.target_delay_s)
            least = min(least, window_bytes(nuwa, now_s) / (nuwa.window_packets or 1.0) / 1200)
        asked[parameters] = least
    assert asked[PARAMETERS] < 0.9 < asked[AS_IN_PAPER]


def test_the_papers_law_has_none_of_our_parts() -> None:
    with pytest.raises(ValueError, match="the paper's law neither catches up nor follows a need"):
        dataclasses.replace(AS_IN_PAPER, catches_up=True)
    with pytest.raises(ValueError, match="the paper's law neither catches up nor follows a need"):
        dataclasses.replace(AS_IN_PAPER, follows_need=True)
