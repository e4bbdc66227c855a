"""The policies themselves: which are shipped, from which training, and how large they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.figures.figure import Figure, Reach
from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.lineup import TITLES
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.bench import Bench
from e2e.laboratory.studies.findings import NOT_SHIPPED, Findings
from e2e.laboratory.studies.study import Study
from models.policies.policy import MAX_MODEL_BYTES, read_policy

LARGEST = Reach("at most", MAX_MODEL_BYTES / 1e6)


@dataclass(frozen=True, slots=True)
class Shipped:
    """A policy that can be had."""

    name: str
    title: str
    scheme: str
    model_bytes: int
    sha256: str
    seed: int
    steps: int


def shipped(policies: Path) -> list[Shipped]:
    """In the order of the tables. Raises PolicyError."""
    found = []
    for name, title in TITLES.items():
        if is_shipped(name, policies):
            card, model = read_policy(name, policies)
            training = card.training
            found.append(Shipped(name, title, card.scheme, len(model), card.sha256, training.seed, training.steps))
    return found


def measure(bench: Bench) -> Findings:
    """Sizes of the models. Raises PolicyError."""
    policies = {policy.name: policy for policy in shipped(bench.settings.policies)}
    return Findings(
        tuple(
            Figure(f"{title}: model", policies[name].model_bytes / 1e6, "MB", reach=LARGEST)
            if name in policies
            else Figure(f"{title}, model: {NOT_SHIPPED}", None)
            for name, title in TITLES.items()
        ),
        tables=(_table(list(policies.values())),),
    )


def _table(policies: Sequence[Shipped]) -> Table:
    rows = (
        (each.title, f"{each.model_bytes / 1000:.0f}", f"{each.steps:,}", str(each.seed), each.sha256[:12])
        for each in policies
    )
    return Table("Policies", ("policy", "model, kB", "trained, decisions", "seed", "SHA-256"), tuple(rows))


STUDY = Study(
    "The models",
    "Size of the file that is shipped.",
    measure,
    is_made_once=True,
)
