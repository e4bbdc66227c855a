"""CoDel, PIE and ABC's router by their formulas, and the queue that a trace serves."""

from __future__ import annotations

import math
import random
from functools import partial

import pytest

from cc.links.link import MAX_PAYLOAD_BYTES, OPPORTUNITY_BYTES, QueueLimit
from cc.links.queueing.accel_brake import AccelBrake
from cc.links.queueing.codel import CoDel
from cc.links.queueing.discipline import DropTail, Mark, QueuedPacket
from cc.links.queueing.pie import MAX_BURST_S, Pie
from cc.links.queueing.registry import DISCIPLINES, UnknownDisciplineError, make_discipline
from cc.links.queueing.served_queue import ServedQueue
from cc.links.traces.capacity import offered_bytes
from cc.tests.same_number import SameNumber

FULL = MAX_PAYLOAD_BYTES  # takes a whole opportunity
WIRE = OPPORTUNITY_BYTES


def fill(queue: DropTail[int], count: int, *, now_s: float, first: int = 0) -> None:
    for number in range(first, first + count):
        assert queue.enter(QueuedPacket(number, WIRE, now_s), now_s=now_s)


def codel_drops_ms(queue: CoDel[int], *, from_ms: int, to_ms: int, sojourn_ms: int) -> list[int]:
    """A packet leaves each millisecond, having waited `sojourn_ms`, and others wait; when packets are dropped."""
    drops_ms = []
    for now_ms in range(from_ms, to_ms):
        while len(queue) < 4:
            queue.enter(QueuedPacket(now_ms, WIRE, 0.0), now_s=now_ms / 1000)
        for packet in queue._packets:
            packet.entered_s = (now_ms - sojourn_ms) / 1000
        queue.leave(now_s=now_ms / 1000)
        drops_ms += [now_ms] * len(queue.take_dropped())
    return drops_ms


def test_codel_drops_ever_faster_while_the_delay_stays_above_the_target() -> None:
    # Above the target since 0: the first drop after an interval of 100 ms, the next 100 / sqrt(1) ms later, then
    # 100 / sqrt(2) = 70.7, 100 / sqrt(3) = 57.7 and 50 ms; each at the next packet.
    drops_ms = codel_drops_ms(CoDel(), from_ms=0, to_ms=400, sojourn_ms=6)
    assert drops_ms == [100, 200, 271, 329, 379]


def test_codel_takes_no_delay_at_the_target_for_one_below_it() -> None:
    """In binary fractions of a second 18 ms are less than 5 ms after 13 ms, and 123 ms are not after 118 ms."""
    assert codel_drops_ms(CoDel(), from_ms=0, to_ms=400, sojourn_ms=5) == [100, 200, 271, 329, 379]


def test_codel_tolerates_delays_below_the_target_and_short_excesses() -> None:
    queue: CoDel[int] = CoDel()
    assert codel_drops_ms(queue, from_ms=0, to_ms=300, sojourn_ms=4) == []
    assert codel_drops_ms(queue, from_ms=300, to_ms=399, sojourn_ms=6) == []
    assert codel_drops_ms(queue, from_ms=399, to_ms=410, sojourn_ms=4) == []
    assert codel_drops_ms(queue, from_ms=410, to_ms=510, sojourn_ms=6) == []


def test_codel_takes_up_its_drop_rate_where_it_left_it() -> None:
    queue: CoDel[int] = CoDel()
    codel_drops_ms(queue, from_ms=0, to_ms=400, sojourn_ms=6)  # five drops: count went from 1 to 5
    codel_drops_ms(queue, from_ms=400, to_ms=450, sojourn_ms=4)
    # Section 5.5: 5 - 1 = 4 drops are the start, so that the second comes after 100 / sqrt(4) = 50 ms
    # and the third 100 / sqrt(5) = 44.7 ms later.
    assert codel_drops_ms(queue, from_ms=450, to_ms=660, sojourn_ms=6) == [550, 600, 645]


def test_codel_forgets_its_drop_rate_after_sixteen_intervals() -> None:
    queue: CoDel[int] = CoDel()
    codel_drops_ms(queue, from_ms=0, to_ms=400, sojourn_ms=6)
    codel_drops_ms(queue, from_ms=400, to_ms=2100, sojourn_ms=4)
    assert codel_drops_ms(queue, from_ms=2100, to_ms=2310, sojourn_ms=6) == [2200, 2300]


def test_codel_leaves_a_queue_of_one_packet_alone() -> None:
    queue: CoDel[int] = CoDel()
    for now_ms in range(500):
        while len(queue) < 2:
            queue.enter(QueuedPacket(now_ms, WIRE, (now_ms - 50) / 1000), now_s=now_ms / 1000)
        queue.leave(now_s=now_ms / 1000)  # no more than one opportunity's bytes are left then
    assert queue.take_dropped() == []


