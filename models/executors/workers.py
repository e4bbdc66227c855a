"""What carries out work, side by side."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from models.executors.processes import make_processes


class ClusterError(Exception):
    """A cluster that cannot be had, or is lost; the message is one sentence."""


class UnreachableError(ClusterError):
    """It does not answer, or cannot do this work: whoever asked may go on without it."""


class ClusterGoneError(ClusterError):
    """It was lost while it worked."""


class OtherVersionsError(ClusterError):
    """A worker whose packages are others, and whose answers may be."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Processes of this machine, or of a cluster."""

    jobs: int
    """Side by side."""
    where: str
    """What they are, for reports."""
    make_executor: Callable[[int], Executor] = make_processes
    """Of so many jobs side by side."""
    emulators: int = 0
    """Nodes of a cluster that take one emulated run each; 0 leaves those runs to this process."""
    make_emulator: Callable[[int], Executor] | None = None
    shares_files: bool = True
    """Whether what they write lies on this machine."""


def local_workers(jobs: int) -> Workers:
    """Processes of this machine."""
    return Workers(jobs, f"{jobs} {'process' if jobs == 1 else 'processes'} of this machine")
