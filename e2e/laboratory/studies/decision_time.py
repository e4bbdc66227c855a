"""What a policy's decision takes as the media server asks for it."""

from __future__ import annotations

import asyncio

from tqdm import tqdm

from cc.core.quantile import quantile
from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.measurements.decision_time import decision_times
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.shipped import shipped
from e2e.laboratory.studies.study import Study
from models.policies.folder import POLICIES
from models.policies.policy import load_policy

P99 = Reach("at most", 0.5)


def measure(bench: Bench) -> Findings:
    """Of every shipped policy, once. Raises PolicyError."""
    del bench
    figures, rows = [], []
    for policy in tqdm(shipped(POLICIES), desc="decision times", unit="policy"):
        times_s = asyncio.run(decision_times(policy.name, load_policy(policy.name).card.space))
        p50_ms, p99_ms, largest_ms = (1000 * quantile(sorted(times_s), share) for share in (0.5, 0.99, 1.0))
        figures.append(Figure(f"{policy.title}: a decision in the server, p99", p99_ms, "ms", reach=P99))
        rows.append((policy.title, f"{p50_ms:.3f}", f"{p99_ms:.3f}", f"{largest_ms:.3f}", str(len(times_s))))
    header = ("policy", "p50, ms", "p99, ms", "largest, ms", "decisions")
    return Findings(tuple(figures), tables=(Table("Decisions", header, tuple(rows)),))


STUDY = Study(
    "Decision time",
    "As the media server asks a policy, a decision every 2 ms; on this machine.",
    measure,
)
