"""What `nuwa simulate` says to people."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from models.simulation.command import main

SHORT = ("--seconds", "1")


def test_the_next_step_is_a_command_with_the_same_schemes_and_link(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["newreno", "omniscient", "newreno", "--link", "2mbit", *SHORT]) == 0
    said = capsys.readouterr().err
    assert said == (
        "\nseveral seeds, with intervals and a report: "
        "nuwa bench --schemes newreno --links 2mbit --seconds 1 --seeds 5\n"
    )


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ("", "--schemes cubic,nuwa --links 2mbit --seconds 1"),
        ("--together", "--flows cubic,nuwa --links 2mbit --seconds 1"),
        ("omniscient --together", "--flows cubic,nuwa,omniscient --links 2mbit --seconds 1"),
        (
            "--delay 50 --queue 40 --discipline codel --loss 0.0125 --preset live --seed 3",
            "--schemes cubic,nuwa --links 2mbit --seconds 1 --delay 50 --queue 40 --discipline codel --loss 0.0125 "
            "--preset live",
        ),
    ],
)
def test_the_next_step_is_of_the_same_cell(options: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cubic", "nuwa", *options.split(), "--link", "2mbit", *SHORT]) == 0
    said = capsys.readouterr().err
    assert said == f"\nseveral seeds, with intervals and a report: nuwa bench {command} --seeds 5\n"


def test_none_is_said_of_what_bench_does_not_take_nor_to_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "mine.down"
    trace.write_text("5\n10\n", encoding="utf-8")
    assert main(["newreno", "--link", str(trace), *SHORT]) == 0
    assert main(["newreno", "--link", "2mbit", "--json", *SHORT]) == 0
    assert main(["omniscient", "--link", "2mbit", *SHORT]) == 0
    assert main(["newreno", "--link", "2mbit", "--seconds", "0.5"]) == 0
    assert main(["newreno", "--link", "2mbit", "--delay", "20.5", *SHORT]) == 0
    assert main(["newreno", "--link", "2mbit", "--policies", str(tmp_path), *SHORT]) == 0
    assert main(["newreno", "--link", "2mbit", "--traces", str(tmp_path), *SHORT]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("option", ["--link 2mbit", "--seconds 1", "--together", "--qlog-dir logs", "--json"])
def test_what_runs_on_standard_input_say_themselves_is_refused_beside_them(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["-", *option.split()])
    assert stopped.value.code == 2
    name = option.split(maxsplit=1)[0]
    assert f"with - each run says its own: leave {name} out" in capsys.readouterr().err


def test_it_ends_without_a_word_where_nobody_reads_its_answers_any_more() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    started = "import sys; from models.simulation.command import main; sys.exit(main(['-']))"
    try:
        ended = subprocess.run(
            [sys.executable, "-c", started], input=b"{}\n{}\n", stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr.decode()) == (1, "")
