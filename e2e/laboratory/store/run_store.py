"""A file for each finished run: what is there need not be run again."""

from __future__ import annotations

from pathlib import Path

from e2e.laboratory.record import RunRecord
from e2e.laboratory.store.record_store import RecordStore


class RunStore(RecordStore[RunRecord]):
    """The runs of a matrix, by their keys, in its directory."""

    def __init__(self, directory: Path) -> None:
        """Makes the directory if it is not there."""
        super().__init__(directory / "runs", RunRecord)
