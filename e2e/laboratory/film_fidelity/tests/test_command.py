"""What is refused before any film is played."""

from __future__ import annotations

import pytest

from e2e.laboratory.film_fidelity.command import main


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        ("nuwa/nuwa", "--arms nuwa/nuwa: write SCHEME/RULE/ESTIMATOR"),
        ("nuwa/nuwa/truth", "a browser does not know the link"),
    ],
)
def test_an_arm_that_a_browser_cannot_play_is_refused(arms: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--arms", arms]) == 2
    assert said in capsys.readouterr().err
