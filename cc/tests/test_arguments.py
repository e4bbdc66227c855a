"""Numbers and folders on command lines."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from cc.command_line.arguments import (
    MOST_SEED,
    OneSentenceParser,
    at_least,
    count,
    existing_folder,
    generator_seed,
    seconds_up_to,
)


def test_numbers_are_read() -> None:
    assert count("64") == 64
    assert generator_seed(str(MOST_SEED)) == MOST_SEED
    assert at_least(0.1)("0.1") == 0.1


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", ""])
def test_a_count_is_a_whole_number_above_0(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"'{text}' is no whole number above 0"):
        count(text)


@pytest.mark.parametrize("text", ["9.9", "-10", "nan", "inf", "long"])
def test_an_amount_has_a_least_and_is_finite(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"'{text}' is no number of at least 10"):
        at_least(10.0)(text)


def test_a_seed_is_one_that_generators_take() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"'4294967296' is above {MOST_SEED}, the largest seed"):
        generator_seed("4294967296")


@pytest.mark.parametrize("text", ["0", "-1", "86401", "nan", "inf", "soon"])
def test_a_time_is_above_0_and_within_the_largest(text: str) -> None:
    assert seconds_up_to(86_400)("0.5") == 0.5
    with pytest.raises(argparse.ArgumentTypeError, match=f"'{text}' is not a number of seconds from above 0 to 86400"):
        seconds_up_to(86_400)(text)


def test_a_folder_is_the_same_wherever_a_process_is_started_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "film").mkdir()
    monkeypatch.chdir(tmp_path)
    assert existing_folder("film") == tmp_path / "film"
    with pytest.raises(argparse.ArgumentTypeError, match="there is no folder 'films'"):
        existing_folder("films")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("schme", "argument KIND: invalid choice: 'schme': did you mean scheme? (choose from "),
        ("x", "'x' (choose from "),
    ],
)
def test_of_a_choice_that_there_is_not_the_nearest_is_named(
    given: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = OneSentenceParser(prog="nuwa new")
    parser.add_argument("kind", choices=("rule", "scheme", "receiver-scheme"), metavar="KIND")
    with pytest.raises(SystemExit) as ending:
        parser.parse_args([given])
    sentence = capsys.readouterr().err
    assert (ending.value.code, sentence.count("\n")) == (2, 1)
    assert said in sentence
    assert "receiver-scheme" in sentence