def pie_with_delay(queue: Pie[int], *, now_ms: float, delay_ms: float) -> None:
    """A packet leaves that has waited so long, and others wait."""
    queue._packets.clear()
    queue.wire_bytes = 0
    for _ in range(10):
        DropTail.enter(queue, QueuedPacket(0, WIRE, (now_ms - delay_ms) / 1000), now_s=now_ms / 1000)
    queue.leave(now_s=now_ms / 1000)


def test_pie_steers_by_the_delay_and_by_its_change() -> None:
    queue: Pie[int] = Pie(rng=SameNumber(0.0))
    pie_with_delay(queue, now_ms=1, delay_ms=30)
    pie_with_delay(queue, now_ms=15, delay_ms=30)
    # Section 4.2: 0.125 * (0.030 - 0.015) + 1.25 * (0.030 - 0) = 0.039375, divided by 2048 below 1e-6
    first = 0.039375 / 2048
    assert queue.drop_probability == pytest.approx(first)
    pie_with_delay(queue, now_ms=30, delay_ms=30)
    # no change any more: 0.125 * 0.015 = 0.001875, divided by 128 below 1e-4
    assert queue.drop_probability == pytest.approx(first + 0.001875 / 128)


def test_pie_takes_steps_of_two_percent_at_most_once_it_drops_a_tenth() -> None:
    queue: Pie[int] = Pie(rng=SameNumber(0.0))
    queue.drop_probability = 0.1
    pie_with_delay(queue, now_ms=1, delay_ms=500)
    pie_with_delay(queue, now_ms=15, delay_ms=500)
    assert queue.drop_probability == pytest.approx(0.12)


def test_pie_forgets_when_the_queue_is_empty() -> None:
    queue: Pie[int] = Pie(rng=SameNumber(0.0))
    queue.drop_probability = 0.05
    queue.leave(now_s=0.015)
    # 0.125 * (0 - 0.015) / 2 below 0.1, then 2 % off
    assert queue.drop_probability == pytest.approx((0.05 - 0.001875 / 2) * 0.98)


def test_pie_lets_a_burst_of_150_ms_pass_and_then_drops_at_random() -> None:
    queue: Pie[int] = Pie(rng=SameNumber(0.29))
    queue.drop_probability = 0.3
    for step in range(1, 10):
        pie_with_delay(queue, now_ms=15 * step, delay_ms=15)
        queue.drop_probability = 0.3
    assert queue.enter(QueuedPacket(1, WIRE, 0.14), now_s=0.14)
    pie_with_delay(queue, now_ms=150, delay_ms=15)
    queue.drop_probability = 0.3
    assert not queue.enter(QueuedPacket(1, WIRE, 0.151), now_s=0.151)
    queue._rng = SameNumber(0.31)
    assert queue.enter(QueuedPacket(1, WIRE, 0.152), now_s=0.152)


def test_pie_never_drops_from_a_short_queue() -> None:
    queue: Pie[int] = Pie(rng=SameNumber(0.0), max_burst_s=0.0)
    queue.drop_probability = 1.0
    fill(queue, 3, now_s=0.0)  # section 4.1: two packets may wait
    assert not queue.enter(QueuedPacket(3, WIRE, 0.0), now_s=0.0)


def test_pie_catches_up_with_an_idle_hour_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    queue: Pie[int] = Pie(rng=SameNumber(0.0))
    pie_with_delay(queue, now_ms=1, delay_ms=30)
    pie_with_delay(queue, now_ms=15, delay_ms=30)
    queue._packets.clear()
    queue.leave(now_s=0.016)
    updates = 0
    update = queue._update

    def counted() -> None:
        nonlocal updates
        updates += 1
        update()

    monkeypatch.setattr(queue, "_update", counted)
    queue.leave(now_s=3600.0)
    assert updates < 5  # of 240,000
    assert (queue._updates, queue.drop_probability, queue._burst_allowance_s) == (240_000, 0.0, MAX_BURST_S)
    queue.leave(now_s=3600.0149)
    assert queue._updates == 240_000
    queue.leave(now_s=3600.015)
    assert queue._updates == 240_001


def abc_with_load(share: float, *, waiting: int) -> float:
    """The accelerate fraction where that share of 12 Mbit/s leaves, and so many packets wait."""
    queue: AccelBrake[int] = AccelBrake(offered_bytes=partial(offered_bytes, [1]))
    for now_ms in range(1, 101):
        if now_ms % round(1 / share) == 0:
            fill(queue, 1, now_s=now_ms / 1000)
            queue.leave(now_s=now_ms / 1000)
    fill(queue, waiting - 1, now_s=0.1)
    return queue.accelerate_fraction(WIRE, now_s=0.1)


@pytest.mark.parametrize(
    ("share", "waiting", "fraction"),
    [
        (1.0, 1, 0.49),  # a full link: eta mu / (2 mu)
        (0.5, 1, 0.98),  # half full: twice that
        (0.25, 1, 1.0),
        (1.0, 50, 0.49),  # 50 packets are 50 ms: the threshold
        (1.0, 117, 0.24),  # 67 ms more: (0.98 - 67 / 133) / 2
        (1.0, 300, 0.0),
    ],
)
def test_abc_accelerates_what_brings_the_target_rate(share: float, waiting: int, fraction: float) -> None:
    assert abc_with_load(share, waiting=waiting) == pytest.approx(fraction, abs=0.002)


