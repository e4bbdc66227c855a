from __future__ import annotations

from dataclasses import replace

import pytest

from e2e.laboratory.decisions import decisions_by_scheme, require_answers, require_decisions
from e2e.laboratory.plan import FlowChoice
from e2e.laboratory.record import RunError
from e2e.laboratory.result import SchemeDecisions
from e2e.laboratory.tests.samples import sample_plan

OWL = SchemeDecisions("owl", is_loaded=True, decisions=250, answered=240, late=4, failed=6)
PLAN = sample_plan([FlowChoice("owl", "on-demand")])


def test_the_flows_of_a_scheme_are_added_up() -> None:
    other = replace(OWL, scheme="zixia")
    missing = replace(OWL, is_loaded=False)
    both = SchemeDecisions("owl", is_loaded=False, decisions=500, answered=480, late=8, failed=12)
    assert decisions_by_scheme([OWL, other, missing]) == (both, other)


@pytest.mark.parametrize(
    ("silent", "why"),
    [
        (replace(OWL, answered=0, is_loaded=False, late=250, failed=0), "its policy is missing"),
        (replace(OWL, answered=0, late=3, failed=247), "3 late, 247 failed"),
    ],
)
def test_a_run_whose_policy_never_answered_fails(silent: SchemeDecisions, why: str) -> None:
    with pytest.raises(RunError, match=f"owl answered 0 of 250 decisions: {why}"):
        require_answers([silent])


@pytest.mark.parametrize("decisions", [0, 1])
def test_one_in_which_nothing_was_to_be_decided_in_time_to_see_does_not(decisions: int) -> None:
    require_answers([SchemeDecisions("owl", is_loaded=True, decisions=decisions, answered=0, late=0, failed=0)])


def test_an_emulated_run_without_a_report_of_a_learned_scheme_fails() -> None:
    with pytest.raises(RunError, match="neither server nor receiver reported the decisions of owl"):
        require_decisions([], PLAN)
    require_decisions([OWL], PLAN)
    require_decisions([], sample_plan())
