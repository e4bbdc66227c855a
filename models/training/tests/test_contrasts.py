"""The first layer that adds ratios and trends, by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
import torch
from gymnasium import spaces

from models.training.contrasts import RATIO_GAIN, TREND_GAIN, Contrasts

LOW = [1.0, 1.0, -50.0]
HIGH = [1000.0, 100.0, 50.0]


def layer(history: int, *, has_trends: bool, pairs: tuple[tuple[int, int], ...] = ()) -> Contrasts:
    low, high = (np.array(ends * history, np.float32) for ends in (LOW, HIGH))
    return Contrasts(spaces.Box(low, high), is_logarithmic=[True, True, False], pairs=pairs, has_trends=has_trends)


def test_a_ratio_is_of_the_last_interval_and_in_the_upper_features_scale() -> None:
    answer = layer(2, has_trends=False, pairs=((0, 1),))(torch.tensor([[7.0, 7.0, 0.0, 100.0, 50.0, 0.0]]))
    assert answer.shape == (1, 7)
    assert answer[0, -1].item() == pytest.approx(RATIO_GAIN * 2 * log(2) / log(1000), rel=1e-5)


def test_ratios_are_of_what_lies_within_the_ranges() -> None:
    answer = layer(1, has_trends=False, pairs=((0, 1),))(torch.tensor([[0.0, 1e9, 0.0]]))
    assert answer[0, -1].item() == pytest.approx(-RATIO_GAIN * 2 * log(100) / log(1000), rel=1e-5)


def test_trends_are_from_interval_to_interval_oldest_first() -> None:
    answer = layer(3, has_trends=True)(torch.tensor([[10.0, 1.0, 0.0, 100.0, 1.0, 1.0, 100.0, 10.0, 0.0]]))
    assert answer.shape == (1, 9 + 6)
    decade, tenfold = 2 / 3, 1.0  # of a range of three decades, and of one of two
    expected = [decade, 0.0, 0.02, 0.0, tenfold, -0.02]
    assert answer[0, 9:].tolist() == pytest.approx([TREND_GAIN * each for each in expected], rel=1e-4, abs=1e-4)


def test_a_pair_of_linear_features_is_refused() -> None:
    with pytest.raises(ValueError, match=r"logarithms of features \[2\]"):
        layer(1, has_trends=False, pairs=((0, 2),))
