"""What a run is about to feed, on disk before it is fed: a process that dies cannot tell it afterwards."""

from __future__ import annotations

from pathlib import Path

LENGTH_BYTES = 4


class Journal:
    """Inputs since the subject began. `typescript/journal.ts` writes the same format."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("wb", buffering=0)

    def begin(self) -> None:
        """Another subject takes over: what was fed before leads to nothing."""
        self._file.seek(0)
        self._file.truncate()

    def note(self, data: bytes) -> None:
        """Call it before the input is fed."""
        self._file.write(len(data).to_bytes(LENGTH_BYTES, "big") + data)

    def close(self) -> None:
        """The run came to its end."""
        self._file.close()


def read(file: Path) -> list[bytes]:
    """Every whole input; none where the process died before its first."""
    content = file.read_bytes() if file.is_file() else b""
    inputs, at = [], 0
    while at + LENGTH_BYTES <= len(content):
        begins = at + LENGTH_BYTES
        at = begins + int.from_bytes(content[at:begins], "big")
        if at <= len(content):
            inputs.append(content[begins:at])
    return inputs
