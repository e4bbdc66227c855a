from __future__ import annotations

import re

import pytest

from e2e.laboratory.condition import Condition
from e2e.laboratory.matrix.expand import expand_matrix
from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.tests.samples import sample_link


def expand(line: str) -> list[Condition]:
    request = parse_options(line.split())
    return expand_matrix(request, [sample_link(choice) for choice in request.links])


def test_every_scheme_meets_every_link_in_every_place_with_every_seed_back_and_forth() -> None:
    conditions = expand("--schemes nuwa,cubic --links a,b --on simulation,relay --seeds 2")
    assert [(condition.link.name, condition.place) for condition in conditions] == [
        ("a", "simulation"),
        ("a", "relay"),
        ("b", "simulation"),
        ("b", "relay"),
    ]
    assert [(run.arm.name, run.seed) for run in conditions[0].runs] == [
        ("nuwa", 1),
        ("cubic", 1),
        ("cubic", 2),
        ("nuwa", 2),
    ]
    assert [(run.arm.name, run.place, run.seed) for run in conditions[1].references] == [
        ("omniscient", "simulation", 1),
        ("omniscient", "simulation", 2),
    ]


@pytest.mark.parametrize(("starts", "expected_ms"), [("spread", [0, 0, 618, 618]), ("same", [0, 0, 0, 0])])
def test_seeds_begin_in_different_places_of_the_trace_all_schemes_in_the_same(
    starts: str, expected_ms: list[int]
) -> None:
    (condition,) = expand(f"--schemes nuwa,cubic --seeds 2 --start-places {starts}")
    assert [run.link.start_ms for run in condition.runs] == expected_ms


def test_the_scheme_under_test_stands_where_self_stands_with_its_preset() -> None:
    (condition,) = expand("--schemes nuwa:preset=live,cubic --flows self,cubic@10:rtt=100")
    assert [arm.name for arm in condition.arms] == ["nuwa (live)", "cubic"]
    tested, other = condition.arms[0].flows
    assert (tested.scheme, tested.preset, tested.start_s, tested.extra_rtt_ms) == ("nuwa", "live", 0.0, 0.0)
    assert (other.scheme, other.preset, other.start_s, other.extra_rtt_ms) == ("cubic", "live", 10.0, 60.0)


def test_flows_that_name_every_scheme_are_one_arm() -> None:
    (condition,) = expand("--flows nuwa,cubic@5")
    assert [arm.name for arm in condition.arms] == ["nuwa,cubic@5"]


def test_whoever_knows_the_link_is_not_run_twice() -> None:
    assert expand("--schemes omniscient,nuwa")[0].references == ()


def test_the_baseline_is_the_first_arm_or_the_one_that_is_named() -> None:
    assert expand("--schemes nuwa,cubic")[0].baseline.name == "nuwa"
    assert expand("--schemes nuwa,cubic --baseline cubic")[0].baseline.name == "cubic"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--schemes nuwa --flows self:rtt=30", "rtt=30 is less than the 40 ms of the link 24mbit"),
        ("--schemes omniscient,nuwa --on relay", "omniscient exists in simulation alone, not on relay"),
        ("--schemes nuwa,nuwa:preset=on-demand", "--schemes: nuwa is there twice"),
        ("--schemes nuwa,cubic --baseline bbr", "--baseline bbr: choose one of nuwa, cubic"),
    ],
)
def test_a_matrix_is_refused(line: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        expand(line)
