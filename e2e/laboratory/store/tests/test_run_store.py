from __future__ import annotations

from pathlib import Path

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


def test_a_file_cut_off_in_writing_is_no_run(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    (tmp_path / "runs" / "run.part").write_text('{"plan":')
    assert store.read("run") is None
