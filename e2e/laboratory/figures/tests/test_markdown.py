"""Figures as tables."""

from __future__ import annotations

import pytest

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.markdown import figure_table, figure_value, goal, markdown_table, number
from models.evaluation.resampling import Interval


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    table = markdown_table(["scheme", "p95"], [["nuwa", "46.3 ms"], ["a-long-one", "2"]])
    assert table.splitlines() == [
        "| scheme     | p95     |",
        "| ---------- | ------- |",
        "| nuwa       | 46.3 ms |",
        "| a-long-one | 2       |",
    ]


def test_a_row_has_value_spread_and_goal() -> None:
    table = figure_table(
        [
            Figure("goodput", 0.9721, samples=(0.96, 0.9721, 0.98), reach=Reach("at least", 0.95)),
            Figure("share", 0.5, samples=(0.2, 0.3, 1.0), reach=Reach("within", 0.6), repeats="starts"),
            Figure("part", 0.5, samples=(0.4, 0.6), reach=Reach("within", 0.5), repeats="starts", has_to_be_sure=True),
            Figure("ratio of means", 0.5, samples=(0.4, 0.7)),
            Figure("p95", 62.0, "ms", reach=Reach("at most", 60)),
            Figure.of_interval("gain", Interval(3, 1, 6, 5, 5), "%", reach=Reach("above", 2), has_to_be_sure=True),
            Figure.of_interval("two", Interval(3, 1, 6, 2, 2), "%"),
            Figure.of_interval("drawn", Interval(3, 1, 6, 11, 11, is_resampled=True), "%"),
            Figure("error", None, "%", (None, None), reach=Reach("at most", 5)),
        ]
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert cells[0] == ["figure", "measured", "to reach"]
    assert cells[2:] == [
        ["goodput", "0.972 (median of 3 runs: 0.960 to 0.980)", ">= 0.95"],
        ["share", "0.500 (mean of 3 starts: 0.200 to 1.00)", "within ±0.6"],
        ["part", "**0.500** (2 starts: 0.400 to 0.600)", "each start within ±0.5"],
        ["ratio of means", "0.500 (2 runs: 0.400 to 0.700)", ""],
        ["p95", "**62 ms**", "<= 60"],
        ["gain", "**3.00 %** (95 %, n = 5: 1.00 to 6.00)", "surely > 2"],
        ["two", "3.00 % (of 2)", ""],
        ["drawn", "3.00 % (of 11)", ""],
        ["error", "**not measured**", "<= 5"],
    ]


def test_without_goals_there_is_no_column_for_them() -> None:
    assert figure_table([Figure("size", 1.25, "MB")]).startswith("| figure | measured |")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1234.5, "1234"), (46.26, "46.3"), (0.0713, "0.0713"), (-0.5, "-0.500"), (0.000012, "0.0000")],
)
def test_three_digits_matter(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (Figure("", 60.0), "60"),
        (Figure("", 1.0, "runs"), "1 runs"),
        (Figure("", 1.0), "1.00"),
        (Figure("", 10137492.0, "inputs"), "10,137,492 inputs"),
        (Figure("", 5.0, samples=(4, 5, 6)), "5"),
        (Figure("", 5.0, samples=(4.5, 5, 5.5)), "5.00"),
        (Figure("", 16.0 / 3, samples=(4, 6, 6)), "5.33"),
    ],
)
def test_what_was_counted_has_no_decimals(figure: Figure, text: str) -> None:
    assert figure_value(figure) == text


def test_a_sum_is_told_from_what_it_is_of() -> None:
    assert "370 runs (sum of 10 runs: 36 to 38)" in figure_table([Figure("", 370, "runs", (36, 38, *[37] * 8))])


@pytest.mark.parametrize(
    ("value", "text"), [(1e7, "10,000,000"), (0.95, "0.95"), (20.0, "20"), (-2, "-2"), (1.04532, "1.05"), (183, "183")]
)
def test_a_goal_is_written_as_it_was_chosen(value: float, text: str) -> None:
    assert goal(value) == text


def test_a_near_miss_shows_that_it_is_one() -> None:
    assert figure_value(Figure("", 0.94996, reach=Reach("at least", 0.95))) == "0.94996"
    assert figure_value(Figure("", 0.95, reach=Reach("at least", 0.95))) == "0.950"
