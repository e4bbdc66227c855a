"""Hands tasks to other processes, side by side, and outlives those that die of one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from models.executors.processes import executor_of

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True, slots=True)
class Desk(Generic[TaskT, AnswerT]):
    """What tasks are handed to, so many at a time, and who is told of them."""

    make_executor: Callable[[int], Executor]
    jobs: int
    submit: Callable[[Executor, TaskT], Future[AnswerT]]
    begin: Callable[[TaskT], None]
    drop: Callable[[TaskT], None]
    """Its process died, or that of another: it will be begun again."""
    keep: Callable[[TaskT, AnswerT], None]
    lose: Callable[[TaskT], None]
    """Its process died although it was alone."""


def hand_out(tasks: Iterable[TaskT], desk: Desk[TaskT, AnswerT]) -> None:
    """Those under way when a process dies are made again one by one, to find which of them kills it."""
    waiting = deque(tasks)
    while waiting:
        for suspect in _hand_out_until_broken(waiting, desk):
            if _hand_out_until_broken(deque([suspect]), replace(desk, jobs=1)):
                desk.begin(suspect)
                desk.lose(suspect)


def _hand_out_until_broken(waiting: deque[TaskT], desk: Desk[TaskT, AnswerT]) -> list[TaskT]:
    """The tasks that were under way when a process died; none where all went well."""
    under_way: dict[Future[AnswerT], TaskT] = {}
    try:
        with executor_of(desk.make_executor, min(desk.jobs, len(waiting))) as executor:
            while waiting or under_way:
                while waiting and len(under_way) < desk.jobs:
                    task = waiting.popleft()
                    desk.begin(task)
                    under_way[_submitted(desk, executor, task)] = task
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in done:
                    answer = future.result()
                    desk.keep(under_way.pop(future), answer)
    except BrokenExecutor:
        for task in under_way.values():
            desk.drop(task)
        return list(under_way.values())
    return []


def _submitted(desk: Desk[TaskT, AnswerT], executor: Executor, task: TaskT) -> Future[AnswerT]:
    """Failed already where a process has died meanwhile, so that the task is under way as the others are."""
    try:
        return desk.submit(executor, task)
    except BrokenExecutor as error:
        broken: Future[AnswerT] = Future()
        broken.set_exception(error)
        return broken
