"""Runs as children, what is kept of them, and the command that a person types."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from e2e.fuzzing.command import main
from e2e.fuzzing.registry import ENTRIES, UnknownTargetError, entry
from e2e.fuzzing.runs import Request, Run, carry_out, keep, kept, longest
from e2e.fuzzing.table import figures, target_table

RUN = Run("feedback", "mutation", 1, 1000, 100, 0.001, 0, (), "c")


def test_a_child_tells_what_it_fed(tmp_path: Path) -> None:
    run = carry_out(Request("network-reports", "mutation", 3, 2000, None), tmp_path, commit="c")
    assert (run.target, run.inputs, run.findings) == ("network-reports", 2000, ())
    assert run.understood > 0


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
