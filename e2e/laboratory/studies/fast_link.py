"""What the media server carries, and what that takes."""

from __future__ import annotations

from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import alone, link_run, named_link
from e2e.laboratory.studies.samples import mean_figure, values_of
from e2e.laboratory.studies.study import Study

QUEUE_PACKETS = 500
"""A little more than the path holds by itself."""
SCHEMES = ("cubic", "bbr", "nuwa")
CARRIED = Reach("at least", 90.0)


def measure(bench: Bench) -> Findings:
    """Throughput, delay and the server's CPU time of each scheme."""
    link, preset = named_link("100mbit", QUEUE_PACKETS), bench.preset_or("on-demand")
    runs = [
        link_run(link, alone(scheme, preset), seed, duration_s=20, place="mahimahi")
        for seed in range(1, bench.repeats + 1)
        for scheme in SCHEMES
    ]
    results = bench.run(runs)
    figures = []
    for at, scheme in enumerate(SCHEMES):
        own = results[at :: len(SCHEMES)]
        rates = values_of(own, lambda result: result.link.throughput_bits_per_s / 1e6)
        delays = values_of(values_of(own, lambda result: result.flows[0].queueing_delay), lambda delay: delay.mean_ms)
        shares = values_of(values_of(own, lambda result: result.server_cpu_share), lambda share: 100 * share)
        figures += [
            mean_figure(f"{scheme}: throughput", rates, "Mbit/s", reach=CARRIED),
            mean_figure(f"{scheme}: mean queueing delay", delays, "ms"),
            mean_figure(f"{scheme}: the media server's share of a core", shares, "%"),
        ]
    return Findings(tuple(figures))


STUDY = Study(
    "A fast link",
    "100 Mbit/s, 20 ms each way, a queue of 500 packets under mahimahi, 20 s: throughput, and the media server's share "
    "of a core.",
    measure,
    places=("mahimahi",),
    reads_preset=True,
)
