"""How two flows of one scheme share a link."""

from __future__ import annotations

from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.plan import Arm
from e2e.laboratory.statistics.fairness import run_fairness
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.link_runs import bulk_flow, link_run, named_link
from e2e.laboratory.studies.samples import mean_figure, of_starts
from e2e.laboratory.studies.study import Study

SECOND_FROM_S = 10.0
SHIFT_S = 0.1
"""By how much later the second flow begins in each repeat: without chance, equal runs end equally."""
SCHEMES = ("cubic", "bbr", "copa", "pcc-vivace")
FAIR = Reach("at least", 0.95)
PAPERS_LAW = "paper"
"""The preset that has no part of ours, and so nothing to reach."""


def measure(bench: Bench) -> Findings:
    """Jain's index of each scheme."""
    link = named_link("24mbit", queue_packets=300)
    presets = dict.fromkeys((bench.preset_or("compete"), "on-demand", PAPERS_LAW))
    arms = {scheme: (scheme, "on-demand") for scheme in SCHEMES}
    arms |= {f"nuwa ({preset})": ("nuwa", preset) for preset in presets}
    arms["kuafu (on-demand)"] = ("kuafu", "on-demand")
    runs = [
        link_run(link, _arm(name, *arm, SECOND_FROM_S + SHIFT_S * repeat), repeat + 1, duration_s=60)
        for name, arm in arms.items()
        for repeat in range(bench.repeats)
    ]
    results = bench.run(runs)
    indices = [
        None if result is None else run_fairness(run.plan, result.intervals).jain
        for run, result in zip(runs, results, strict=True)
    ]
    return Findings(
        tuple(
            of_starts(
                mean_figure(
                    f"Jain's index, {name}",
                    indices[at * bench.repeats :][: bench.repeats],
                    reach=None if arms[name][1] == PAPERS_LAW else FAIR,
                )
            )
            for at, name in enumerate(arms)
        )
    )


def _arm(name: str, scheme: str, preset: str, second_from_s: float) -> Arm:
    return Arm(name, (bulk_flow(scheme, preset), bulk_flow(scheme, preset, second_from_s)))


STUDY = Study(
    "Two flows of one scheme",
    "24 Mbit/s, a queue of 300 packets, 60 s (simulated): Jain's index of the last 30 s. The second flow begins after "
    f"10 s, and {SHIFT_S:g} s later in each repeat: nothing else differs.",
    measure,
    places=("simulation",),
    reads_preset=True,
)
