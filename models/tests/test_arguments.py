"""Commands refuse numbers that leave nothing to play, and folders that are not there."""

from __future__ import annotations

import pytest

from models.command import main
from models.evaluation import fairness, vectors


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--seconds", "0.01"], "argument --seconds: '0.01' is no number of at least 0.1"),
        (["--seeds", "0"], "argument --seeds: '0' is no whole number above 0"),
        (["--rates", "5", "0"], "argument --rates: '0' is not a whole number from 1 to 10000 (Mbit/s)"),
        (["--rates", "10001"], "argument --rates: '10001' is not a whole number from 1 to 10000 (Mbit/s)"),
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


def test_policies_of_a_folder_that_is_not_there_are_not_the_shipped(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["check", "owl", "--policies", "/nowhere"], prog="nuwa models")
    assert "argument --policies: there is no folder '/nowhere'" in capsys.readouterr().err
