"""Marks of a scatter."""

from __future__ import annotations

import numpy as np
import pytest

from e2e.laboratory.record import finder_of
from e2e.laboratory.report.series import nested_sides, series_of
from e2e.laboratory.statistics.summary import summarise_arms
from e2e.laboratory.tests.samples import sample_matrix, sample_result


def test_of_marks_in_one_place_each_lies_in_a_larger_one() -> None:
    assert nested_sides(np.array([[10.0, 10.0], [30.0, 10.0]])) == [9.5, 9.5]
    nested = np.array([[10.0, 10.0], [12.0, 10.0], [80.0, 10.0], [10.0, 13.0]])
    assert nested_sides(nested) == [9.5, 17.5, 9.5, 25.5]
    assert max(nested_sides(np.zeros((20, 2)))) == 49.5


def test_throughput_is_scaled_to_the_mean_capacity() -> None:
    # 6 of 24 Mbit/s is a quarter: of 12 Mbit/s 3, at the logarithms of 10 and 20 ms
    made = sample_matrix(
        "--schemes nuwa --seeds 2 --seconds 2", lambda plan: sample_result(plan, [6e6], 10 * plan.seed)
    )
    arms = summarise_arms(made.conditions[0], finder_of(made.runs))
    (series,) = series_of(arms, None, [3], 12e6)
    assert series.points == pytest.approx(np.array([[1.0, 3.0], [1.30103, 3.0]]))
    assert (series.colour, series.shape, series.seeds) == ("var(--series-4)", "diamond", (1, 2))
    assert len(series.ellipse) == 0
