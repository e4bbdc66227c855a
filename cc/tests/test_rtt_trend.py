"""A line through round-trip times against numbers worked by hand."""

from __future__ import annotations

import pytest

from cc.core.rtt_trend import rtt_trend


def test_a_straight_rise_is_its_gradient_without_error() -> None:
    trend = rtt_trend([(1.00, 0.040), (1.02, 0.041), (1.04, 0.042)])
    assert trend is not None
    assert trend.mean_s == pytest.approx(0.041)
    assert trend.gradient == pytest.approx(0.05)  # 2 ms in 40 ms
    assert trend.gradient_error == pytest.approx(0.0, abs=1e-12)
    assert trend.deviation_s == pytest.approx(0.000_816_5, rel=1e-4)  # sqrt((1 + 0 + 1) / 3) ms


def test_a_crooked_rise_has_an_error() -> None:
    trend = rtt_trend([(1.00, 0.040), (1.02, 0.043), (1.04, 0.042)])
    assert trend is not None
    # Times from their mean: -20, 0, 20 ms; RTTs from theirs, 41.667: -1.667, 1.333, 0.333 ms.
    # Slope (33.33 + 6.67) / 800 = 0.05; residuals -0.667, 1.333, -0.667 ms, root mean square 0.9428 ms.
    assert trend.gradient == pytest.approx(0.05)
    assert trend.gradient_error == pytest.approx(0.9428 / 41.667, rel=1e-4)


@pytest.mark.parametrize("samples", [[], [(1.0, 0.04)], [(1.0, 0.04), (1.0, 0.05)]])
def test_there_is_no_line_through_less_than_two_times(samples: list[tuple[float, float]]) -> None:
    assert rtt_trend(samples) is None
