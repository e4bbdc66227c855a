"""A file for each finished run: what is there need not be run again."""

from __future__ import annotations

from pathlib import Path

import msgspec

from e2e.laboratory.record import RunRecord


class RunStore:
    """The runs of a matrix, by their keys, in its directory."""

    def __init__(self, directory: Path) -> None:
        """Makes the directory if it is not there."""
        self._runs = directory / "runs"
        self._runs.mkdir(parents=True, exist_ok=True)

    def read(self, key: str) -> RunRecord | None:
        """None where the run was not finished. No file is cut off in writing: it gets its name when it is whole."""
        file = self._file(key)
        return msgspec.json.decode(file.read_bytes(), type=RunRecord) if file.exists() else None

    def write(self, key: str, record: RunRecord) -> None:
        """A run is over, well or badly."""
        part = self._file(key).with_suffix(".part")
        part.write_bytes(msgspec.json.encode(record))
        part.replace(self._file(key))

    def forget(self, key: str) -> None:
        """As if it had never been run."""
        self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._runs / f"{key}.json"
