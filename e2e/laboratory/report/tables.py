"""A condition in numbers: a row an arm, and where flows share the link a row a flow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from e2e.laboratory.plan import describe_flow
from e2e.laboratory.report.cells import CHANGE, MBIT_PER_S, PERCENT, Column, Format, Row, Table, TableCell
from e2e.laboratory.statistics.summary import ArmSummary, Compared, FlowSummary, Quantity

ALWAYS: tuple[tuple[Column, Quantity, Format], ...] = (
    (Column("Throughput", "Mbit/s"), "throughput_bits_per_s", MBIT_PER_S),
    (Column("Delay, p95", "ms in the queue"), "delay_p95_ms", Format()),
    (Column("Utilisation", "% of capacity"), "utilisation", PERCENT),
    (Column("Delay, mean", "ms in the queue"), "delay_mean_ms", Format()),
    (Column("Loss", "% of packets"), "loss_ratio", Format(100, 2)),
)
SOMETIMES: tuple[tuple[Column, Quantity, Format], ...] = (
    (Column("Jain's index", "last 30 s together"), "jain", Format(decimals=3)),
    (Column("QoE", "QoE_lin a segment"), "qoe_per_segment", Format(decimals=2)),
    (Column("Bitrate", "Mbit/s of film"), "bitrate_bits_per_s", MBIT_PER_S),
    (Column("Stalled", "s"), "stalled_s", Format(decimals=2)),
)
"""Where an arm has it."""
COMPARED: tuple[tuple[str, Compared], ...] = (
    ("Throughput", "throughput_bits_per_s"),
    ("Delay, p95", "delay_p95_ms"),
)

Columns = list[tuple[Column, Callable[[ArmSummary], TableCell]]]


def arms_table(
    where: str, arms: Sequence[ArmSummary], reference: ArmSummary | None, baseline: str, numbers: Sequence[int]
) -> Table:
    """Means with their intervals, differences from the baseline, and how many runs finished where some did not."""
    columns = _columns(arms, baseline)
    shown = [*zip(arms, numbers, strict=True), *([(reference, None)] if reference is not None else [])]
    return Table(
        label=f"Means and 95 % intervals, {where}",
        first="Scheme",
        columns=tuple(column for column, _ in columns),
        rows=tuple(Row(arm.arm.name, tuple(cell(arm) for _, cell in columns), series=number) for arm, number in shown),
    )


def _columns(arms: Sequence[ArmSummary], baseline: str) -> Columns:
    def mean(quantity: Quantity, written: Format) -> Callable[[ArmSummary], TableCell]:
        return lambda arm: written.cell(arm.mean(quantity))

    def change(quantity: Compared) -> Callable[[ArmSummary], TableCell]:
        return lambda arm: TableCell("") if arm.partners is None else CHANGE.cell(arm.against_baseline(quantity))

    shown = [*ALWAYS, *(each for each in SOMETIMES if any(arm.mean(each[1]) is not None for arm in arms))]
    columns: Columns = [(column, mean(quantity, written)) for column, quantity, written in shown]
    if len(arms) > 1:
        columns += [(Column(title, f"% against {baseline}"), change(quantity)) for title, quantity in COMPARED]
    if any(arm.finished < len(arm.runs) for arm in arms):
        columns.append((Column("Runs", "finished of all"), _finished))
    return columns


def _finished(arm: ArmSummary) -> TableCell:
    return TableCell(f"{arm.finished} of {len(arm.runs)}", is_bad=arm.finished < len(arm.runs))


def flows_table(where: str, flows: Sequence[FlowSummary], first_series: int) -> Table:
    """The same for each flow of each arm, numbered as in `flows.parquet`.

    `first_series` is that of flow 0 in the charts.
    """
    return Table(
        label=f"Flows, {where}",
        first="Scheme and flow",
        columns=(
            Column("Throughput", "Mbit/s while active"),
            Column("Share", "%, last 30 s together"),
            Column("Delay, p95", "ms in the queue"),
            Column("Loss", "% of packets"),
        ),
        rows=tuple(
            Row(
                f"{flow.arm.name}, flow {flow.index}",
                (
                    MBIT_PER_S.cell(flow.throughput_bits_per_s),
                    PERCENT.cell(flow.share),
                    Format().cell(flow.delay_p95_ms),
                    Format(100, 2).cell(flow.loss_ratio),
                ),
                small=describe_flow(flow.flow),
                series=first_series + flow.index,
            )
            for flow in flows
        ),
    )
