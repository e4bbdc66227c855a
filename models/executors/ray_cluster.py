"""Workers of Ray: those of a cluster, or a Ray of this machine that ends with the command.

A cluster gets our sources with the work. Its nodes have our dependencies in the same versions. A node that is to make
emulated runs is started with `--resources '{"emulation": 1}'`: it makes one at a time.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import grpc
import ray
from ray.exceptions import RayError, RayTaskError

from cc.command_line.clone import ROOT
from models.executors.build import build_in_use
from models.executors.ray_task import carry_out
from models.executors.versions import require_versions, versions
from models.executors.workers import ClusterGoneError, OtherVersionsError, UnreachableError, Workers

Answer = TypeVar("Answer")

LOCAL = "local-ray"
EMULATION = "emulation"
ANSWER_LIMIT_S = 5.0
"""Until a cluster's port speaks."""
PROBE_LIMIT_S = 120.0
"""Until a first task is done: its worker is started, and gets the sources."""
RETRIES = 1
"""Of a task whose node was lost, or whose process died."""
OBJECT_STORE_BYTES = 256 * 2**20
SENT = ("cc", "transport", "models", "e2e")
NOT_SENT = ("__pycache__", "tests", "node_modules", "browser", "corpus")


class RayExecutor(Executor):
    """Hands out tasks."""

    def __init__(self, options: dict[str, Any], *, build: str | None = None) -> None:
        """`options` are Ray's. `build`: the folder that workers take cc from; None for the sources."""
        self._build = build
        self._carry_out = ray.remote(carry_out).options(max_retries=RETRIES, **options)
        self._under_way: dict[Future[Any], Any] = {}

    def submit(self, function: Callable[..., Answer], /, *arguments: object, **options: object) -> Future[Answer]:
        """Raises ClusterGoneError."""
        future: Future[Answer] = Future()
        future.set_running_or_notify_cancel()
        try:
            reference = self._carry_out.remote(pickle.dumps((function, arguments, options)), versions(), self._build)
            answer = reference.future()
        except (ConnectionError, RayError) as error:
            raise _gone(error) from error
        self._under_way[future] = reference
        answer.add_done_callback(partial(self._settle, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Where futures are cancelled, what is under way is ended."""
        under_way = dict(self._under_way)
        if cancel_futures:
            for reference in under_way.values():
                with _ignored_when_gone():
                    ray.cancel(reference, force=True)
        elif wait:
            for future in under_way:
                future.exception()

    def _settle(self, future: Future[Any], answer: Future[bytes]) -> None:
        self._under_way.pop(future, None)
        error = answer.exception()
        if error is None:
            future.set_result(pickle.loads(answer.result()))
        elif isinstance(error, RayTaskError):
            future.set_exception(error.cause)
        elif isinstance(error, ConnectionError):
            future.set_exception(_gone(error))
        else:
            future.set_exception(BrokenExecutor(str(error)))


@contextmanager
def open_cluster(address: str, jobs: int) -> Iterator[Workers]:
    """Raises UnreachableError."""
    handler = signal.getsignal(signal.SIGTERM)
    try:
        _connect(address, jobs)
        signal.signal(signal.SIGTERM, handler)  # Ray has put its own there
        resources = ray.cluster_resources()
        nodes = sum(name.startswith("node:") and name != "node:__internal_head__" for name in resources)
        build = build_in_use() if address == LOCAL else None
        slots, emulators = max(1, int(resources.get("CPU", 0))), int(resources.get(EMULATION, 0))
        yield Workers(
            jobs=slots,
            where=f"Ray at {address}, {slots} CPUs on {nodes} node{'' if nodes == 1 else 's'}",
            make_executor=lambda _jobs: RayExecutor({"num_cpus": 1}, build=build),
            emulators=emulators,
            make_emulator=lambda _jobs: RayExecutor({"num_cpus": 1, "resources": {EMULATION: 1}}),
            shares_files=address == LOCAL,
        )
    finally:
        ray.shutdown()


def _connect(address: str, jobs: int) -> None:
    common = {"logging_level": "ERROR", "log_to_driver": False}
    if address == LOCAL:
        ray.init(
            "local",
            num_cpus=jobs,
            resources={EMULATION: 1},
            object_store_memory=OBJECT_STORE_BYTES,
            include_dashboard=False,
            _system_config={"worker_niceness": 0},  # its workers would have a lower priority than processes
            runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}},
            **common,
        )
        return
    _require_answer(address)
    try:
        with tempfile.TemporaryDirectory(prefix="nuwa-sources-") as folder:
            for name in SENT:
                shutil.copytree(ROOT / name, Path(folder) / name, ignore=shutil.ignore_patterns(*NOT_SENT))
            ray.init(address, runtime_env={"working_dir": folder}, **common)
        probe = ray.remote(carry_out).options(num_cpus=1)
        task = pickle.dumps((require_versions, (versions(),), {}))
        ray.get(probe.remote(task, versions()), timeout=PROBE_LIMIT_S)
    except OtherVersionsError as error:
        raise UnreachableError(str(error)) from error
    except (ConnectionError, RuntimeError, RayError) as error:
        raise UnreachableError(f"Ray at {address} refuses: {str(error).splitlines()[0]}") from error


def _require_answer(address: str) -> None:
    """Ray itself would wait for half a minute."""
    target = urlsplit(address).netloc
    with grpc.insecure_channel(target) as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=ANSWER_LIMIT_S)
        except grpc.FutureTimeoutError as error:
            raise UnreachableError(f"no Ray answers at {address} within {ANSWER_LIMIT_S:g} s") from error


@contextmanager
def _ignored_when_gone() -> Iterator[None]:
    """A task that cannot be ended because its cluster is lost has ended."""
    try:
        yield
    except (ConnectionError, RayError):
        return


def _gone(error: Exception) -> ClusterGoneError:
    return ClusterGoneError(f"the cluster is lost: {str(error).splitlines()[0]}")
