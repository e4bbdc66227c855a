from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from e2e.laboratory.statistics.slope import Series, main, slope_of

HOURS = [minute / 60 for minute in range(60)]


def test_a_straight_line_has_its_slope_and_no_doubt() -> None:
    slope = slope_of(Series(HOURS, [100 + 3 * hour for hour in HOURS]))
    assert (slope.slope, slope.low, slope.high) == pytest.approx((3, 3, 3))


def test_a_few_outliers_do_not_bend_it() -> None:
    values = [100 + 3 * hour + (500 if minute % 10 == 0 else 0) for minute, hour in enumerate(HOURS)]
    slope = slope_of(Series(HOURS, values))
    assert slope.slope == pytest.approx(3, abs=0.5)
    assert slope.low <= slope.slope <= slope.high


def test_its_interval_is_that_of_95_percent() -> None:
    # Slopes of 1, 2, 3, 3, 4, 4, 5, 5, 6 and 7. Sen's C is 1.96 * sqrt(5 * 4 * 15 / 18) = 8: ranks 1 and 10.
    slope = slope_of(Series([0, 1, 2, 3, 4], [0, 1, 4, 9, 16]))
    assert (slope.slope, slope.low, slope.high) == (4, 1, 7)


def test_what_only_swings_does_not_grow() -> None:
    slope = slope_of(Series(HOURS, [100 + math.sin(minute) for minute in range(60)]))
    assert slope.low < 0 < slope.high


def test_one_value_has_no_slope() -> None:
    with pytest.raises(ValueError, match="1 values"):
        slope_of(Series([0], [1]))


def test_series_come_from_a_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "series.json"
    file.write_bytes(msgspec.json.encode({"server": {"times": [0, 1], "values": [5, 7]}}))
    main(str(file))
    assert msgspec.json.decode(capfdbinary.readouterr().out)["server"]["slope"] == pytest.approx(2)
