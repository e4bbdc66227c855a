"""Whether learned schemes have what they need, before anything runs."""

from __future__ import annotations

from cc.registry import scheme
from e2e.laboratory.decisions import LEARNED
from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import RunFailure
from models.policies.check import find_problem


def find_missing_policy(plan: RunPlan) -> RunFailure | None:
    """The first scheme of a run whose policy cannot be had, and why; None where all can."""
    for flow in plan.arm.flows:
        policy = scheme(flow.scheme).policy if flow.scheme in LEARNED else None
        problem = None if policy is None else find_problem(policy)
        if problem is not None:
            return RunFailure(problem, flow.scheme)
    return None
