"""Numbers as tables have them."""

from __future__ import annotations

import math

import pytest

from e2e.laboratory.report.cells import CHANGE, MBIT_PER_S, Format, TableCell
from models.evaluation.resampling import Interval


@pytest.mark.parametrize(
    ("written", "value", "text"),
    [
        (MBIT_PER_S, 23.456e6, "23.46"),
        (CHANGE, 0.0188, "+1.9"),
        (CHANGE, -0.0188, "\N{MINUS SIGN}1.9"),
        (CHANGE, -0.0001, "0.0"),
        (Format(), -0.04, "0.0"),
    ],
)
def test_signs_are_real_ones_and_nothing_has_none(written: Format, value: float, text: str) -> None:
    assert written.text(value) == text


def test_an_interval_stands_beneath_its_mean() -> None:
    assert Format().cell(Interval(2.0, 1.0, 3.0, 2, 2)) == TableCell("2.0", "1.0 to 3.0")
    assert Format().cell(Interval(2.0, 0.0, math.inf, 1, 1)) == TableCell("2.0")
    assert Format().cell(None) == TableCell("\N{EN DASH}")
