from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

from e2e.laboratory.statistics.growth import Series, growth_of, main

HOURS = [minute / 60 for minute in range(60)]


def test_a_straight_line_has_one_growth() -> None:
    growth = growth_of(Series(HOURS, [100 + 3 * hour for hour in HOURS]))
    assert (growth.slope, growth.between_ends) == pytest.approx((3, 3))


def test_a_few_outliers_do_not_bend_it() -> None:
    values = [100 + 3 * hour + (500 if minute % 10 == 0 else 0) for minute, hour in enumerate(HOURS)]
    growth = growth_of(Series(HOURS, values))
    assert (growth.slope, growth.between_ends) == pytest.approx((3, 3), abs=0.5)


@pytest.mark.parametrize("minute_of_step", [10, 30, 50])
def test_a_step_shows_between_the_ends(minute_of_step: int) -> None:
    values = [120.0 if minute >= minute_of_step else 100.0 for minute in range(60)]
    assert growth_of(Series(HOURS, values)).between_ends == pytest.approx(20 / 0.9)  # an hour less half a tenth each


def test_the_slope_is_the_median_of_all_pairs() -> None:
    # Slopes of 1, 2, 3, 3, 4, 4, 5, 5, 6 and 7.
    assert growth_of(Series([0, 1, 2, 3, 4], [0, 1, 4, 9, 16])).slope == 4


def test_what_only_swings_does_not_grow() -> None:
    growth = growth_of(Series(HOURS, [100 + math.sin(minute) for minute in range(60)]))
    assert abs(growth.slope) < 0.5


def test_one_value_has_no_growth() -> None:
    with pytest.raises(ValueError, match="1 values"):
        growth_of(Series([0], [1]))


def test_series_come_from_a_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = tmp_path / "series.json"
    file.write_bytes(msgspec.json.encode({"server": {"times": [0, 1], "values": [5, 7]}}))
    main(str(file))
    assert msgspec.json.decode(capfdbinary.readouterr().out)["server"] == {"slope": 2.0, "between_ends": 2.0}
