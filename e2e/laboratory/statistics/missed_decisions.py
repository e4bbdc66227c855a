"""What learned schemes' policies did not decide, and how whoever reads of their runs is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from e2e.laboratory.condition import Condition
from e2e.laboratory.plan import Arm
from e2e.laboratory.record import RunRecord
from e2e.laboratory.result import RunResult

MARKED_SHARE = 0.05
"""A run in which a larger share of decisions was late or failed is marked."""


def unanswered_share(result: RunResult) -> float | None:
    """Late or failed, of all: that of the scheme which fared worst; None where nothing was to be decided."""
    shares = [(each.late + each.failed) / each.decisions for each in result.decisions if each.decisions > 0]
    return max(shares, default=None)


def describe_mark(result: RunResult) -> str | None:
    """A sentence about a run that is marked; None for the others."""
    share = unanswered_share(result)
    return None if share is None or share <= MARKED_SHARE else f"its policy missed {100 * share:.0f} % of the decisions"


def mark_arms(conditions: Iterable[Condition], records: Iterable[RunRecord]) -> list[Condition]:
    """Conditions whose arms say in their names what the worst of their runs missed.

    An arm is marked in every condition, so that tables, charts and legends call it the same.
    """
    worst: dict[str, float] = {}
    for record in records:
        share = None if record.result is None else unanswered_share(record.result)
        if share is not None:
            name = record.plan.arm.name
            worst[name] = max(share, worst.get(name, 0.0))

    def marked(arm: Arm) -> Arm:
        share = worst.get(arm.name, 0.0)
        return replace(arm, name=f"{arm.name} (policy missed {100 * share:.0f} %)") if share > MARKED_SHARE else arm

    return [
        replace(
            condition,
            arms=tuple(marked(arm) for arm in condition.arms),
            baseline=marked(condition.baseline),
            runs=tuple(replace(run, arm=marked(run.arm)) for run in condition.runs),
        )
        for condition in conditions
    ]
