"""A group's arms as a table."""

from __future__ import annotations

from e2e.laboratory.learned.groups import Group, Row
from models.evaluation.comparison import difference_text


def group_header(group: Group) -> tuple[str, ...]:
    """The columns' titles."""
    rewards = ("reward", "the policy's less it, 95 %") if group.differences else ()
    share = ("share beside CUBIC, %",) if _has_shares(group) else ()
    measured = (
        "throughput, Mbit/s",
        "utilisation, %",
        "mean delay, ms",
        "p95 delay, ms",
        "round trip, ms",
        "loss, %",
    )
    return ("arm", *rewards, *measured, *share)


def group_rows(group: Group) -> tuple[tuple[str, ...], ...]:
    """An arm each."""
    return tuple(_cells(row, group) for row in group.rows)


def _cells(row: Row, group: Group) -> tuple[str, ...]:
    rewards = (f"{row.reward:.4f}", _less(row, group)) if group.differences else ()
    share = ("" if row.share is None else f"{100 * row.share:.1f}",) if _has_shares(group) else ()
    return (
        f"{row.name} (on the front)" if row.name in group.front else row.name,
        *rewards,
        f"{row.throughput_bits_per_s / 1e6:.2f}",
        f"{100 * row.utilisation:.1f}",
        f"{1000 * row.queueing_s:.1f}",
        "" if row.queueing_p95_s is None else f"{1000 * row.queueing_p95_s:.1f}",
        f"{1000 * row.latency_s:.1f}",
        f"{100 * row.loss_ratio:.2f}",
        *share,
    )


def _less(row: Row, group: Group) -> str:
    for difference in group.differences:
        if difference.rival == row.name:
            return difference_text(difference.interval, 4)
    return ""


def _has_shares(group: Group) -> bool:
    return any(row.share is not None for row in group.rows)
