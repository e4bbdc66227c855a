"""A figure, and whether it is reached."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.figures.markdown import figure_table
from models.evaluation.resampling import Interval
from models.evaluation.student import mean_of_groups, ratio_of_groups

GAIN = Interval(3.0, 1.0, 6.0, samples=3, groups=3)


@pytest.mark.parametrize(
    ("value", "reach", "is_reached"),
    [
        (2.0, Reach("at least", 2.0), True),
        (1.9, Reach("at least", 2.0), False),
        (2.0, Reach("at most", 2.0), True),
        (2.1, Reach("at most", 2.0), False),
        (2.1, Reach("above", 2.0), True),
        (2.0, Reach("above", 2.0), False),
        (-2.0, Reach("within", 2.0), True),
        (2.1, Reach("within", 2.0), False),
        (-2.1, Reach("within", 2.0), False),
        (None, Reach("at most", 2.0), False),
        (2.0, None, None),
    ],
)
def test_a_boundary_is_within(value: float | None, reach: Reach | None, is_reached: bool | None) -> None:
    assert Figure("", value, reach=reach).is_reached is is_reached


def test_what_has_to_be_sure_is_reached_by_all_of_its_interval() -> None:
    reach = Reach("above", 2.0)
    assert Figure.of_interval("gain", GAIN, reach=reach).is_reached is True
    assert Figure.of_interval("gain", GAIN, reach=reach, has_to_be_sure=True).is_reached is False
    assert Figure.of_interval("gain", GAIN, reach=replace(reach, value=0.9), has_to_be_sure=True).is_reached is True


def test_what_has_to_be_sure_is_missed_by_either_end() -> None:
    for reach in (Reach("at most", 5.9), Reach("within", 5.9), Reach("at least", 1.1)):
        assert Figure.of_interval("gain", GAIN, reach=reach, has_to_be_sure=True).is_reached is False
    assert Figure.of_interval("gain", GAIN, reach=Reach("within", 6.0), has_to_be_sure=True).is_reached is True


def test_of_fewer_than_three_nothing_is_sure() -> None:
    of_two = replace(GAIN, samples=2, groups=2)
    assert Figure.of_interval("gain", of_two, reach=Reach("above", 0.5), has_to_be_sure=True).is_reached is False
    drawn = replace(GAIN, is_resampled=True)
    assert Figure.of_interval("gain", drawn, reach=Reach("above", 0.5), has_to_be_sure=True).is_reached is False


def test_starts_have_to_reach_it_each() -> None:
    figure = Figure(
        "share", 0.0, samples=(-3.0, 3.0), reach=Reach("within", 3.0), has_to_be_sure=True, repeats="starts"
    )
    assert figure.is_reached is True
    assert replace(figure, samples=(-3.0, 3.1)).is_reached is False
    assert replace(figure, samples=(-3.0, None)).is_reached is False


def test_json_holds_all_of_it() -> None:
    figure = Figure("gain", 3.0, "Mbit/s", (1.0, None), GAIN, Reach("above", 2.0), has_to_be_sure=True)
    assert Figure.from_json(json.loads(json.dumps(asdict(figure)))) == figure


@pytest.mark.parametrize("interval", [mean_of_groups([2.0, 4.0], "aa"), ratio_of_groups([6.0], [2.0], "a")])
def test_of_a_single_group_it_can_be_kept_and_nothing_is_sure(interval: Interval) -> None:
    figure = Figure.of_interval("gain", interval, reach=Reach("above", 2.0), has_to_be_sure=True)
    assert Figure.from_json(json.loads(json.dumps(asdict(figure), allow_nan=False))) == figure
    assert figure.is_reached is False
    assert f"| **3.00** (of {interval.samples}) |" in figure_table([figure])


def test_an_interval_that_does_not_say_what_drew_it_takes_as_many_groups_as_a_bootstraps() -> None:
    fields = asdict(Figure.of_interval("gain", replace(GAIN, samples=11, groups=11)))
    assert figure_table([Figure.from_json(fields)]).endswith("| gain   | 3.00 (95 %, n = 11: 1.00 to 6.00) |\n")
    del fields["interval"]["is_resampled"]
    assert figure_table([Figure.from_json(fields)]).endswith("| gain   | 3.00 (of 11) |\n")
    fields["interval"]["groups"] = 12
    assert figure_table([Figure.from_json(fields)]).endswith("| gain   | 3.00 (95 %, n = 12: 1.00 to 6.00) |\n")


def test_a_benchmark_in_typescript_says_less() -> None:
    theirs = {"what": "error", "value": None, "unit": "%", "samples": [None], "reach": None}
    assert Figure.from_json(theirs) == Figure("error", None, "%", (None,))
