"""What the laboratory asks of a cell in the browser."""

import pytest

from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.places.browser import require_player
from e2e.laboratory.plan import PlayerPlan


def test_a_rule_that_the_player_does_not_know_is_refused_before_anything_runs() -> None:
    with pytest.raises(OptionError, match=r"--rule moon: choose one of nuwa, .*robust-mpc, .*bola"):
        require_player(PlayerPlan("moon", "receiver"))
