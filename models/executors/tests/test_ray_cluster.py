"""With a Ray of this machine; skipped where Ray is not installed."""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="the extra cluster is not installed")

from cc.command_line.clone import ROOT
from models.executors.ray_cluster import LOCAL, RayExecutor
from models.executors.ray_task import carry_out
from models.executors.registry import open_workers
from models.executors.versions import versions
from models.executors.workers import OtherVersionsError, Workers


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    def refuse(line: str) -> None:
        raise AssertionError(line)

    with open_workers(LOCAL, 2, refuse) as opened:
        yield opened


def double(number: int) -> int:
    return 2 * number


def raise_value_error() -> None:
    raise ValueError("this is why")


def end_process() -> None:
    os._exit(3)


def wait_for_ever() -> None:
    one, _other = socket.socketpair()
    one.recv(1)


def test_what_it_is(workers: Workers) -> None:
    assert (workers.jobs, workers.emulators) == (2, 1)
    assert workers.where == "Ray at local-ray, 2 CPUs on 1 node"


def test_answers_errors_and_deaths_come_back(workers: Workers) -> None:
    with workers.make_executor(2) as executor:
        answers = [executor.submit(double, number) for number in range(20)]
        error, death, pid = executor.submit(raise_value_error), executor.submit(end_process), executor.submit(os.getpid)
        assert [answer.result() for answer in answers] == [2 * number for number in range(20)]
        assert pid.result() != os.getpid()
        with pytest.raises(ValueError, match="this is why"):
            error.result()
        with pytest.raises(BrokenExecutor):
            death.result()


def test_emulated_runs_have_an_executor(workers: Workers) -> None:
    assert workers.make_emulator is not None
    with workers.make_emulator(1) as executor:
        assert executor.submit(double, 4).result() == 8


def test_workers_take_cc_from_the_build(workers: Workers, tmp_path: Path) -> None:
    package = tmp_path / "cc"
    package.mkdir()
    package.joinpath("__init__.py").write_text(
        f"COMPILED = 'by hand'\n__path__.append({os.fspath(ROOT / 'cc')!r})\n", encoding="utf-8"
    )
    package.joinpath("of_the_build.py").write_text("", encoding="utf-8")
    with RayExecutor({"num_cpus": 1}, build=os.fspath(tmp_path)) as executor:
        found = executor.submit(eval, "__import__('cc.of_the_build').COMPILED").result()
        sources = executor.submit(eval, "__import__('cc.registry').registry.__file__").result()
    assert (found, sources) == ("by hand", os.fspath(ROOT / "cc" / "registry.py"))


def test_what_is_under_way_is_ended_with_its_executor(workers: Workers) -> None:
    executor = workers.make_executor(1)
    assert isinstance(executor, RayExecutor)
    waits = executor.submit(wait_for_ever)
    executor.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(BrokenExecutor):
        waits.result(timeout=30)


def test_a_worker_with_other_versions_refuses_each_task() -> None:
    with pytest.raises(OtherVersionsError, match="numpy"):
        carry_out(pickle.dumps((double, (1,), {})), {**versions(), "numpy": "0.1"})


@pytest.mark.parametrize("is_there", [False, True], ids=["nothing", "no Ray"])
def test_an_address_that_does_not_answer_is_done_without(is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.executors.ray_cluster.ANSWER_LIMIT_S", 0.5)
    said: list[str] = []
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if is_there:
            listener.listen()
        address = f"ray://127.0.0.1:{listener.getsockname()[1]}"
        with open_workers(address, 2, said.append) as workers:
            assert workers.where.startswith("2 processes of this machine, because no Ray answers at")
    assert said == [f"no Ray answers at {address} within 0.5 s; it is done by 2 processes of this machine"]
