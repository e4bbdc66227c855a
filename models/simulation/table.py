"""Simulated runs as a small table for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

HEAD = ("scheme", "throughput", "of the link", "queueing delay", "95 %", "RTT", "lost")


def result_table(found: Sequence[dict[str, Any]]) -> str:
    """A line for each flow of the runs that `cc.simulation.answer` tells of."""
    rows = [HEAD, *(_row(flow, answer["link"]) for answer in found for flow in answer["flows"])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return "".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, *figures = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
    return "  ".join([name.strip().ljust(widths[0]), *figures]) + "\n"


def _row(flow: dict[str, Any], link: dict[str, Any]) -> tuple[str, ...]:
    throughput, capacity = flow["throughput_bits_per_s"], link["capacity_bits_per_s"]
    delay, sent = flow["queueing_delay"], flow["packets_sent"]
    return (
        flow["scheme"],
        f"{throughput / 1e6:.2f} Mbit/s",
        f"{100 * throughput / capacity:.1f} %" if capacity else "-",
        "-" if delay is None else f"{delay['mean_ms']:.1f} ms",
        "-" if delay is None else f"{delay['p95_ms']:.1f} ms",
        "-" if flow["rtt_mean_ms"] is None else f"{flow['rtt_mean_ms']:.1f} ms",
        f"{100 * flow['packets_lost'] / sent:.2f} %" if sent else "-",
    )
