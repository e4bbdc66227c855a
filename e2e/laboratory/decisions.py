"""What became of the decisions of a run's learned schemes: a run in which they were not taken is none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cc.registry import SCHEMES
from e2e.laboratory.plan import RunPlan
from e2e.laboratory.record import RunError, RunFailure
from e2e.laboratory.result import SchemeDecisions

LEARNED = frozenset(scheme.name for scheme in SCHEMES if scheme.policy is not None)


def decisions_by_scheme(reports: Iterable[SchemeDecisions]) -> tuple[SchemeDecisions, ...]:
    """Each scheme's, over all its flows: a server does not tell the flows of one scheme apart."""
    found: dict[str, SchemeDecisions] = {}
    for report in reports:
        other = found.get(report.scheme)
        found[report.scheme] = report if other is None else _sum(other, report)
    return tuple(found.values())


def _sum(one: SchemeDecisions, other: SchemeDecisions) -> SchemeDecisions:
    return replace(
        one,
        is_loaded=one.is_loaded and other.is_loaded,
        decisions=one.decisions + other.decisions,
        answered=one.answered + other.answered,
        late=one.late + other.late,
        failed=one.failed + other.failed,
    )


def require_answers(decisions: Sequence[SchemeDecisions]) -> None:
    """A run in which a scheme's policy took no decision is none of that scheme. Raises RunError."""
    for made in decisions:
        if made.answered == 0 and made.late + made.failed > 0:
            why = f"{made.late} late, {made.failed} failed" if made.is_loaded else "its policy is missing"
            message = f"{made.scheme} answered 0 of {made.decisions} decisions: {why}"
            state = {"is_loaded": made.is_loaded, "late": made.late, "failed": made.failed}
            raise RunError(RunFailure(message, made.scheme, state))


def require_decisions(decisions: Sequence[SchemeDecisions], plan: RunPlan) -> None:
    """The same for an emulated run, where each learned scheme must have been reported on. Raises RunError."""
    reported = [made.scheme for made in decisions]
    for flow in plan.arm.flows:
        if flow.scheme in LEARNED and flow.scheme not in reported:
            message = f"neither server nor receiver reported the decisions of {flow.scheme}"
            raise RunError(RunFailure(message, flow.scheme, {"reported": reported}))
    require_answers(decisions)
