"""A trace as a picture: what is drawn is worked out here, `draw.mjs` draws it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from cc.links.traces.summary import summary_of
from cc.links.traces.trace import Trace, bin_edges_s, binned_bits_per_s
from transport.trace_tool.problem import TraceToolError
from transport.trace_tool.report import mbit, outages
from transport.trace_tool.source import Source

DRAW = Path(__file__).with_name("draw.mjs")
NODE_VARIABLE = "NUWA_NODE"
DRAW_LIMIT_S = 120.0
MOST_BINS = 3000  # more cannot be told apart
COARSE_BINS = 10


@dataclass(frozen=True, slots=True)
class Chart:
    """As `draw.mjs` reads it. Points are the start of a bin in s and its mean in Mbit/s; the last one ends it."""

    title: str
    subtitle: str
    fine_bin_s: float
    fine: list[tuple[float, float]]
    coarse_bin_s: float
    coarse: list[tuple[float, float]]
    mean: float
    p5: float
    p95: float
    outages_s: list[tuple[float, float]]


def chart_of(source: Source, *, bin_s: float | None) -> Chart:
    """The percentiles are of the fine bins."""
    trace = source.trace
    fine_bin_s = min(trace.duration_s, bin_s or _fitting_bin_s(trace))
    summary = summary_of(trace, bin_s=fine_bin_s)
    return Chart(
        title=source.stem if "/" in source.name else source.name,
        subtitle=(
            f"{source.kind} · {summary.duration_s:g} s, mean {mbit(summary.mean_bits_per_s)} Mbit/s · "
            f"outages: {outages(summary)}"
        ),
        fine_bin_s=fine_bin_s,
        fine=_points(trace, fine_bin_s),
        coarse_bin_s=fine_bin_s * COARSE_BINS,
        coarse=_points(trace, min(trace.duration_s, fine_bin_s * COARSE_BINS)),
        mean=summary.mean_bits_per_s / 1e6,
        p5=summary.p5_bits_per_s / 1e6,
        p95=summary.p95_bits_per_s / 1e6,
        outages_s=list(summary.outages_s),
    )


def draw(chart: Chart) -> str:
    """SVG. Raises TraceToolError."""
    node = os.environ.get(NODE_VARIABLE) or shutil.which("node")
    if node is None:
        raise TraceToolError("a plot needs Node: run it as `npm run trace -- plot ...`")
    drawn = subprocess.run(
        [node, str(DRAW)],
        input=json.dumps(asdict(chart)),
        capture_output=True,
        encoding="utf-8",
        timeout=DRAW_LIMIT_S,
        check=False,
    )
    if drawn.returncode != 0:
        raise TraceToolError(f"the plot cannot be drawn: {drawn.stderr.strip() or drawn.returncode}")
    return drawn.stdout


def _fitting_bin_s(trace: Trace) -> float:
    """A tenth of a second or one; ten, a hundred where the trace is so long or so coarse."""
    bin_s = 0.1
    while bin_s < trace.resolution_s * 0.5 or trace.duration_s / bin_s > MOST_BINS:
        bin_s *= 10
    return bin_s


def _points(trace: Trace, bin_s: float) -> list[tuple[float, float]]:
    edges_s = bin_edges_s(trace.duration_s, bin_s)
    rates = [round(rate / 1e6, 4) for rate in binned_bits_per_s(trace, edges_s)]
    return [(round(edge_s, 3), rate) for edge_s, rate in zip(edges_s, [*rates, rates[-1]], strict=True)]
