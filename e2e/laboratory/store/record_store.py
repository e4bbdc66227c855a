"""A file for each record: what is there need not be made again."""

from __future__ import annotations

import os
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
        """None where there is none, or none that can be read: a computer that lost its power may have left it empty."""
        file = self._file(key)
        try:
            return msgspec.json.decode(file.read_bytes(), type=self._kind)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return None

    def write(self, key: str, record: RecordT) -> None:
        """It gets its name when it is whole, whoever else writes the same one. Raises OSError."""
        part = self._file(key).with_suffix(f".{os.getpid()}.part")
        try:
            part.write_bytes(msgspec.json.encode(record))
            part.replace(self._file(key))
        finally:  # nothing of it stays on a full disk
            part.unlink(missing_ok=True)

    def forget(self, key: str) -> None:
        """As if it had never been made."""
        self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._directory / f"{key}.json"
