"""What a command measured, kept where pages find it: a JSON file a command."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from cc.command_line.clone import ROOT
from e2e.laboratory.figures.figure import Figure
from e2e.laboratory.origin import commit, has_local_changes, processor

FOLDER = Path(__file__).parent / "measured"
BENCH = ROOT / ".build" / "e2e" / "bench"
"""Where benchmarks leave their figures, unless told otherwise."""
MOST_CHARACTERS = 230
"""Of a kept file's name: systems take 255."""


class MeasuredError(Exception):
    """A file that holds no figures."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Figures, and how they were made."""

    command: str
    """As a reader types it."""
    commit: str
    measured_at: str
    """ISO 8601; pages show the day."""
    machine: str
    figures: tuple[Figure, ...]
    tables: tuple[str, ...] = ()
    """Markdown that the command prints above its figures."""
    has_local_changes: bool = False
    """Whether sources differed from the commit."""

    @classmethod
    def just_now(cls, command: str, figures: Sequence[Figure], tables: Sequence[str] = ()) -> Self:
        """On this machine, by this clone."""
        measured_at = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(
            command,
            commit(),
            measured_at,
            machine(),
            tuple(figures),
            tuple(tables),
            has_local_changes=has_local_changes(),
        )

    def kept_in(self, folder: Path) -> Path:
        """A file by the command; one of its own where another command has that name already.

        Raises MeasuredError for a file there that holds no figures.
        """
        words = re.sub(r"[^A-Za-z0-9.]+", "-", self.command).strip("-")[:MOST_CHARACTERS]
        file = folder / f"{words}.json"
        if file.exists() and Measured.read(file).command != self.command:
            return folder / f"{words}-{sha256(self.command.encode()).hexdigest()[:8]}.json"
        return file

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read a kept file, or what `npm run bench -- NAME` leaves.

        Raises MeasuredError.
        """
        try:
            fields: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return cls(
                command=fields["command"],
                commit=fields["commit"],
                measured_at=fields["measured_at"],
                machine=fields["machine"],
                figures=tuple(Figure.from_json(figure) for figure in fields["figures"]),
                tables=tuple(fields.get("tables", ())),
                has_local_changes=fields.get("has_local_changes", False),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise MeasuredError(f"{file} holds no figures ({error!r}): name a file that a benchmark wrote") from error

    def keep(self, folder: Path = FOLDER) -> Path:
        """Write it there, in place of what the same command measured before."""
        folder.mkdir(parents=True, exist_ok=True)
        file = self.kept_in(folder)
        file.write_text(f"{json.dumps(asdict(self), indent=1, allow_nan=False)}\n", encoding="utf-8")
        return file

    def leave(self, folder: Path, name: str) -> Path:
        """Write it there as one measurement of many. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{self.measured_at.replace(':', '-')}-{name}.json"
        file.write_text(f"{json.dumps(asdict(self), indent=1, allow_nan=False)}\n", encoding="utf-8")
        return file


def machine() -> str:
    """What figures depend on."""
    return f"{os.cpu_count()} cores, {processor()}"


def all_measured(folder: Path = FOLDER) -> dict[str, Measured]:
    """Everything that was kept, by its command.

    Raises MeasuredError.
    """
    kept = [Measured.read(file) for file in sorted(folder.glob("*.json"))]
    return {measured.command: measured for measured in kept}
