"""The policies themselves: which are shipped, from which training, and how large they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from e2e.laboratory.learned.arms import is_shipped
from e2e.laboratory.learned.episode_runs import Episodes
from e2e.laboratory.learned.names import TITLES
from e2e.laboratory.learned.report import NOT_SHIPPED, Figure, Findings, Reach
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


def report(episodes: Episodes) -> Findings:
    """Sizes of the models. Raises PolicyError."""
    sizes = {policy.name: policy.model_bytes / 1e6 for policy in shipped(episodes.settings.policies)}
    return Findings(
        (),
        tuple(
            Figure(f"{title}: model", sizes[name], "MB", LARGEST)
            if name in sizes
            else Figure(f"{title}, model: {NOT_SHIPPED}", None)
            for name, title in TITLES.items()
        ),
    )


STUDY = Study(
    "models",
    "The models",
    "Size of the file that is shipped.",
    report,
)
