"""When mahimahi's processes act, by hand; and that a pipe of theirs loses and turns nothing around."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.link import MAX_PAYLOAD_BYTES
from cc.links.queueing.registry import DROPTAIL
from transport.relay.pipe import LinkPipe, Packet, PipeLink
from transport.relay.polling import MEAN_WAKING_S, WAKING_S, Hop, PolledWay, PollLoop, polled_down, polled_up
from transport.relay.queues import QueueKind

ZERO_S = 5.0
WAKING_MS = MEAN_WAKING_S * 1000
DELAY_MS = 20


class Half(random.Random):
    """Always the mean."""

    def random(self) -> float:
        return 0.5


class InTurn(random.Random):
    """These numbers, one after the other."""

    def __init__(self, *numbers: float) -> None:
        super().__init__()
        self._numbers = iter(numbers)

    def random(self) -> float:
        return next(self._numbers)


def at_s(time_ms: float) -> float:
    return ZERO_S + time_ms / 1000


def loop(rng: random.Random | None = None) -> PollLoop:
    return PollLoop(zero_s=ZERO_S, rng=rng or Half())


def acts_ms(process: PollLoop | Hop, due_ms: int) -> float:
    return (process.acts_s(at_s(due_ms)) - ZERO_S) * 1000


def test_a_process_acts_as_late_in_the_millisecond_as_it_looked_and_as_the_system_wakes_it() -> None:
    process = loop()
    process.look(at_s(3.4))
    assert acts_ms(process, 23) == pytest.approx(23.4 + WAKING_MS)


def test_the_last_look_counts_and_an_earlier_one_that_is_told_later_does_not() -> None:
    process = loop()
    process.look(at_s(21.7))
    process.look(at_s(3.4))
    assert acts_ms(process, 23) == pytest.approx(23.7 + WAKING_MS)


def test_what_falls_due_while_it_sleeps_is_handed_on_when_it_looks() -> None:
    process = loop()
    process.look(at_s(22.9))
    assert acts_ms(process, 23) == pytest.approx(23.9 + WAKING_MS)
    process.look(at_s(23.3))
    assert acts_ms(process, 23) == pytest.approx(23.3)


def test_each_look_draws_how_late_the_system_wakes_it_next() -> None:
    low_ms, high_ms = (1000 * waking_s for waking_s in WAKING_S)
    process = loop(InTurn(0.0, 1.0))
    process.look(at_s(3.4))
    process.look(at_s(3.4))
    assert acts_ms(process, 23) == pytest.approx(23.4 + low_ms)
    process.look(at_s(4.4))
    assert acts_ms(process, 23) == pytest.approx(23.4 + high_ms)


def test_the_last_process_leaves_its_waking_to_the_relay() -> None:
    hop = Hop(loop(), None)
    hop.loop.look(at_s(3.4))
    assert acts_ms(hop, 23) == pytest.approx(23.4)
    hop.hand_on(at_s(23.4))
    assert acts_ms(hop, 30) == pytest.approx(30.4 + WAKING_MS)


def pipe_of(
    way: PolledWay, opportunities_ms: list[int], *, delay_ms: int = DELAY_MS, discipline: str = DROPTAIL
) -> LinkPipe[int]:
    pipe = LinkPipe[int](loss_rng=random.Random(1), queue_rng=random.Random(1))
    link = PipeLink(
        opportunities_ms,
        queue=QueueKind(discipline),
        delay_ahead_s=0 if way.ahead is None else delay_ms / 1000,
        delay_behind_s=0 if way.behind is None else delay_ms / 1000,
        loss_ratio=0.0,
        started_s=ZERO_S,
        polled=way,
    )
    pipe.change(link, now_s=ZERO_S)
    return pipe


def send(pipe: LinkPipe[int], times_ms: list[float]) -> list[tuple[float, int]]:
    """(ms, number) of all that comes out."""
    out: list[tuple[float, int]] = []
    for number, time_ms in enumerate(times_ms):
        run(pipe, out, until_s=at_s(time_ms))
        pipe.offer(Packet(bytes(MAX_PAYLOAD_BYTES), number), at_s=at_s(time_ms))
    run(pipe, out, until_s=at_s(1e6))
    return out


def run(pipe: LinkPipe[int], out: list[tuple[float, int]], *, until_s: float) -> None:
    while (due_s := pipe.due_s) <= until_s:
        out += [((due_s - ZERO_S) * 1000, packet.peer) for packet in pipe.take_due(now_s=due_s)]


def test_down_through_mm_delay_then_mm_link() -> None:
    """Handed on at 23.4 and the waking, so that the next opportunity is at 30: as late in that."""
    pipe = pipe_of(polled_down(zero_s=ZERO_S, rng=Half()), [10])
    (only,) = send(pipe, [3.4])
    assert only == pytest.approx((30.4 + WAKING_MS, 0))


def test_up_through_mm_link_then_mm_delay() -> None:
    """Handed on at 10.4 and the waking, for mm-delay at 10: due at 30, as late in that."""
    pipe = pipe_of(polled_up(zero_s=ZERO_S, rng=Half()), [10])
    (only,) = send(pipe, [3.4])
    assert only == pytest.approx((30.4 + WAKING_MS, 0))


def test_a_delay_of_nothing_still_goes_through_mm_delay() -> None:
    """Which hands it on at once, at 3.4."""
    (only,) = send(pipe_of(polled_down(zero_s=ZERO_S, rng=Half()), [10], delay_ms=0), [3.4])
    assert only == pytest.approx((10.4, 0))


def test_what_came_out_while_others_went_in_is_due_at_once() -> None:
    pipe = pipe_of(polled_down(zero_s=ZERO_S, rng=Half()), [10])
    for number, time_ms in enumerate((3.4, 80.0)):
        pipe.offer(Packet(bytes(MAX_PAYLOAD_BYTES), number), at_s=at_s(time_ms))
    due_s = pipe.due_s
    assert due_s <= at_s(80)
    assert [packet.peer for packet in pipe.take_due(now_s=due_s)] == [0]


@pytest.mark.parametrize("discipline", ["codel", "pie"])
def test_disciplines_are_served_however_long_the_machine_has_been_up(discipline: str) -> None:
    """After 2^24 s the steps of a float are larger than a billionth of a second."""
    zero_s = 2.0**24
    pipe = LinkPipe[int](loss_rng=random.Random(1), queue_rng=random.Random(1))
    way = polled_down(zero_s=zero_s, rng=Half())
    link = PipeLink(
        [5], QueueKind(discipline), delay_ahead_s=0.0, delay_behind_s=0.0, loss_ratio=0.0, started_s=zero_s, polled=way
    )
    pipe.change(link, now_s=zero_s)
    pipe.offer(Packet(bytes(MAX_PAYLOAD_BYTES), 1), at_s=zero_s + 0.0034)
    assert [packet.peer for packet in pipe.take_due(now_s=zero_s + 0.0055)] == [1]


def test_a_change_of_link_keeps_what_a_process_had_not_let_go() -> None:
    pipe = pipe_of(polled_up(zero_s=ZERO_S, rng=Half()), [10])
    pipe.offer(Packet(bytes(MAX_PAYLOAD_BYTES), 1), at_s=at_s(3.4))
    pipe.take_due(now_s=at_s(10.1))  # has left the queue at 10, and is handed on at 10.4
    pipe.change(None, now_s=at_s(10.2))
    assert [packet.peer for packet in pipe.take_due(now_s=at_s(10.2))] == [1]


def test_a_packet_that_comes_in_lets_out_what_mm_delay_still_holds() -> None:
    """Due at 23, mm-delay would act after 23.9; but it looks at 23.2, and mm-link's millisecond begins then."""
    pipe = pipe_of(polled_down(zero_s=ZERO_S, rng=Half()), [1])
    (alone,) = send(pipe_of(polled_down(zero_s=ZERO_S, rng=Half()), [1]), [3.9])
    assert alone == pytest.approx((24.9 + WAKING_MS, 0))
    assert send(pipe, [3.9, 23.2])[0] == pytest.approx((24.2, 0))


