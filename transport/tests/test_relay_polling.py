"""When mahimahi's processes act, by hand; and that a pipe of theirs loses and turns nothing around."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.link import MAX_PAYLOAD_BYTES
from transport.relay.pipe import LinkPipe, Packet, PipeLink
from transport.relay.polling import MEAN_WAKING_S, Hop, PolledWay, PollLoop, polled_down, polled_up
from transport.relay.queues import QueueKind

ZERO_S = 5.0
WAKING_MS = MEAN_WAKING_S * 1000
DELAY_MS = 20


class Half(random.Random):
    """Always the mean."""

    def random(self) -> float:
        return 0.5


def at_s(time_ms: float) -> float:
    return ZERO_S + time_ms / 1000


def loop(*alarms_ms: int) -> PollLoop:
    return PollLoop(zero_s=ZERO_S, rng=Half(), alarms_ms=alarms_ms)


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


def test_each_opportunity_wakes_it_and_makes_it_later() -> None:
    process = loop(2, 4, 4, 5, 10)
    process.look(at_s(3.5))
    assert acts_ms(process, 10) == pytest.approx(10.5 + 3 * WAKING_MS)  # by those at 4 and 5 ms, and its own
    process.look(at_s(13.2))
    assert acts_ms(process, 24) == pytest.approx(24.2 + 5 * WAKING_MS)  # by those at 14, 15, 20 and 22 ms


def test_a_lateness_of_a_millisecond_begins_anew() -> None:
    process = loop(*range(1, 11))
    process.look(at_s(0.95))
    assert acts_ms(process, 2) == pytest.approx(2 + (0.95 + WAKING_MS) % 1 + WAKING_MS)


def test_the_last_process_leaves_its_waking_to_the_relay() -> None:
    hop = Hop(loop(), None)
    hop.loop.look(at_s(3.4))
    assert acts_ms(hop, 23) == pytest.approx(23.4)
    hop.hand_on(at_s(23.4))
    assert acts_ms(hop, 30) == pytest.approx(30.4 + WAKING_MS)


def pipe_of(way: PolledWay, opportunities_ms: list[int]) -> LinkPipe[int]:
    pipe = LinkPipe[int](rng=random.Random(1))
    link = PipeLink(
        opportunities_ms,
        queue=QueueKind(),
        delay_ahead_s=0 if way.ahead is None else DELAY_MS / 1000,
        delay_behind_s=0 if way.behind is None else DELAY_MS / 1000,
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
        pipe.offer(Packet(bytes(MAX_PAYLOAD_BYTES), number), now_s=at_s(time_ms))
    run(pipe, out, until_s=at_s(1e6))
    return out


def run(pipe: LinkPipe[int], out: list[tuple[float, int]], *, until_s: float) -> None:
    while (due_s := pipe.due_s) is not None and due_s <= until_s:
        out += [((due_s - ZERO_S) * 1000, packet.peer) for packet in pipe.take_due(now_s=due_s)]


def test_down_through_mm_delay_then_mm_link() -> None:
    """Handed on at 23.4 and the waking, so that the next opportunity is at 30: as late in that."""
    pipe = pipe_of(polled_down([10], zero_s=ZERO_S, rng=Half()), [10])
    (only,) = send(pipe, [3.4])
    assert only == pytest.approx((30.4 + WAKING_MS, 0))


def test_up_through_mm_link_then_mm_delay() -> None:
    """Handed on at 10.4 and the waking, for mm-delay at 10: due at 30, as late in that."""
    pipe = pipe_of(polled_up([10], zero_s=ZERO_S, rng=Half()), [10])
    (only,) = send(pipe, [3.4])
    assert only == pytest.approx((30.4 + WAKING_MS, 0))


def test_a_packet_that_comes_in_lets_out_what_mm_delay_still_holds() -> None:
    """Due at 23, mm-delay would act at 23.9; but it looks at 23.2, and mm-link's millisecond begins then."""
    pipe = pipe_of(polled_down([1], zero_s=ZERO_S, rng=Half()), [1])
    (alone,) = send(pipe_of(polled_down([1], zero_s=ZERO_S, rng=Half()), [1]), [3.9])
    assert alone == pytest.approx((25 + (0.9 + WAKING_MS) % 1, 0))
    assert send(pipe, [3.9, 23.2])[0] == pytest.approx((24.2, 0))


@settings(derandomize=True, print_blob=True, max_examples=200)
@given(
    times_ms=st.lists(st.floats(0, 60), min_size=1, max_size=40).map(sorted),
    gaps_ms=st.lists(st.integers(0, 7), min_size=1, max_size=12).filter(any),
    is_down=st.booleans(),
)
def test_all_comes_out_in_order_and_not_before_its_delay(
    times_ms: list[float], gaps_ms: list[int], is_down: bool
) -> None:
    opportunities_ms = [sum(gaps_ms[: index + 1]) for index in range(len(gaps_ms))]
    way = (polled_down if is_down else polled_up)(opportunities_ms, zero_s=ZERO_S, rng=random.Random(len(times_ms)))
    out = send(pipe_of(way, opportunities_ms), times_ms)
    assert [number for _, number in out] == list(range(len(times_ms)))
    assert all(earlier <= later for (earlier, _), (later, _) in pairwise(out))
    assert all(time_ms > int(times_ms[number]) + DELAY_MS - 1e-6 for time_ms, number in out)
