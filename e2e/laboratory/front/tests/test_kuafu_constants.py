"""Kuafu's constants, changed and searched for over made-up leads, and one short run."""

from __future__ import annotations

import random
import time
from dataclasses import asdict, replace

import pytest

from cc.receiver.kuafu import KuafuConstants
from e2e.laboratory.front.command import make_parser
from e2e.laboratory.front.kuafu_constants import each_by_itself, moved, play, search
from e2e.laboratory.front.lead import Lead
from e2e.laboratory.front.plans import conditions_of
from models.evaluation.resampling import Interval


def lead_of(constants: KuafuConstants) -> Lead:
    """The more packets, the more pairs."""
    one = Interval(1.0, 1.0, 1.0, 1, 1)
    pairs = replace(one, value=min(1.0, constants.extra_packets / 100))
    return Lead("kuafu", False, 1, one, pairs, one, one, one, one)


def test_each_constant_is_changed_by_itself() -> None:
    tried = dict(each_by_itself(lead_of))
    assert len(tried) == 1 + 2 * len(asdict(KuafuConstants()))
    assert tried["extra_packets 5"].pairs.value == pytest.approx(0.05)
    assert tried["growth_exponent 2.2"].pairs.value == tried["as it is"].pairs.value


def test_a_seed_draws_the_same_moves_of_at_most_four() -> None:
    start = KuafuConstants()
    once, again = (moved(start, random.Random(7)) for _ in range(2))
    assert once == again
    assert 1 <= sum(value != asdict(start)[name] for name, value in asdict(once).items()) <= 4


def test_the_search_keeps_what_is_better(capsys: pytest.CaptureFixture[str]) -> None:
    found = search(lead_of, random.Random(1), until_s=time.monotonic() + 0.05)
    assert found.extra_packets > KuafuConstants().extra_packets
    assert "pairs" in capsys.readouterr().out


def test_a_run_with_other_constants_is_another_run() -> None:
    options = make_parser("x").parse_args(
        ["--links", "12mbit", "--schemes", "cubic", "--starts", "1", "--seconds", "2"]
    )
    (condition,) = conditions_of(options)
    rate, p95_ms = play(condition, condition.references[0], KuafuConstants())
    _, with_more_ms = play(condition, condition.references[0], KuafuConstants(extra_packets=40.0))
    assert 8e6 < rate < 12e6
    assert with_more_ms > p95_ms + 10
