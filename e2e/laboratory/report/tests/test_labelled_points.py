from __future__ import annotations

import pytest

from e2e.laboratory.report.labelled_points import Axis


@pytest.mark.parametrize(
    ("axis", "value", "pixel"),
    [
        (Axis("stalls", 2.0, 0.0), 2.0, 0.0),
        (Axis("stalls", 2.0, 0.0), 0.5, 75.0),
        (Axis("delay", 1000.0, 10.0, is_logarithmic=True), 100.0, 50.0),
        (Axis("delay", 10.0, 1000.0, is_logarithmic=True), 10.0, 0.0),
    ],
)
def test_a_value_stands_at_its_pixel_and_the_pixel_tells_the_value(axis: Axis, value: float, pixel: float) -> None:
    assert axis.pixel_of(value, 100.0) == pytest.approx(pixel)
    assert axis.value_at(pixel, 100.0) == pytest.approx(value)
