"""Contests: drains and verdicts worked by hand, and flows of Kuafu's beside each other and beside CUBIC."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.links.link import OPPORTUNITY_BYTES, Link, QueueLimit, constant_rate_opportunities_ms
from cc.receiver.contest import (
    AGAIN_S,
    DRAIN_SHARE,
    FIRST_DRAIN_S,
    GROWTH_PACKETS,
    LONGEST_QUEUE_S,
    STANDING_S,
    Contest,
    Sight,
)
from cc.receiver.presets import preset
from cc.registry import scheme
from cc.simulation.flow_plan import FlowPlan
from cc.simulation.network import Network

PACKET_BYTES = 1200
ROUND_TRIP_S = 0.040
RATE = 1_200_000.0  # bytes/s: 40 packets in a round trip
OWN_PACKETS = 50.0
STEP_S = 0.01
SHORT_S = 0.001
LONG_S = 0.100
STAMP = Stamp(
    sequence=0,
    epoch=0,
    phase=Phase.AVOIDANCE,
    send_time_s=0.0,
    bytes_sent=0,
    packets_sent=0,
    smoothed_rtt_s=ROUND_TRIP_S,
    min_rtt_s=ROUND_TRIP_S,
    cwnd_bytes=60 * PACKET_BYTES,
    max_datagram_bytes=PACKET_BYTES,
    is_app_limited=False,
)


class Path:
    """Stamps each 10 ms of a path whose queue is what is said."""

    def __init__(self, own_packets: float = OWN_PACKETS, own_queue_s: float = 0.060) -> None:
        self.contest = Contest(own_queue_s)
        self.own_packets = own_packets
        self.now_s = 0.0
        self.packets_sent = 0
        self.packets_a_stamp = 10

    @property
    def asked(self) -> float:
        return self.contest.asked_packets(self.own_packets)

    def stamp(self, queue_s: float, *, is_app_limited: bool = False, smoothed_s: float | None = None) -> None:
        """One stamp; the queue was empty just now where it is short. `smoothed_s`: the sender's idea of it."""
        stamp = replace(
            STAMP,
            bytes_sent=PACKET_BYTES * self.packets_sent,
            packets_sent=self.packets_sent,
            smoothed_rtt_s=ROUND_TRIP_S + (queue_s if smoothed_s is None else smoothed_s),
            is_app_limited=is_app_limited,
        )
        sight = Sight(self.now_s, queue_s, self.now_s, RATE, self.own_packets, self.packets_a_stamp)
        self.contest.on_stamp(stamp, sight)
        self.packets_sent += self.packets_a_stamp
        self.now_s += STEP_S

    def pass_s(self, seconds: float, queue_s: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.stamp(queue_s)

    def enter(self) -> None:
        """Past the first drain, and through two that leave the queue as it is."""
        self.pass_s(FIRST_DRAIN_S + 0.5, SHORT_S)
        self.pass_s(STANDING_S + AGAIN_S + 1.0, LONG_S)


def test_a_young_flow_drains_once_to_a_quarter_of_what_the_path_holds() -> None:
    path = Path()
    path.pass_s(FIRST_DRAIN_S, SHORT_S)
    assert path.asked == OWN_PACKETS
    path.pass_s(0.02, SHORT_S)
    assert path.asked == pytest.approx(DRAIN_SHARE * RATE * ROUND_TRIP_S / PACKET_BYTES)
    path.pass_s(0.06, SHORT_S)  # the path and its queue: 41 ms
    assert path.asked == OWN_PACKETS
    path.pass_s(30.0, SHORT_S)
    assert path.asked == OWN_PACKETS
    assert not path.contest.is_on


def test_a_queue_that_no_drain_empties_is_contested_and_the_window_grows_by_the_clock() -> None:
    path = Path()
    path.enter()
    assert path.contest.is_on
    before = path.asked
    path.stamp(LONG_S)
    assert path.asked == before  # it makes the queue no longer than it was
    path.stamp(0.9 * LONG_S)
    assert path.asked == pytest.approx(before + 10 * GROWTH_PACKETS / before)  # below 0.2 s of round trip


def test_a_flow_that_may_keep_a_longer_queue_by_itself_contests_up_to_that() -> None:
    path = Path(own_queue_s=2.0)
    path.enter()
    before = path.asked
    path.stamp(2 * LONG_S)
    assert path.asked > before


def test_a_contest_grows_no_further_than_a_second_of_queue_and_is_judged_beyond_it() -> None:
    path = Path()
    path.enter()
    path.pass_s(30.0, 3.0)  # judged again: others have as much
    before = path.asked
    path.stamp(1.01)
    assert path.asked == before
    for _ in range(round(60.0 / STEP_S)):
        path.stamp(SHORT_S if path.contest.is_draining else 3.0)
    assert not path.contest.is_on


def test_a_drain_proves_nothing_before_what_was_in_flight_has_arrived() -> None:
    path = Path()
    path.pass_s(FIRST_DRAIN_S + 0.5, SHORT_S)
    for _ in range(round(20.0 / STEP_S)):
        path.packets_a_stamp = 0 if path.contest.is_draining else 10  # the link pauses
        path.stamp(LONG_S)
    assert not path.contest.is_on


@pytest.mark.parametrize(("lag_s", "is_others"), [(0.0, False), (0.3, True)])
def test_a_queue_counts_as_longer_than_it_seems_by_the_least_that_the_round_trip_tells(
    lag_s: float, is_others: bool
) -> None:
    """Of 100 ms a tenth is left; with 300 ms that the reference hides it is most."""
    path = Path()
    path.pass_s(FIRST_DRAIN_S + 0.5, SHORT_S)
    for step in range(round(10.0 / STEP_S)):
        queue_s = 0.1 * LONG_S if path.asked < OWN_PACKETS else LONG_S
        path.stamp(queue_s, smoothed_s=queue_s + (0.3 if step % 20 else lag_s))
    assert path.contest.is_on is is_others


def test_a_slow_link_that_varies_and_pauses_is_not_taken_for_others() -> None:
    for seed in range(4, 9):
        link = Link(_slow_trace_ms(random.Random(seed)), queue=QueueLimit(packets=1000), delay_s=0.020)
        network = Network(link, [_flow("kuafu", 0.0, "on-demand")], return_delay_s=0.020)
        network.run_until(100.0)
        delay = network.flows[0].record.delays(0.0, 100.0)
        assert delay is not None
        assert delay.p95_s < 1.5, f"seed {seed}"  # in a contest with nobody 4 s


def test_a_queue_that_goes_in_a_drain_is_the_flow_s_own() -> None:
    path = Path()
    path.pass_s(FIRST_DRAIN_S + 0.5, SHORT_S)
    for _ in range(2000):
        path.stamp(SHORT_S if path.asked < OWN_PACKETS else LONG_S)
        assert not path.contest.is_on


def test_one_drain_that_leaves_a_queue_proves_nothing() -> None:
    path = Path()
    path.pass_s(FIRST_DRAIN_S + 0.5, SHORT_S)
    while path.asked == OWN_PACKETS:
        path.stamp(LONG_S)
    while path.asked < OWN_PACKETS or path.contest.is_draining:
        path.stamp(LONG_S)
    drains = 0
    for _ in range(round(30.0 / STEP_S)):
        was_draining = path.contest.is_draining
        path.stamp(SHORT_S)
        drains += path.contest.is_draining and not was_draining
    assert not path.contest.is_on
    assert drains <= 1


def test_a_contest_ends_when_the_others_are_gone() -> None:
    path = Path()
    path.enter()
    for _ in range(3000):
        path.stamp(SHORT_S if path.asked < OWN_PACKETS else LONG_S)
    assert not path.contest.is_on


def test_a_clock_that_goes_back_postpones_no_drain() -> None:
    path = Path()
    path.now_s = 3600.0
    path.pass_s(FIRST_DRAIN_S + 0.5, SHORT_S)
    path.now_s = 0.0
    path.contest.begin_anew(STAMP)
    path.pass_s(STANDING_S + AGAIN_S + 1.0, LONG_S)
    assert path.contest.is_on


def test_a_drain_after_a_step_of_the_clock_proves_nothing_and_lasts_in_a_contest_too() -> None:
    path = Path()
    path.enter()
    path.contest.drain_anew()
    path.stamp(SHORT_S, smoothed_s=LONG_S)
    path.pass_s(LONG_S, SHORT_S)
    assert path.contest.is_draining
    path.pass_s(1.0, SHORT_S)
    assert path.contest.is_on


def test_a_contest_that_begins_again_grows_by_the_clock_until_a_loss() -> None:
    path = Path()
    path.enter()
    path.contest.begin_anew(replace(STAMP, cwnd_bytes=10 * PACKET_BYTES))
    path.pass_s(60.0, SHORT_S)
    assert not path.contest.is_on
    path.pass_s(STANDING_S + AGAIN_S + 1.0, LONG_S)
    assert path.contest.is_on
    before = path.asked
    path.stamp(0.9 * LONG_S)
    assert path.asked == pytest.approx(before + 10 * GROWTH_PACKETS / before)


def test_a_drain_that_takes_next_to_nothing_of_the_window_proves_nothing() -> None:
    path = Path(own_packets=1.9 * DRAIN_SHARE * RATE * ROUND_TRIP_S / PACKET_BYTES)
    path.enter()
    path.pass_s(10.0, LONG_S)
    assert not path.contest.is_on


def test_a_sender_with_nothing_to_send_neither_drains_nor_grows() -> None:
    path = Path()
    for _ in range(1000):
        path.stamp(LONG_S, is_app_limited=True)
        assert path.asked == OWN_PACKETS
    path.enter()
    before = path.asked
    path.stamp(LONG_S, is_app_limited=True)
    assert path.asked == before


def test_a_loss_in_a_contest_leaves_the_window_that_the_sender_has() -> None:
    path = Path()
    path.enter()
    path.contest.begin_anew(replace(STAMP, cwnd_bytes=70 * PACKET_BYTES))
    assert path.asked == 70.0


def test_a_loss_shows_how_long_the_others_queue_is_and_the_window_soon_has_a_quarter() -> None:
    path = Path()
    path.enter()
    path.own_packets = 5.0
    path.stamp(3 * LONG_S)
    path.contest.begin_anew(replace(STAMP, cwnd_bytes=10 * PACKET_BYTES))
    path.stamp(2.9 * LONG_S)
    assert path.asked == pytest.approx(20.0)  # ten packets came
    path.pass_s(0.1, 2.9 * LONG_S)
    quarter = RATE * (ROUND_TRIP_S + 3 * LONG_S) / 4 / PACKET_BYTES
    assert quarter < path.asked < quarter + 10


def test_a_queue_that_others_make_longer_keeps_nobody_below_a_quarter() -> None:
    path = Path()
    path.enter()
    quarter = RATE * (ROUND_TRIP_S + LONGEST_QUEUE_S) / 4 / PACKET_BYTES
    before = path.asked
    path.stamp(LONGEST_QUEUE_S)
    assert before < path.asked < quarter
    path = Path(own_packets=quarter + 1)
    path.enter()
    before = path.asked
    path.stamp(LONGEST_QUEUE_S)
    assert path.asked == before


def test_a_loss_in_a_drain_leaves_what_it_would_have_left_before() -> None:
    path = Path()
    path.enter()
    before = path.asked
    while not path.contest.is_draining:
        path.stamp(1.1 * LONG_S)
    path.own_packets = 5.0
    path.contest.begin_anew(replace(STAMP, cwnd_bytes=2 * PACKET_BYTES))
    assert path.asked == pytest.approx(0.7 * before)


def test_after_a_step_of_the_clock_it_drains_for_as_long_as_the_round_trip_tells() -> None:
    path = Path()
    path.pass_s(FIRST_DRAIN_S + 1.0, SHORT_S)
    path.contest.drain_anew()
    path.stamp(SHORT_S, smoothed_s=LONG_S)
    assert path.contest.is_draining
    path.pass_s(LONG_S, SHORT_S)
    assert path.contest.is_draining
    path.pass_s(ROUND_TRIP_S + 0.02, SHORT_S)
    assert path.asked == OWN_PACKETS


def test_a_flow_that_comes_late_takes_no_more_than_its_share() -> None:
    shares = _shares([("kuafu", 0.0), ("kuafu", 4.0)], "on-demand", mbit_per_s=12, seconds=30.0)
    assert sum(shares) ** 2 / (2 * sum(share * share for share in shares)) > 0.95


@pytest.mark.parametrize(("name", "least"), [("on-demand", 0.1), ("compete", 0.15)])
@pytest.mark.parametrize("queue_packets", [100, 300])
def test_it_gets_a_share_beside_cubic_whose_queue_is_longer_than_its_target(
    queue_packets: int, name: str, least: float
) -> None:
    shares = _shares([("kuafu", 0.0), ("cubic", 3.0)], name, mbit_per_s=12, seconds=40.0, queue_packets=queue_packets)
    assert shares[0] > least


def _shares(
    flows: list[tuple[str, float]], name: str, *, mbit_per_s: float, seconds: float, queue_packets: int = 300
) -> list[float]:
    """Of the last half, of flows that begin at these times."""
    link = Link(constant_rate_opportunities_ms(mbit_per_s), queue=QueueLimit(packets=queue_packets), delay_s=0.015)
    plans = [_flow(each, start_s, name) for each, start_s in flows]
    network = Network(link, plans, return_delay_s=0.015)
    network.run_until(seconds)
    carried = [flow.record.wire_bytes(seconds / 2, seconds) for flow in network.flows]
    return [each / sum(carried) for each in carried]


def _flow(name: str, start_s: float, preset_name: str) -> FlowPlan:
    entry = scheme(name)
    receiver = None if entry.make_receiver is None else entry.make_receiver(preset(preset_name).parameters)
    sender = entry.make_sender(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))
    return FlowPlan(sender, name=name, receiver=receiver, start_s=start_s)


def _slow_trace_ms(rng: random.Random) -> list[int]:
    """100 s of 0.1 to 1.6 Mbit/s, with pauses of up to two seconds, as a car sees of a 3G cell."""
    times_ms = []
    now_ms = 0.0
    while now_ms < 100_000:
        gap_ms = OPPORTUNITY_BYTES * 8e-3 / rng.choice([0.1, 0.2, 0.4, 0.8, 1.6])
        until_ms = now_ms + rng.uniform(200, 1500)
        while now_ms < until_ms:
            now_ms += gap_ms
            times_ms.append(round(now_ms))
        if rng.random() < 0.2:
            now_ms += rng.uniform(300, 2000)
    return times_ms
