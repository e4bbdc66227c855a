"""The report: one page that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import jinja2
from tqdm import tqdm

from e2e.laboratory.bundle import BUSY_SERVER_SHARE, LATE_HOST_MS, Bundle
from e2e.laboratory.condition import Condition
from e2e.laboratory.record import FinishedRun, finder_of
from e2e.laboratory.report.chart import SERIES
from e2e.laboratory.report.section import section_of
from e2e.laboratory.statistics.missed_decisions import mark_arms

TEMPLATES = Path(__file__).parent / "templates"
MOST_NAMES = 4
"""So many are named in the title."""
LEAST_WAIT_S = 3.0
"""A page that takes longer to draw says on a terminal how far it has come."""


def render(template: str, **contents: object) -> str:
    """A page of the laboratory: base.html.jinja has its look, `template` fills its blocks."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(series=SERIES, json=lambda value: json.dumps(value, indent=2))
    return environment.get_template(template).render(**contents)


def write_report(path: Path, *, bundle: Bundle, conditions: Sequence[Condition], runs: Sequence[FinishedRun]) -> None:
    """What all the runs of a matrix have shown, with what they were made by."""
    marked = mark_arms(conditions, (run.record for run in runs))
    names = list(dict.fromkeys(arm.name for condition in marked for arm in condition.arms))
    find = finder_of(runs)
    shown = tqdm(marked, desc="report", unit="condition", delay=LEAST_WAIT_S, leave=False, disable=None)
    page = render(
        "matrix.html.jinja",
        title=f"{_listed(names, 'schemes')} over {_listed([link.name for link in bundle.links], 'links')}",
        bundle=bundle,
        sections=[section_of(condition, find, names) for condition in shown],
        busy_server_share=BUSY_SERVER_SHARE,
        late_host_ms=LATE_HOST_MS,
    )
    path.write_text(page, encoding="utf-8")


def _listed(names: Sequence[str], kind: str) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names)} {kind}"
