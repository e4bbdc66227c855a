"""One way of the emulated link, in virtual time."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.limits import LIMITS
from cc.links.link import MAX_PAYLOAD_BYTES, Link, QueueLimit, constant_rate_opportunities_ms
from cc.links.queueing.discipline import Mark
from cc.links.queueing.registry import DISCIPLINES, DROPTAIL, make_discipline
from cc.links.queueing.served_queue import ServedQueue
from transport.relay.pipe import LinkPipe, Packet, PipeLink
from transport.relay.queues import QueueKind
from transport.relay.room import MOST_BYTES, PACKET_BYTES, Room, Share

FULL = bytes(MAX_PAYLOAD_BYTES)  # takes a whole opportunity


class Told:
    """A log that keeps what it is told, in ms."""

    def __init__(self) -> None:
        self.events: list[tuple[str, float, float | None]] = []
        self.handed_over_s = -math.inf

    def arrived(self, wire_bytes: int, *, at_s: float) -> None:
        self.events.append(("+", round(at_s * 1000, 6), None))

    def departed(self, wire_bytes: int, *, entered_s: float, at_s: float) -> None:
        self.events.append(("-", round(at_s * 1000, 6), round(entered_s * 1000, 6)))

    def dropped(self, wire_bytes: int, *, at_s: float) -> None:
        self.events.append(("d", round(at_s * 1000, 6), None))


def link_of(
    opportunities_ms: list[int] | None,
    *,
    packets: int | None = None,
    discipline: str = DROPTAIL,
    ahead_ms: float = 0,
    behind_ms: float = 0,
    loss_ratio: float = 0.0,
    started_ms: float = 0,
) -> PipeLink:
    return PipeLink(
        opportunities_ms,
        queue=QueueKind(discipline, QueueLimit(packets=packets)),
        delay_ahead_s=ahead_ms / 1000,
        delay_behind_s=behind_ms / 1000,
        loss_ratio=loss_ratio,
        started_s=started_ms / 1000,
    )


def pipe_of(link: PipeLink | None, *, now_ms: float = 0, log: Told | None = None) -> LinkPipe[int]:
    pipe = LinkPipe[int](loss_rng=random.Random(1), queue_rng=random.Random(1), log=log)
    pipe.change(link, now_s=now_ms / 1000)
    return pipe


def offer(pipe: LinkPipe[int], now_ms: float, *numbers: int, data: bytes = FULL) -> None:
    for number in numbers:
        pipe.offer(Packet(data, number), at_s=now_ms / 1000)


def taken(pipe: LinkPipe[int], now_ms: float) -> list[int]:
    return [packet.peer for packet in pipe.take_due(now_s=now_ms / 1000)]


def run_dry(pipe: LinkPipe[int]) -> list[tuple[float, int]]:
    """(ms, number) of all that still comes out."""
    out: list[tuple[float, int]] = []
    while (due_s := pipe.due_s) < math.inf:
        out += [(round(due_s * 1000, 6), packet.peer) for packet in pipe.take_due(now_s=due_s)]
    return out


def test_without_a_link_everything_passes_at_once() -> None:
    pipe = pipe_of(None)
    offer(pipe, 3, 1, 2)
    assert taken(pipe, 3) == [1, 2]
    assert pipe.due_s == math.inf


@pytest.mark.parametrize("loss_ratio", [0.0, 1.0])
def test_without_a_trace_a_link_only_delays_and_loses(loss_ratio: float) -> None:
    told = Told()
    for link in (
        link_of(None, ahead_ms=5, loss_ratio=loss_ratio),
        link_of(None, behind_ms=5, loss_ratio=loss_ratio),
    ):
        pipe = pipe_of(link, log=told)
        offer(pipe, 0.25, 1, 2)
        assert run_dry(pipe) == ([(5.25, 1), (5.25, 2)] if loss_ratio == 0 else [])
        assert (pipe.packets_carried, pipe.packets_lost) == ((2, 0) if loss_ratio == 0 else (0, 2))
    assert told.events == []


def test_what_a_link_without_a_trace_delays_meets_the_queue_of_the_next_only_if_it_lies_before_it() -> None:
    for link, arrival_ms in ((link_of(None, ahead_ms=5), 10), (link_of(None, behind_ms=5), 5)):
        pipe = pipe_of(link)
        offer(pipe, 0, 1)
        pipe.change(link_of([10]), now_s=0.001)
        assert run_dry(pipe) == [(arrival_ms, 1)]


def test_a_delay_ahead_comes_before_the_queue_and_one_behind_after_it() -> None:
    # enters at 5, leaves at 10; enters at 0, leaves at 10, arrives at 15
    for link in (link_of([10, 20], ahead_ms=5), link_of([10, 20], behind_ms=5)):
        pipe = pipe_of(link)
        offer(pipe, 0, 1)
        assert run_dry(pipe) == [(10.0 + 5 * (link.delay_behind_s > 0), 1)]


def test_a_delay_ahead_can_miss_an_opportunity_that_a_delay_behind_takes() -> None:
    ahead = pipe_of(link_of([10, 20], ahead_ms=12))
    offer(ahead, 0, 1)
    assert run_dry(ahead) == [(20, 1)]
    behind = pipe_of(link_of([10, 20], behind_ms=12))
    offer(behind, 0, 1)
    assert run_dry(behind) == [(22, 1)]


def test_times_are_those_of_the_link_however_late_the_pipe_is_served() -> None:
    told = Told()
    pipe = pipe_of(link_of([10, 20, 30], ahead_ms=5), log=told)
    offer(pipe, 0, 1, 2)
    assert taken(pipe, 27) == [1, 2]
    assert told.events == [("+", 5, None), ("+", 5, None), ("-", 10, 5), ("-", 20, 5)]


def test_a_packet_that_is_read_late_goes_through_the_link_when_it_arrived() -> None:
    pipe = pipe_of(link_of([10]))
    offer(pipe, 0, 1)
    assert taken(pipe, 48) == [1]
    offer(pipe, 12, 2, 3)  # arrived while nobody read: the opportunities at 20 and 30 are theirs
    assert pipe.due_s == pytest.approx(0.020)
    assert taken(pipe, 48) == [2, 3]


@pytest.mark.parametrize("discipline", ["codel", "pie", "abc", "ce-threshold"])
def test_a_queue_that_decides_late_is_not_undone_by_a_packet_that_was_read_late(discipline: str) -> None:
    pipe = pipe_of(link_of([10], discipline=discipline))
    offer(pipe, 0, 1)
    assert taken(pipe, 48) == [1]
    offer(pipe, 12, 2)
    assert pipe.due_s == pytest.approx(0.050)


def test_nothing_arrives_before_what_the_log_has_handed_over() -> None:
    log = Told()
    pipe = pipe_of(link_of([10]), log=log)
    log.handed_over_s = 0.025
    offer(pipe, 12, 1)
    assert log.events == [("+", 25, None)]
    assert pipe.due_s == pytest.approx(0.030)


def test_a_full_queue_drops_and_tells_the_log() -> None:
    told = Told()
    pipe = pipe_of(link_of([10, 20], packets=2), log=told)
    offer(pipe, 0, 1, 2, 3)
    assert run_dry(pipe) == [(10, 1), (20, 2)]
    assert pipe.packets_dropped == 1
    assert [event for event in told.events if event[0] == "d"] == [("d", 0, None)]


def keep_full(pipe: LinkPipe[int], *, until_ms: int, every_ms: int = 1) -> list[Packet[int]]:
    """What comes out of a pipe into which a full packet goes every so often; served late and at odd times."""
    out: list[Packet[int]] = []
    for now_ms in range(0, until_ms, every_ms):
        offer(pipe, now_ms, now_ms)
        if now_ms % 7 == 0:
            out += pipe.take_due(now_s=now_ms / 1000)
    return out


def test_codel_drops_at_the_head_when_the_delay_has_stood_for_an_interval() -> None:
    # In: a packet each ms. Out: one every 2 ms, so that what leaves at t has waited t / 2 + 1 ms: 5 ms from t = 8 on.
    # 100 ms later CoDel drops, then after 100 / sqrt(1) ms, 100 / sqrt(2) = 70.7, 100 / sqrt(3) = 57.7, 50 and
    # 44.7 ms: at 108, 208, 278.7, 336.4, 386.4, 431.2, or the next opportunity.
    told = Told()
    pipe = pipe_of(link_of([2], discipline="codel"), log=told)
    keep_full(pipe, until_ms=440)
    drops_ms = [at_ms for kind, at_ms, _ in told.events if kind == "d"]
    assert drops_ms == [108, 208, 280, 338, 388, 432]
    assert pipe.packets_dropped == 6


def test_pie_drops_what_arrives_once_the_delay_stands() -> None:
    told = Told()
    pipe = pipe_of(link_of([2], discipline="pie"), log=told)
    keep_full(pipe, until_ms=150)
    assert pipe.packets_dropped == 0  # section 4.4: the burst that is allowed
    keep_full(pipe, until_ms=3000)
    dropped = [event for event in told.events if event[0] == "d"]
    assert len(dropped) == pipe.packets_dropped > 300
    arrived_ms = {at_ms for kind, at_ms, _ in told.events if kind == "+"}
    assert {at_ms for _, at_ms, _ in dropped} <= arrived_ms


def test_abcs_router_marks_all_that_leaves_half_of_it_accelerate_where_the_link_is_full() -> None:
    # a full link without a queue: f = min(0.98 mu / (2 mu), 1) = 0.49, as in cc's own test
    pipe = pipe_of(link_of([1], discipline="abc"))
    marks = [packet.mark for packet in keep_full(pipe, until_ms=1000)]
    assert len(marks) > 900
    assert None not in marks
    assert marks.count(Mark.ACCELERATE) / len(marks) == pytest.approx(0.49, abs=0.02)


def test_only_a_router_that_marks_leaves_marks() -> None:
    for discipline in ("droptail", "codel", "pie"):
        assert {packet.mark for packet in keep_full(pipe_of(link_of([1], discipline=discipline)), until_ms=20)} == {
            None
        }


@pytest.mark.parametrize("discipline", DISCIPLINES)
def test_at_a_change_of_discipline_what_waits_goes_on_in_order(discipline: str) -> None:
    for before, after in ((discipline, DROPTAIL), (DROPTAIL, discipline), (discipline, discipline)):
        told = Told()
        pipe = pipe_of(link_of([100], discipline=before, behind_ms=30), log=told)
        offer(pipe, 0, 1, 2, 3)
        assert taken(pipe, 120) == []  # the first is in the delay behind
        pipe.change(link_of([10], discipline=after, started_ms=120), now_s=0.120)
        offer(pipe, 125, 4)
        assert run_dry(pipe) == [(130, 1), (130, 2), (140, 3), (150, 4)]
        assert [event[1:] for event in told.events if event[0] == "-"] == [*((100, 0), (130, 0), (140, 0), (150, 125))]
        assert pipe.share.bytes == pipe.share.packets == 0


def test_a_discipline_holds_only_so_much_too() -> None:
    pipe = pipe_of(link_of([1_000_000], discipline="codel"))
    count = MOST_BYTES // 2 // (len(FULL) + PACKET_BYTES)
    offer(pipe, 0, *range(count + 10))
    assert pipe.packets_without_room == pipe.packets_dropped == 10
    pipe.change(None, now_s=0.001)
    assert taken(pipe, 1) == list(range(count))


def test_loss_comes_behind_the_queue_so_the_log_shows_a_departure() -> None:
    told = Told()
    pipe = pipe_of(link_of([10], loss_ratio=1.0), log=told)
    offer(pipe, 0, 1)
    assert taken(pipe, 10) == []
    assert told.events == [("+", 0, None), ("-", 10, 0)]
    assert (pipe.packets_lost, pipe.packets_carried) == (1, 0)


def test_the_seed_decides_which_are_lost() -> None:
    outs = []
    for _ in range(2):
        pipe = pipe_of(link_of([1], loss_ratio=0.5))
        offer(pipe, 0, *range(200))
        outs.append([number for _, number in run_dry(pipe)])
    assert outs[0] == outs[1]
    assert 70 < len(outs[0]) < 130


def test_at_a_change_what_waits_goes_through_the_new_link_in_order() -> None:
    told = Told()
    pipe = pipe_of(link_of([100, 200, 300]), log=told)
    offer(pipe, 0, 1, 2, 3)
    assert taken(pipe, 150) == [1]
    # time 0 of the new trace is 150: opportunities at 160, 170, ...
    pipe.change(link_of([10], started_ms=150), now_s=0.150)
    offer(pipe, 155, 4)
    assert run_dry(pipe) == [(160, 2), (170, 3), (180, 4)]
    assert [event[1:] for event in told.events if event[0] == "-"] == [(100, 0), (160, 0), (170, 0), (180, 155)]


def test_at_a_change_to_a_shorter_queue_the_last_are_dropped() -> None:
    pipe = pipe_of(link_of([100]))
    offer(pipe, 0, 1, 2, 3, 4)
    pipe.change(link_of([10], packets=2, started_ms=5), now_s=0.005)
    assert run_dry(pipe) == [(15, 1), (25, 2)]
    assert pipe.packets_dropped == 2


def test_at_a_change_to_no_link_everything_comes_out_at_once() -> None:
    pipe = pipe_of(link_of([10], ahead_ms=50))
    offer(pipe, 0, 1)
    assert taken(pipe, 50) == []
    offer(pipe, 52, 2)
    pipe.change(None, now_s=0.055)
    assert taken(pipe, 55) == [1, 2]


def test_a_shorter_delay_lets_nothing_overtake() -> None:
    ahead = pipe_of(link_of([1], ahead_ms=100))
    offer(ahead, 0, 1)
    ahead.change(link_of([1], started_ms=10), now_s=0.010)
    offer(ahead, 11, 2)
    assert [number for _, number in run_dry(ahead)] == [1, 2]
    behind = pipe_of(link_of([1], behind_ms=100))
    offer(behind, 0, 1)
    assert taken(behind, 10) == []
    behind.change(link_of([1], started_ms=10), now_s=0.010)
    offer(behind, 11, 2)
    assert run_dry(behind) == [(101, 1), (101, 2)]


def test_a_datagram_that_is_too_large_for_the_link_is_refused() -> None:
    pipe = pipe_of(link_of([10]))
    offer(pipe, 0, 1, data=bytes(MAX_PAYLOAD_BYTES + 1))
    assert run_dry(pipe) == []
    assert pipe.packets_too_large == 1


def test_what_finds_no_room_is_the_queues_drop_and_the_log_says_so() -> None:
    told = Told()
    share = Share(Room(), most_bytes=2 * (len(FULL) + PACKET_BYTES))
    pipe = LinkPipe[int](loss_rng=random.Random(1), queue_rng=random.Random(1), log=told, share=share)
    pipe.change(link_of([10]), now_s=0)
    offer(pipe, 0, 1, 2, 3)
    assert told.events == [("+", 0, None), ("+", 0, None), ("+", 0, None), ("d", 0, None)]
    assert (pipe.packets_without_room, pipe.packets_dropped, pipe.packets_entered) == (1, 1, 3)
    assert run_dry(pipe) == [(10, 1), (20, 2)]
    offer(pipe, 20, 4)
    assert run_dry(pipe) == [(30, 4)]


def test_holds_the_longest_queue_that_may_be_asked_for() -> None:
    longest = int(LIMITS.queue_packets.max)
    pipe = pipe_of(link_of([1_000_000], packets=longest))
    offer(pipe, 0, *range(longest + 10))
    assert (pipe.packets_without_room, pipe.packets_dropped) == (0, 10)


def test_holds_only_so_much_even_where_the_queue_has_no_limit() -> None:
    pipe = pipe_of(link_of([1_000_000]))
    count = MOST_BYTES // 2 // (len(FULL) + PACKET_BYTES)
    offer(pipe, 0, *range(count + 10))
    assert pipe.packets_without_room == pipe.packets_dropped == 10
    pipe.change(None, now_s=0.001)
    assert len(pipe.take_due(now_s=0.001)) == count
    offer(pipe, 2, 1)
    assert taken(pipe, 2) == [1]


@given(
    arrivals=st.lists(st.tuples(st.integers(0, 80), st.integers(1, MAX_PAYLOAD_BYTES)), max_size=40).map(sorted),
    limit=st.none() | st.integers(1, 5),
    delay_ms=st.integers(0, 30),
)
@settings(derandomize=True)
def test_gives_what_the_simulated_link_gives(arrivals: list[tuple[int, int]], limit: int | None, delay_ms: int) -> None:
    opportunities_ms = constant_rate_opportunities_ms(3)
    link = Link(opportunities_ms, queue=QueueLimit(packets=limit), delay_s=delay_ms / 1000)
    expected: list[tuple[float, int]] = []
    pipe = pipe_of(link_of(opportunities_ms, packets=limit, behind_ms=delay_ms))
    for number, (time_ms, size) in enumerate(arrivals):
        passage = link.send(size, now_s=time_ms / 1000)
        if passage is not None:
            expected.append((round(passage.arrival_s * 1000, 6), number))
        offer(pipe, time_ms, number, data=bytes(size))
    assert run_dry(pipe) == expected


@pytest.mark.parametrize("discipline", ["droptail", "codel", "pie", "abc", "ce-threshold"])
@given(
    arrivals=st.lists(st.tuples(st.integers(0, 400), st.integers(1, MAX_PAYLOAD_BYTES)), max_size=200).map(sorted),
    turn_ms=st.integers(1, 50),
)
@settings(derandomize=True, max_examples=40)
def test_gives_what_the_simulated_queue_gives_however_late_it_is_served(
    discipline: str, arrivals: list[tuple[int, int]], turn_ms: int
) -> None:
    opportunities_ms = constant_rate_opportunities_ms(3)
    limit = QueueLimit(packets=60)
    queue: ServedQueue[int] = ServedQueue(
        opportunities_ms,
        make_discipline(discipline, limit, opportunities_ms=opportunities_ms, rng=random.Random(1)),
    )
    expected: list[tuple[int, Mark | None]] = []
    pipe = pipe_of(link_of(opportunities_ms, discipline=discipline, packets=60, ahead_ms=3))
    out: list[tuple[int, Mark | None]] = []
    for number, (time_ms, size) in enumerate(arrivals):
        left = queue.serve((time_ms + 3) / 1000)
        expected += [(departure.token, departure.mark) for departure in left if not departure.is_dropped]
        queue.enter(number, size, now_s=(time_ms + 3) / 1000)
        if number % turn_ms == 0:
            out += [(packet.peer, packet.mark) for packet in pipe.take_due(now_s=time_ms / 1000)]
        offer(pipe, time_ms, number, data=bytes(size))
    while len(queue) > 0:
        left = queue.serve(queue.due_s)
        expected += [(departure.token, departure.mark) for departure in left if not departure.is_dropped]
    while (due_s := pipe.due_s) < math.inf:
        out += [(packet.peer, packet.mark) for packet in pipe.take_due(now_s=due_s)]
    assert out == expected


@given(changes=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 20), st.booleans()), max_size=6))
@settings(derandomize=True)
def test_nothing_is_lost_doubled_or_overtaken_whatever_changes(changes: list[tuple[int, int, bool]]) -> None:
    pipe = pipe_of(link_of([7], ahead_ms=3, behind_ms=4))
    out: list[int] = []
    now_ms, number = 0, 0
    for wait_ms, delay_ms, is_link in changes:
        for _ in range(5):
            offer(pipe, now_ms, number)
            number += 1
        now_ms += wait_ms
        out += taken(pipe, now_ms)
        link = link_of([5], ahead_ms=delay_ms, behind_ms=delay_ms, started_ms=now_ms) if is_link else None
        pipe.change(link, now_s=now_ms / 1000)
    out += [peer for _, peer in run_dry(pipe)]
    assert out == list(range(number))
