"""A loop that is kept from waking says how late it is, in virtual time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Iterator

import pytest

from transport.loop_lateness import IDLE_INTERVAL_S, INTERVAL_S, LoopLateness


class LateLoop(asyncio.SelectorEventLoop):
    """Every waking comes later than it was due by what `late_s` says then."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.late_s = 0.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self.now_s

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.call_later(seconds, self.stop)
        self.run_forever()


class _Selector(selectors.SelectSelector):
    def __init__(self, loop: LateLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout:
            self._loop.now_s += timeout + self._loop.late_s
        return []


@pytest.fixture
def loop() -> Iterator[LateLoop]:
    loop = LateLoop()
    yield loop
    loop.close()


def watching(loop: LateLoop, *, busy: bool = True, told_s: list[float] | None = None) -> LoopLateness:
    async def make() -> LoopLateness:
        told = [] if told_s is None else told_s
        return LoopLateness(is_busy=lambda: busy, on_wake=told.append)

    return loop.run_until_complete(make())


def test_a_loop_that_wakes_in_time_is_not_late(loop: LateLoop) -> None:
    watch = watching(loop)
    loop.advance(2.0)
    assert watch.lateness.p99_s == pytest.approx(0.0, abs=1e-6)
    watch.stop()


def test_a_loop_that_is_kept_from_waking_is_late_by_that(loop: LateLoop) -> None:
    watch = watching(loop)
    loop.late_s = 0.08
    loop.advance(2.0)
    assert watch.lateness.latest_s == pytest.approx(0.08)
    assert watch.lateness.p99_s == pytest.approx(0.08)
    loop.late_s = 0.0
    loop.advance(2.0)
    assert watch.lateness.p99_s == pytest.approx(0.0, abs=1e-6)
    summary = watch.lateness.summary()
    assert summary is not None
    assert summary.max_s == pytest.approx(0.08)
    watch.stop()


def test_a_turn_that_is_late_knows_it_before_its_timers_fire(loop: LateLoop) -> None:
    watch = watching(loop)
    loop.now_s += INTERVAL_S + 0.3
    assert watch.late_s() == pytest.approx(0.3)
    watch.stop()


def test_where_nobody_suffers_it_wakes_seldom(loop: LateLoop) -> None:
    busy: list[float] = []
    idle: list[float] = []
    watches = [watching(loop, told_s=busy), watching(loop, busy=False, told_s=idle)]
    loop.advance(1.0)
    assert len(busy) == pytest.approx(1.0 / INTERVAL_S, abs=1)
    assert len(idle) == pytest.approx(1.0 / IDLE_INTERVAL_S, abs=1)
    for watch in watches:
        watch.stop()


def test_a_watch_that_was_stopped_wakes_no_more(loop: LateLoop) -> None:
    told_s: list[float] = []
    watching(loop, told_s=told_s).stop()
    loop.advance(1.0)
    assert told_s == []
