"""A file for each record: what is there need not be made again."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

RecordT = TypeVar("RecordT")


class RecordStore(Generic[RecordT]):
    """Records by their keys, in a directory."""

    def __init__(self, directory: Path, kind: type[RecordT]) -> None:
        """Makes the directory if it is not there."""
        self._directory = directory
        self._kind = kind
        directory.mkdir(parents=True, exist_ok=True)

    def read(self, key: str) -> RecordT | None:
        """None where there is none. No file is cut off in writing: it gets its name when it is whole."""
        file = self._file(key)
        return msgspec.json.decode(file.read_bytes(), type=self._kind) if file.exists() else None

    def write(self, key: str, record: RecordT) -> None:
        """Raises OSError."""
        part = self._file(key).with_suffix(".part")
        part.write_bytes(msgspec.json.encode(record))
        part.replace(self._file(key))

    def forget(self, key: str) -> None:
        """As if it had never been made."""
        self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._directory / f"{key}.json"
