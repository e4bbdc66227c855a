"""The tool as it is typed: its list, help without packages, unknown words, missing packages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.nuwa.command import COMMANDS_FILE, commands, main
from transport.__main__ import COMMANDS as TRANSPORTS_COMMANDS

ROOT = Path(__file__).parents[3]
WORDS = [command.word for command in commands()]
HELP_LIMIT_S = 1.0


def alone(*arguments: str) -> subprocess.CompletedProcess[str]:
    """With an interpreter that has no packages (-S)."""
    command = [sys.executable, "-S", "-m", "e2e.nuwa", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)


def children_cpu_s() -> float:
    """What ended children have used."""
    times = os.times()
    return times.children_user + times.children_system


def test_the_list_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert listed == WORDS


def test_commands_of_the_transport_are_those_of_its_own_list() -> None:
    own = {each.word: (each.module, each.summary) for each in TRANSPORTS_COMMANDS}
    both = {each.word: (each.module, each.summary) for each in commands() if each.word in own}
    assert len(both) > 3
    assert both == {word: own[word] for word in both}


@pytest.mark.parametrize("arguments", [["--help"], *([word, "--help"] for word in WORDS)])
def test_help_needs_neither_packages_nor_patience(arguments: list[str]) -> None:
    alone(*arguments)  # compiles what was not
    before_s = children_cpu_s()
    done = alone(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: " + " ".join(["nuwa", *arguments[:-1]]) + " ")
    assert children_cpu_s() - before_s < HELP_LIMIT_S  # not by the clock: the machine may be busy


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["simulat"], "nuwa: 'simulat' is no command; did you mean simulate?\n"),
        (["quux"], f"nuwa: 'quux' is no command; the commands are {', '.join(WORDS)}\n"),
        ([], f"nuwa: which command? {', '.join(WORDS)}; see nuwa --help\n"),
    ],
)
def test_a_word_that_is_not_known_is_told_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr() == ("", sentence)


def test_a_missing_package_is_named_with_what_brings_it(tmp_path: Path) -> None:
    for arguments, installation in (
        (["serve", str(tmp_path)], "pip install ."),
        (["train", "--policy", "owl"], "pip install '.[train]'"),
    ):
        done = alone(*arguments)
        assert done.returncode == 2
        sentence = rf"nuwa {arguments[0]}: the package \w+ is missing; in the clone: {re.escape(installation)}"
        assert re.fullmatch(sentence, done.stderr.splitlines()[-1])  # a build of other sources is told of before


def test_who_stops_a_command_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("e2e.nuwa.command.run_command", run)
    assert main(["links"]) == 1
    assert capsys.readouterr() == ("", "nuwa links: stopped\n")


def test_every_command_says_which_environment_it_needs() -> None:
    for entry in json.loads(COMMANDS_FILE.read_text(encoding="utf-8")):
        needed = {entry["environment"], *entry.get("environment_of_verb", {}).values()}
        assert needed <= {"none", "base", "laboratory", "laboratory, cluster", "train", "test"}
