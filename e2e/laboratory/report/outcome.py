"""What the terminal shows of a matrix: the means; their intervals and all else are in the report."""

from __future__ import annotations

from collections.abc import Sequence

from e2e.laboratory.condition import Condition, settings_of, title_of
from e2e.laboratory.figures.markdown import markdown_table
from e2e.laboratory.record import FindRun, FinishedRun, finder_of
from e2e.laboratory.report.cells import MBIT_PER_S, Format
from e2e.laboratory.statistics.missed_decisions import mark_arms
from e2e.laboratory.statistics.summary import ArmSummary, Quantity, summarise_arms

COLUMNS: tuple[tuple[str, Quantity, Format, str], ...] = (
    ("Mbit/s", "throughput_bits_per_s", MBIT_PER_S, ""),
    ("queueing delay, mean", "delay_mean_ms", Format(), " ms"),
    ("p95", "delay_p95_ms", Format(), " ms"),
    ("loss", "loss_ratio", Format(100, 2), " %"),
    ("QoE a segment", "qoe_per_segment", Format(decimals=2), ""),
    ("stalled", "stalled_s", Format(decimals=2), " s"),
)
FILM = {"qoe_per_segment", "stalled_s"}
"""Only where a browser played one."""


def outcome_tables(conditions: Sequence[Condition], runs: Sequence[FinishedRun]) -> str:
    """A table for each condition, in Markdown, in the order of the report's."""
    find = finder_of(runs)
    marked = mark_arms(conditions, (run.record for run in runs))
    return "\n".join(
        f"{title_of(condition)}: {settings_of(condition)}\n\n{_table(condition, find)}" for condition in marked
    )


def _table(condition: Condition, find: FindRun) -> str:
    arms = summarise_arms(condition, find)
    columns = [column for column in COLUMNS if column[1] not in FILM or any(arm.mean(column[1]) for arm in arms)]
    rows = [
        [
            arm.arm.name,
            *(_mean(arm, quantity, written, unit) for _, quantity, written, unit in columns),
            f"{arm.finished}" if arm.finished == len(arm.runs) else f"{arm.finished} of {len(arm.runs)}",
        ]
        for arm in arms
    ]
    return markdown_table(["scheme", *(name for name, *_ in columns), "runs"], rows)


def _mean(arm: ArmSummary, quantity: Quantity, written: Format, unit: str) -> str:
    interval = arm.mean(quantity)
    return "-" if interval is None else f"{written.text(interval.value)}{unit}"
