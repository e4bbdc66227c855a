from __future__ import annotations

import os
import sys
from concurrent.futures import Executor
from pathlib import Path

import pytest

from models.executors import registry
from models.executors.registry import KINDS, ClusterKind, cluster_kind, open_workers
from models.executors.versions import require_versions, versions
from models.executors.workers import ClusterError, OtherVersionsError


@pytest.mark.parametrize("address", ["local-ray", "ray://head:10001", "ray://10.0.0.1:1", "ray://[::1]:10001"])
def test_an_address_is_of_a_kind(address: str) -> None:
    assert cluster_kind(address) in KINDS


@pytest.mark.parametrize("address", ["", "ray", "ray://head", "ray://head:x", "http://head:1", "ray://a b:1", "slurm"])
def test_what_is_no_address_is_told_what_is(address: str) -> None:
    with pytest.raises(ClusterError, match=r"--cluster .*: give local-ray or ray://HOST:PORT$"):
        cluster_kind(address)


def test_without_a_cluster_processes_of_this_machine_work() -> None:
    said: list[str] = []
    with open_workers(None, 3, said.append) as workers:
        assert (workers.jobs, workers.where, workers.emulators) == (3, "3 processes of this machine", 0)
        executor: Executor = workers.make_executor(1)
        with executor:
            assert executor.submit(os.getpid).result() != os.getpid()
    assert said == []


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)
    monkeypatch.delitem(sys.modules, "models.executors.ray_cluster", raising=False)
    needs = r"--cluster local-ray needs the package grpc; in the clone: pip install '\.\[cluster\]'"
    with pytest.raises(ClusterError, match=needs), open_workers("local-ray", 1, print):
        pass


DEAF = """
from collections.abc import Iterator
from contextlib import contextmanager

from models.executors.workers import UnreachableError, Workers


@contextmanager
def open_cluster(address: str, jobs: int) -> Iterator[Workers]:
    raise UnreachableError(f"no cluster answers at {address}")
    yield
"""


def test_where_a_cluster_does_not_answer_this_machine_works_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deaf_cluster.py").write_text(DEAF, encoding="utf-8")
    monkeypatch.setattr("models.executors.__path__", [*sys.modules["models.executors"].__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "KINDS", (ClusterKind("deaf", "deaf", "deaf_cluster"),))
    said: list[str] = []
    with open_workers("deaf", 2, said.append) as workers:
        assert workers.where == "2 processes of this machine, because no cluster answers at deaf"
    assert said == ["no cluster answers at deaf; it is done by 2 processes of this machine"]


def test_a_worker_with_other_packages_refuses() -> None:
    require_versions(versions())
    with pytest.raises(OtherVersionsError, match=r"numpy [\d.]+ instead of 1.0, torch .* instead of 9: inst"):
        require_versions({**versions(), "numpy": "1.0", "torch": "9"})
