"""What studies leave: their figures and all that they were worked out from as JSON, and a page to look at."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from e2e.laboratory.figures.bench_command import bench_command
from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.figures.markdown import figure_table, markdown_table
from e2e.laboratory.figures.measured import Measured, machine
from e2e.laboratory.learned.episode_runs import Settings
from e2e.laboratory.learned.store import sources_sha256
from e2e.laboratory.origin import commit, has_local_changes
from e2e.laboratory.report.plain_table import Table
from e2e.laboratory.studies.findings import Findings
from e2e.laboratory.studies.study import Study
from models.scenarios.splits import missing_traces, split_traces


@dataclass(frozen=True, slots=True)
class Studied:
    """A study, and what it found."""

    name: str
    study: Study
    repeats: int
    findings: Findings


@dataclass(frozen=True, slots=True)
class Measurement:
    """All studies of one command."""

    name: str
    """Of the studies, or of their group."""
    command: str
    """As a reader types it."""
    settings: Settings
    studied: Sequence[Studied]
    written_at: str
    """ISO 8601, UTC."""
    commit: str
    machine: str
    has_local_changes: bool = False
    """Whether sources differed from the commit."""

    @classmethod
    def of(cls, names: Sequence[str], arguments: Sequence[str], settings: Settings, studied: Sequence[Studied]) -> Self:
        """What was found just now, on this machine."""
        return cls(
            "-".join(names),
            bench_command(*names, *arguments),
            settings,
            studied,
            datetime.now(UTC).isoformat(timespec="seconds"),
            commit(),
            machine(),
            has_local_changes=has_local_changes(),
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Of all studies."""
        return tuple(figure for each in self.studied for figure in each.findings.figures)


def text(studied: Studied) -> str:
    """For a terminal, in Markdown."""
    tables = [markdown(table) for table in studied.findings.tables]
    return "\n".join([f"# {studied.study.title}\n", *tables, figure_table(studied.findings.figures)])


def markdown(table: Table) -> str:
    """With its title above it."""
    return f"{table.title}:\n\n{markdown_table(table.header, table.rows)}"


def as_json(measurement: Measurement) -> str:
    """What `nuwa bench pages` reads, and every row."""
    tables = [markdown(table) for each in measurement.studied for table in each.findings.tables]
    measured = Measured(
        measurement.command,
        measurement.commit,
        measurement.written_at,
        measurement.machine,
        measurement.figures,
        tuple(tables),
        has_local_changes=measurement.has_local_changes,
    )
    settings = measurement.settings
    played = {
        "split": settings.split,
        "seconds": settings.seconds,
        "every": settings.every,
        "traces": len(split_traces(settings.split)),
        "missing_traces": missing_traces(settings.split),
        "sources_sha256": sources_sha256(),
    }
    studies = [
        {
            "name": each.name,
            "title": each.study.title,
            "text": each.study.text,
            "repeats": each.repeats,
            **asdict(each.findings),
        }
        for each in measurement.studied
    ]
    return json.dumps({**asdict(measured), "episodes": played, "studies": studies}, allow_nan=False, indent=1) + "\n"


def write(folder: Path, measurement: Measurement, page: str) -> list[Path]:
    """Both files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{measurement.written_at.replace(':', '-')}-{measurement.name}"
    files = {folder / f"{name}.json": as_json(measurement), folder / f"{name}.html": page}
    for file, content in files.items():
        file.write_text(content, encoding="utf-8")
    return list(files)
