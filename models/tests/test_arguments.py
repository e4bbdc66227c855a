"""Numbers and folders on command lines, and the commands that refuse what is none above 0."""

from __future__ import annotations

import argparse

import pytest

from models.arguments import MOST_SEED, at_least, count, generator_seed
from models.evaluation import fairness
from models.policies import check, vectors


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


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--seconds", "0.01"], "argument --seconds: '0.01' is no number of at least 0.1"),
        (["--seeds", "0"], "argument --seeds: '0' is no whole number above 0"),
        (["--rates", "5", "0"], "argument --rates: '0' is no whole number above 0"),
    ],
)
def test_fairness_refuses_nothing_to_play(
    arguments: list[str], refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        fairness.main(["cubic", *arguments])
    assert refusal in capsys.readouterr().err


def test_vectors_refuses_no_states(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        vectors.main(["bbr-fit", "--count", "0"])
    assert "argument --count: '0' is no whole number above 0" in capsys.readouterr().err


def test_a_seed_is_one_that_generators_take() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"'4294967296' is above {MOST_SEED}, the largest seed"):
        generator_seed("4294967296")


def test_policies_of_a_folder_that_is_not_there_are_not_the_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        check.main(["owl", "--policies", "/nowhere"])
    assert "argument --policies: there is no folder '/nowhere'" in capsys.readouterr().err
