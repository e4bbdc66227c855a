"""What may be served: the files of one directory, listed once, and generated filler."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path

from transport.media_server.listed_file import open_listed
from transport.wire_format.requests import generated_length

CONTENT_TYPES = {
    ".mpd": "application/dash+xml",
    ".m4s": "video/iso.segment",
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".m4a": "audio/mp4",
    ".cmfv": "video/mp4",
    ".cmfa": "audio/mp4",
    ".cmft": "application/mp4",
    ".webm": "video/webm",
    ".ts": "video/mp2t",
    ".vtt": "text/vtt",
    ".ttml": "application/ttml+xml",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".json": "application/json",
}
OTHER_CONTENT_TYPE = "application/octet-stream"
FILLER = bytes(range(256)) * 256


class UnknownContentError(LookupError):
    """A path that is not in the index."""


class Content(ABC):
    """Bytes that can be read in pieces."""

    length_bytes: int
    content_type: str

    @abstractmethod
    def read(self, offset: int, size_bytes: int) -> bytes:
        """At most `size_bytes` from `offset`; at least one byte before the end."""


class GeneratedContent(Content):
    """Filler for measurements."""

    content_type = OTHER_CONTENT_TYPE

    def __init__(self, length_bytes: int) -> None:
        self.length_bytes = length_bytes

    def read(self, offset: int, size_bytes: int) -> bytes:
        """Any of the filler's bytes."""
        return FILLER[: min(size_bytes, self.length_bytes - offset, len(FILLER))]


class FileContent(Content):
    """A file of the index; raises OSError if it has gone.

    The file is opened for each read: thousands of requests may wait at once, and a descriptor for each would exhaust
    the process.
    """

    def __init__(self, root: Path, path: str) -> None:
        self._root = root
        self._parts = tuple(path.split("/"))
        self.content_type = CONTENT_TYPES.get(Path(path).suffix, OTHER_CONTENT_TYPE)
        with open_listed(root, self._parts) as descriptor:
            self.length_bytes = os.fstat(descriptor).st_size

    def read(self, offset: int, size_bytes: int) -> bytes:
        """The file's bytes; raises EOFError if it was cut short meanwhile."""
        with open_listed(self._root, self._parts) as descriptor:
            os.lseek(descriptor, offset, os.SEEK_SET)
            data = os.read(descriptor, min(size_bytes, self.length_bytes - offset))
        if not data:
            raise EOFError(f"{self._parts[-1]} ended at byte {offset} of {self.length_bytes}")
        return data


class ContentIndex:
    """The regular files below a directory, by their relative path; a request is looked up, never joined to a path."""

    def __init__(self, directory: Path) -> None:
        """Raises NotADirectoryError where there is none."""
        if not directory.is_dir():
            raise NotADirectoryError(f"{directory} is not a directory; give the folder of a packaged film")
        self._root = directory.resolve()
        self._paths = frozenset(_servable_paths(self._root))

    def __len__(self) -> int:
        return len(self._paths)

    def open(self, path: str) -> Content:
        """The content at a request's path; raises UnknownContentError or MalformedRequestError."""
        length_bytes = generated_length(path)
        if length_bytes is not None:
            return GeneratedContent(length_bytes)
        unknown = UnknownContentError(f"{path[:200]!r} is not served here")
        if path not in self._paths:
            raise unknown
        try:
            return FileContent(self._root, path)
        except FileNotFoundError as error:
            raise unknown from error


def _servable_paths(root: Path) -> list[str]:
    return [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file()
        and not path.is_symlink()
        and not any(part.startswith(".") for part in path.relative_to(root).parts)
    ]
