"""Where labels stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from e2e.laboratory.report.labels import PlacedLabel, place_labels

SIZE = (400.0, 300.0)
NOTHING = np.empty((0, 3))
WIDTH = 4 * 12 * 0.6
"""Of "nuwa": four letters of 12 pixels."""


def placed(texts: Sequence[str], marks: Sequence[tuple[float, float, float]], **changes: object) -> list[PlacedLabel]:
    obstacles = changes.get("obstacles", NOTHING)
    size = changes.get("size", SIZE)
    assert isinstance(obstacles, np.ndarray)
    assert isinstance(size, tuple)
    return place_labels(texts, np.array(marks), size, font_size=12, obstacles=obstacles)


def is_covering(one: PlacedLabel, other: PlacedLabel) -> bool:
    return one.left < other.right and other.left < one.right and abs(one.middle - other.middle) < 14


def test_a_label_with_room_stands_to_the_right_of_its_mark() -> None:
    (label,) = placed(["nuwa"], [(100, 100, 5)])
    assert (label.left, label.right, label.middle) == pytest.approx((111, 111 + WIDTH, 100))
    assert not label.is_led
    (farther,) = placed(["nuwa"], [(100, 100, 9)])
    assert farther.left == pytest.approx(115)


def test_at_the_right_edge_it_stands_to_the_left() -> None:
    (label,) = placed(["nuwa"], [(390, 100, 5)])
    assert label.right == pytest.approx(379)


def test_labels_of_marks_close_together_do_not_cover_one_another_the_far_ones_with_a_line() -> None:
    texts = ["nuwa", "cubic", "newreno", "bbr", "copa", "pcc-vivace", "westwood", "illinois"]
    labels = placed(texts, [(200 + index % 3 * 4, 150 + index, 5) for index in range(len(texts))])
    assert not any(is_covering(one, other) for one, other in combinations(labels, 2))
    assert any(label.is_led for label in labels)


def test_a_label_does_not_stand_where_it_would_be_taken_for_another_marks() -> None:
    # the right side, 111 to 139.8, ends 12.2 pixels before the other mark: far enough; before one at 149 it would not
    assert placed(["nuwa", ""], [(100, 100, 5), (152, 100, 5)])[0].left == pytest.approx(111)
    assert placed(["nuwa", ""], [(100, 100, 5), (149, 100, 5)])[0].left < 100


def test_a_label_finds_another_place_for_a_longer_one_that_comes_after_it() -> None:
    one, other = placed(["nuwa", "a-scheme-with-a-long-name"], [(60, 100, 5), (100, 112, 5)], size=(290.0, 300.0))
    assert not is_covering(one, other)


def test_a_label_covers_no_obstacle() -> None:
    (label,) = placed(["nuwa"], [(60, 100, 5)], obstacles=np.array([[80.0, 100.0, 10.0]]))
    assert label.right == pytest.approx(49)  # to the left: 60 - 5 - 6
