from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from e2e.laboratory.record import RunFailure
from e2e.laboratory.store.run_store import RunStore
from e2e.laboratory.tests.samples import sample_plan, sample_record, sample_result

PLAN = sample_plan()


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    good = sample_record(PLAN, sample_result(PLAN, [6e6], 20.0))
    bad = sample_record(PLAN, RunFailure("window of -1 bytes", "cubic", {"cwnd_bytes": -1, "phase": None}))
    store = RunStore(tmp_path / "matrix")
    store.write("good", good)
    store.write("bad", bad)
    again = RunStore(tmp_path / "matrix")
    assert (again.read("good"), again.read("bad"), again.read("neither")) == (good, bad, None)


def test_what_is_forgotten_was_never_run(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.write("run", sample_record(PLAN, RunFailure("no")))
    store.forget("run")
    store.forget("run")
    assert store.read("run") is None


@pytest.mark.parametrize("left", [b"", b'{"plan":', b"\0\0\0", b"{}", b'{"finished_at":"\xff"}'])
def test_a_damaged_file_is_no_run_and_gives_way_to_one(left: bytes, tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    (tmp_path / "runs" / "run.json").write_bytes(left)
    assert store.read("run") is None
    record = sample_record(PLAN, RunFailure("no"))
    store.write("run", record)
    assert store.read("run") == record


def test_two_processes_may_write_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, record = RunStore(tmp_path), sample_record(PLAN, RunFailure("no"))
    replace = Path.replace

    def after_the_other(part: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "replace", replace)
        monkeypatch.setattr(os, "getpid", lambda: 1)
        store.write("run", record)
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", after_the_other)
    store.write("run", record)
    assert store.read("run") == record
    assert [file.name for file in (tmp_path / "runs").iterdir()] == ["run.json"]


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RunStore(tmp_path)

    def fill_the_disk(part: Path, content: bytes) -> None:
        part.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", fill_the_disk)
    with pytest.raises(OSError, match="No space left"):
        store.write("run", sample_record(PLAN, RunFailure("no")))
    assert list((tmp_path / "runs").iterdir()) == []


def test_a_file_cut_off_in_writing_is_no_run(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    (tmp_path / "runs" / "run.part").write_text('{"plan":')
    assert store.read("run") is None
