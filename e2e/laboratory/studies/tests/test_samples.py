"""Arms are compared repeat by repeat."""

from __future__ import annotations

import pytest

from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.studies.samples import differences, mean_figure, mean_of_all, median_figure, ratios


def test_what_a_repeat_lacks_is_compared_with_nothing_and_the_others_keep_their_partners() -> None:
    assert ratios([22, None, 10, 8], [20, 21, 20, None]) == (1.1, None, 0.5, None)
    assert differences([3, None, 5], [1, 2, 9]) == (2, None, -4)
    with pytest.raises(ValueError, match="shorter"):
        ratios([3, 5], [1])


def test_what_is_to_be_reached_has_no_value_where_a_repeat_has_none() -> None:
    reach = Reach("at least", 5)
    for summarised in (mean_figure, median_figure):
        lacking = summarised("goodput", [7, None, 9], "Mbit/s", reach=reach)
        assert (lacking.value, lacking.is_reached, lacking.samples) == (None, False, (7, None, 9))
        assert summarised("goodput", [7, None, 9], "Mbit/s").value == 8
        assert summarised("goodput", [], reach=reach).value is None


def test_a_mean_of_all_is_of_all() -> None:
    assert mean_of_all([1, 2]) == 1.5
    assert mean_of_all([1, None]) is None
    assert mean_of_all([]) is None
