"""Marks of arms whose policies missed decisions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.plan import RunPlan
from e2e.laboratory.result import RunResult, SchemeDecisions
from e2e.laboratory.statistics.missed_decisions import describe_mark, mark_arms, unanswered_share
from e2e.laboratory.tests.samples import sample_matrix, sample_plan, sample_result

PLAN = sample_plan()
OWL = SchemeDecisions("owl", True, decisions=251, answered=240, late=4, failed=6)


def result(*decisions: SchemeDecisions, plan: RunPlan = PLAN) -> RunResult:
    return replace(sample_result(plan, [6e6], 20), decisions=decisions)


def test_what_is_late_or_failed_counts_of_the_scheme_that_fared_worst() -> None:
    # 10 of 251, and 20 of 251
    both = result(OWL, replace(OWL, scheme="zixia", late=14))
    assert unanswered_share(both) == pytest.approx(20 / 251)
    assert unanswered_share(result()) is None
    assert unanswered_share(result(replace(OWL, decisions=0))) is None


def test_more_than_a_twentieth_is_a_mark() -> None:
    assert describe_mark(result(replace(OWL, decisions=200))) is None  # 10 of 200
    assert describe_mark(result(replace(OWL, decisions=100))) == "its policy missed 10 % of the decisions"


def test_a_marked_arm_says_so_wherever_its_name_stands_by_the_worst_of_its_runs() -> None:
    def outcome(plan: RunPlan) -> RunResult:
        if plan.arm.name != "owl":
            return result(plan=plan)
        late = 13 if plan.seed == 2 else 0
        return result(replace(OWL, decisions=100, answered=100 - late, late=late, failed=0), plan=plan)

    made = sample_matrix("--schemes cubic,owl --baseline owl --seeds 2 --seconds 2", outcome)
    (condition,) = mark_arms(made.conditions, [run.record for run in made.runs])
    names = ["cubic", "owl (policy missed 13 %)"]
    assert condition.baseline.name == names[1]
    assert [arm.name for arm in condition.arms] == names
    assert [len(condition.runs_of(arm)) for arm in condition.arms] == [2, 2]
    (unmarked,) = mark_arms(made.conditions, [])
    assert unmarked == made.conditions[0]
