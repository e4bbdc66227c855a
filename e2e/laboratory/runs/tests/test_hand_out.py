"""Tasks handed to pools that break: each is kept once, or lost."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor, Executor, Future

from e2e.laboratory.runs.hand_out import Desk, hand_out


class Pool(Executor):
    """Whose process has died when the task of that number (from 1 on) is submitted; those before it stay under way."""

    def __init__(self, *, breaks_at: int) -> None:
        self._left = breaks_at

    def take(self, task: int) -> Future[int]:
        self._left -= 1
        if self._left == 0:
            raise BrokenExecutor("a process died while an answer was kept")
        future: Future[int] = Future()
        if self._left == 1:
            future.set_exception(BrokenExecutor("a process died"))
        else:
            future.set_result(task)
        return future


def submit(executor: Executor, task: int) -> Future[int]:
    assert isinstance(executor, Pool)
    return executor.take(task)


class Told:
    """What a desk is told of tasks."""

    def __init__(self, pools: list[Pool]) -> None:
        self.kept: list[int] = []
        self.lost: list[int] = []
        self.running: list[int] = []
        self._pools = pools

    def hand_out(self, tasks: range) -> None:
        def end(task: int, ended: list[int]) -> None:
            self.running.remove(task)
            ended.append(task)

        desk: Desk[int, int] = Desk(
            make_executor=lambda _jobs: self._pools.pop(0) if self._pools else Pool(breaks_at=1000),
            jobs=2,
            submit=submit,
            begin=self.running.append,
            drop=self.running.remove,
            keep=lambda task, _answer: end(task, self.kept),
            lose=lambda task: end(task, self.lost),
        )
        hand_out(tasks, desk)


def test_what_was_being_submitted_when_the_pool_broke_is_made_again() -> None:
    told = Told([Pool(breaks_at=3)])
    told.hand_out(range(1, 6))
    assert sorted(told.kept) == [1, 2, 3, 4, 5]
    assert (told.lost, told.running) == ([], [])


def test_what_breaks_a_pool_of_its_own_is_lost_and_the_others_are_not() -> None:
    told = Told([Pool(breaks_at=1), Pool(breaks_at=1)])
    told.hand_out(range(1, 4))
    assert (told.lost, sorted(told.kept), told.running) == ([1], [2, 3], [])
