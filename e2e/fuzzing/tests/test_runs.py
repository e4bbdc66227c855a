"""Runs as children, what is kept of them, and the command that a person types."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from e2e.fuzzing import runs
from e2e.fuzzing.command import main
from e2e.fuzzing.findings import read, save
from e2e.fuzzing.registry import ENTRIES, UnknownTargetError, entry
from e2e.fuzzing.runs import Request, Run, carry_out, keep, kept, longest, still_fails
from e2e.fuzzing.table import MOST_GROWTH_BYTES, figures, growing, target_table

RUN = Run("feedback", "mutation", 1, 1000, 100, 0.001, 0, (), "c")


def test_a_child_tells_what_it_fed(tmp_path: Path) -> None:
    run = carry_out(Request("network-reports", "mutation", 3, 2000, None), tmp_path, commit="c")
    assert (run.target, run.inputs, run.findings) == ("network-reports", 2000, ())
    assert run.understood > 0


@pytest.mark.parametrize(("name", "told"), [("network-reports", "exit status -9"), ("traces", "stood still for 5 s")])
def test_a_child_that_dies_or_stands_still_leaves_what_it_was_fed(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = runs.CHILD
    monkeypatch.setattr(runs, "CHILD", (sys.executable, "-m", "e2e.fuzzing.tests.dying_child"))
    run = carry_out(Request(name, "mutation", 1, 100, None), tmp_path, commit="c", still_s=5)
    finding = Path(run.findings[0])
    assert run.has_died
    assert told in json.loads(finding.read_text())["error"]
    assert len(read(finding)[1]) == 3
    if name == "network-reports":
        assert still_fails(finding)
    monkeypatch.setattr(runs, "CHILD", sound)
    assert not still_fails(finding), "the real parser is not too weak for these inputs"


def test_a_death_before_the_first_input_counts_until_its_file_is_gone(tmp_path: Path) -> None:
    finding = save(tmp_path, "network-reports", "death", [], "exit status 1")
    assert still_fails(Path(finding.file))


def test_memory_that_grows_beyond_its_limit_is_a_finding() -> None:
    grown = replace(RUN, growth_bytes=MOST_GROWTH_BYTES + 1)
    assert growing([RUN, grown, replace(RUN, growth_bytes=None), replace(RUN, growth_bytes=MOST_GROWTH_BYTES)]) == [
        grown
    ]


def test_counts_of_different_seeds_add_up_and_of_one_seed_the_longest_counts(tmp_path: Path) -> None:
    for run in (RUN, replace(RUN, inputs=3000), replace(RUN, inputs=2000), replace(RUN, seed=2, inputs=500)):
        keep(run, tmp_path)
    assert [run.inputs for run in kept(tmp_path)] == [3000, 500]
    assert "3,500" in target_table(kept(tmp_path))


def test_figures_say_what_was_fed_beside_what_is_to_be() -> None:
    found = {figure.what: figure for figure in figures([RUN, replace(RUN, seed=2, growth_bytes=9 * 2**20)], [])}
    control = found["control messages, Python"]
    assert (control.value, control.is_reached) == (2000, False)
    assert found["growth of memory in a run, the most"].is_reached is False
    assert found["crashes and hangs that are not mended"].is_reached is True


def test_every_name_is_one_targets() -> None:
    assert len({each.name for each in ENTRIES}) == len(ENTRIES)
    assert longest([RUN, RUN]) == [RUN]
    with pytest.raises(UnknownTargetError, match="did you mean feedback"):
        entry("feedbak")


def test_a_target_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["feedbak"]) == 2
    assert "did you mean feedback" in capsys.readouterr().err
