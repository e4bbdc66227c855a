"""Processes that work side by side, and end with this one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


def make_processes(jobs: int) -> Executor:
    """Of which each is started anew rather than forked: this process may have threads."""
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_begin)


@contextmanager
def executor_of(make_executor: Callable[[int], Executor], jobs: int) -> Iterator[Executor]:
    """One for so many jobs, which ends with the block: at once, whatever it is at, where that raises."""
    executor = make_executor(jobs)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.kill()
        raise
    executor.shutdown()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