def test_abc_marks_as_many_packets_as_the_fraction_says() -> None:
    queue: AccelBrake[int] = AccelBrake(offered_bytes=partial(offered_bytes, [1]))
    marks = []
    for now_ms in range(1, 1101):
        fill(queue, 1, now_s=now_ms / 1000)
        packet = queue.leave(now_s=now_ms / 1000)
        assert packet is not None
        marks.append(packet.mark)
    assert marks[100:].count(Mark.ACCELERATE) == pytest.approx(490, abs=2)
    assert marks.count(Mark.ACCELERATE) + marks.count(Mark.BRAKE) == len(marks)


def test_a_served_queue_keeps_mahimahis_rules() -> None:
    queue = ServedQueue([10, 20, 30], DropTail[str](QueueLimit(packets=1)))
    assert queue.due_s == math.inf
    assert queue.enter("a", FULL, now_s=0.005)
    assert not queue.enter("b", FULL, now_s=0.006)
    assert queue.due_s == pytest.approx(0.010)
    (left,) = queue.serve(0.010)
    assert (left.token, left.is_dropped) == ("a", False)
    assert (left.entered_s, left.departed_s) == pytest.approx((0.005, 0.010))
    assert queue.enter("c", FULL - 504, now_s=0.010)  # misses the opportunity of its instant
    (left,) = queue.serve(0.025)
    assert left.departed_s == pytest.approx(0.020)
    assert queue.enter("d", FULL, now_s=0.025)
    (left,) = queue.serve(1.0)
    assert left.departed_s == pytest.approx(0.030)


def test_a_served_queue_refuses_what_no_opportunity_carries() -> None:
    with pytest.raises(ValueError, match="1472 fit"):
        ServedQueue([1], DropTail[int]()).enter(0, FULL + 1, now_s=0.0)
    with pytest.raises(ValueError, match="trace"):
        ServedQueue([], DropTail[int]())


def test_a_served_queue_tells_of_packets_dropped_on_leaving() -> None:
    queue = ServedQueue([1], CoDel[int]())
    dropped = []
    for now_ms in range(600):
        queue.serve(now_ms / 1000)
        for number in range(2):
            queue.enter(now_ms * 2 + number, FULL, now_s=now_ms / 1000)
    dropped = [departure.token for departure in queue.serve(10.0) if departure.is_dropped]
    assert dropped
    assert len(dropped) == len(set(dropped))


def test_codel_holds_the_delay_of_an_answering_load_near_its_target() -> None:
    """A load that halves its rate at each drop and adds a packet a second otherwise."""
    queue = ServedQueue([1], CoDel[int](QueueLimit(packets=1000)))
    rng = random.Random(1)
    rate_per_ms, waits_s = 1.5, []
    for now_ms in range(20_000):
        for departure in queue.serve(now_ms / 1000):
            if departure.is_dropped:
                rate_per_ms *= 0.7
            elif now_ms > 5000:
                waits_s.append(departure.departed_s - departure.entered_s)
        rate_per_ms += 0.0005
        for number in range(int(rate_per_ms) + (rng.random() < rate_per_ms % 1)):
            queue.enter(number, FULL, now_s=now_ms / 1000)
    assert 0.001 < sum(waits_s) / len(waits_s) < 0.030


@pytest.mark.parametrize("name", DISCIPLINES)
def test_what_waits_can_be_withdrawn_the_packet_in_transit_first(name: str) -> None:
    opportunities_ms = [10, 20, 30]
    discipline: DropTail[int] = make_discipline(
        name, QueueLimit(packets=5), opportunities_ms=opportunities_ms, rng=SameNumber(0.9)
    )
    queue = ServedQueue(opportunities_ms, discipline)
    for number in range(3):
        assert queue.enter(number, 1000, now_s=0.0)
    # of 1504 bytes at 10 ms the first takes 1032, and 472 go to the second
    assert [departure.token for departure in queue.serve(0.010)] == [0]
    assert queue.withdraw() == [1, 2]
    assert (len(queue), queue.due_s, discipline.wire_bytes) == (0, math.inf, 0)
    assert queue.enter(3, MAX_PAYLOAD_BYTES, now_s=0.015)
    assert [(departure.token, departure.departed_s) for departure in queue.serve(0.020)] == [(3, 0.020)]


def test_an_unknown_discipline_is_told_with_those_there_are() -> None:
    with pytest.raises(
        UnknownDisciplineError, match="'red' is unknown; known disciplines: droptail, codel, pie, abc, ce-threshold"
    ):
        make_discipline("red", QueueLimit(), opportunities_ms=[1], rng=SameNumber(0.0))
