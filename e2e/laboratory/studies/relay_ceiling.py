"""How fast the relay forwards, and how late, with nothing but loopback around it."""

from __future__ import annotations

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.measurements.relay_load import measure_relay
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.samples import median_figure
from e2e.laboratory.studies.study import Study

LATE = Reach("at most", 2.0)


def measure(bench: Bench) -> Findings:
    """Medians of the repeats."""
    loads = [measure_relay() for _ in range(bench.repeats)]

    def added(what: str, samples: list[float], reach: Reach | None = None) -> Figure:
        return median_figure(what, samples, "ms", reach=reach)

    passing, emulating = [load.passing for load in loads], [load.emulating for load in loads]
    return Findings(
        (
            median_figure(
                "forwarded without a loss, 1200-byte datagrams",
                [load.ceiling_megabits_per_s for load in loads],
                "Mbit/s",
                reach=Reach("at least", 150.0),
            ),
            added("added delay, idle, passing through, p50", [delay.p50_ms for delay in passing]),
            added("the same, p99", [delay.p99_ms for delay in passing], LATE),
            added("added delay beside the 20 ms emulated, idle, 24 Mbit/s, p50", [delay.p50_ms for delay in emulating]),
            added("the same, p99 (up to 1 ms is the trace's)", [delay.p99_ms for delay in emulating], LATE),
        )
    )


STUDY = Study(
    "What the relay forwards",
    "The relay on loopback: Mbit/s without a loss, and delay beside sending directly.",
    measure,
)
