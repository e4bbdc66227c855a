"""What `nuwa simulate` says to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.simulation.command import main

SHORT = ("--seconds", "1")


def test_the_next_step_is_a_command_with_the_same_schemes_and_link(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["newreno", "omniscient", "newreno", "--link", "2mbit", *SHORT]) == 0
    said = capsys.readouterr().err
    assert said == (
        "\nseveral seeds, with intervals and a report: nuwa bench --schemes newreno --links 2mbit --seeds 5\n"
    )


def test_none_is_said_of_a_trace_of_ones_own_nor_to_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "mine.down"
    trace.write_text("5\n10\n", encoding="utf-8")
    assert main(["newreno", "--link", str(trace), *SHORT]) == 0
    assert main(["newreno", "--link", "2mbit", "--json", *SHORT]) == 0
    assert main(["omniscient", "--link", "2mbit", *SHORT]) == 0
    assert capsys.readouterr().err == ""