@settings(derandomize=True, max_examples=200)
@given(
    times_ms=st.lists(st.floats(0, 60), min_size=1, max_size=40).map(sorted),
    gaps_ms=st.lists(st.integers(0, 7), min_size=1, max_size=12).filter(any),
    is_down=st.booleans(),
)
def test_all_comes_out_in_order_and_not_before_its_delay(
    times_ms: list[float], gaps_ms: list[int], is_down: bool
) -> None:
    opportunities_ms = [sum(gaps_ms[: index + 1]) for index in range(len(gaps_ms))]
    way = (polled_down if is_down else polled_up)(zero_s=ZERO_S, rng=random.Random(len(times_ms)))
    out = send(pipe_of(way, opportunities_ms), times_ms)
    assert [number for _, number in out] == list(range(len(times_ms)))
    assert all(earlier <= later for (earlier, _), (later, _) in pairwise(out))
    assert all(time_ms > int(times_ms[number]) + DELAY_MS - 1e-6 for time_ms, number in out)


@settings(derandomize=True, max_examples=100)
@given(changes=st.lists(st.tuples(st.floats(0, 40), st.sampled_from(["up", "down", "exact", "none"])), max_size=8))
def test_nothing_is_lost_doubled_or_overtaken_whatever_changes(changes: list[tuple[float, str]]) -> None:
    pipe = pipe_of(polled_down(zero_s=ZERO_S, rng=Half()), [7])
    out: list[int] = []
    now_ms, number = 0.0, 0
    for wait_ms, kind in changes:
        for _ in range(5):
            pipe.offer(Packet(bytes(MAX_PAYLOAD_BYTES), number), at_s=at_s(now_ms))
            number += 1
        now_ms += wait_ms
        out += [packet.peer for packet in pipe.take_due(now_s=at_s(now_ms))]
        ways = {"up": polled_up, "down": polled_down}
        way = ways[kind](zero_s=at_s(now_ms), rng=Half()) if kind in ways else None
        link = PipeLink([5], QueueKind(), DELAY_MS / 1000, DELAY_MS / 1000, 0.0, at_s(now_ms), way)
        pipe.change(None if kind == "none" else link, now_s=at_s(now_ms))
    while (due_s := pipe.due_s) < math.inf:
        out += [packet.peer for packet in pipe.take_due(now_s=due_s)]
    assert out == list(range(number))
