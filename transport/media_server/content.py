"""What may be served: the files of one folder, looked up when they are asked for, and generated filler."""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from transport.media_server.film_folder import require_film
from transport.media_server.held_files import FileIdentity, HeldFiles
from transport.media_server.media_types import media_type
from transport.media_server.regular_file import open_regular
from transport.wire_format.requests import generated_length

GENERATED_TYPE = "application/octet-stream"
FILLER = bytes(range(256)) * 256


class UnknownContentError(LookupError):
    """A path at which nothing is served."""


class ForeignPathError(UnknownContentError):
    """A path that no film's file can have."""


class Content(ABC):
    """Bytes that can be read in pieces."""

    length_bytes: int
    content_type: str

    @abstractmethod
    def read(self, offset: int, size_bytes: int) -> bytes:
        """At most `size_bytes` from `offset`; at least one byte before the end."""

    def close(self) -> None:
        """It is not read any more."""


class GeneratedContent(Content):
    """Filler for measurements."""

    content_type = GENERATED_TYPE

    def __init__(self, length_bytes: int) -> None:
        self.length_bytes = length_bytes

    def read(self, offset: int, size_bytes: int) -> bytes:
        """Any of the filler's bytes."""
        return FILLER[: min(size_bytes, self.length_bytes - offset, len(FILLER))]


class FileContent(Content):
    """A regular file below a folder, as it was when it was asked for; raises FileNotFoundError where there is none.

    Whoever replaces it meanwhile changes nothing, as long as it is held open. Where too many files are, it is opened
    anew to be read on; what has taken its place by then is another file.
    """

    def __init__(self, root: Path, parts: tuple[str, ...], content_type: str, held: HeldFiles) -> None:
        self._root = root
        self._parts = parts
        self._held = held
        self.content_type = content_type
        descriptor = open_regular(root, parts)
        self.length_bytes = os.fstat(descriptor).st_size
        self._file = FileIdentity.of(descriptor)
        held.hold(self._file, descriptor, self)

    def read(self, offset: int, size_bytes: int) -> bytes:
        """The file's bytes; raises EOFError if it was cut short meanwhile, OSError if it has gone or was replaced."""
        size_bytes = min(size_bytes, self.length_bytes - offset)
        descriptor = self._held.descriptor(self._file)
        is_new = descriptor is None
        if descriptor is None:
            descriptor = self._open_again()
        try:
            os.lseek(descriptor, offset, os.SEEK_SET)
            data = os.read(descriptor, size_bytes)
        finally:
            if is_new:
                self._held.hold(self._file, descriptor, self)
        if not data:
            raise EOFError(f"{self._parts[-1]} ended at byte {offset} of {self.length_bytes}")
        return data

    def close(self) -> None:
        self._held.leave(self._file, self)

    def _open_again(self) -> int:
        descriptor = open_regular(self._root, self._parts)
        if FileIdentity.of(descriptor) != self._file:
            os.close(descriptor)
            raise OSError(errno.ESTALE, "replaced, or written to, while it was sent", "/".join(self._parts))
        return descriptor


class ServedFolder:
    """A film's regular files below a folder, by their relative path; one that comes later is served once it is there.

    What else lies beside a film is not: a packager's record names paths of this machine. Further folders are mounted
    below names, which go before what the folder itself has there. They may be anybody's: of those no images are served.
    """

    def __init__(self, folder: Path, mounts: Sequence[tuple[str, Path]] = ()) -> None:
        """Raises NotADirectoryError where there is none, NoFilmError where it holds other things than a film."""
        self._root = _film_folder(folder)
        self._mounts = {name: _film_folder(mounted) for name, mounted in mounts}
        self._held = HeldFiles()

    def open(self, path: str) -> Content:
        """The content at a request's path, to be closed; raises UnknownContentError or MalformedRequestError."""
        length_bytes = generated_length(path)
        if length_bytes is not None:
            return GeneratedContent(length_bytes)
        parts = tuple(path.split("/"))
        why = f"{path[:200]!r} is not served here"
        if not all(_is_servable(part) for part in parts):  # such as a web server's folders and .well-known
            raise ForeignPathError(why)
        root = self._root
        is_mounted = len(parts) > 1 and parts[0] in self._mounts
        if is_mounted:
            root, parts = self._mounts[parts[0]], parts[1:]
        content_type = media_type(parts[-1], with_images=not is_mounted)
        if content_type is None:
            raise ForeignPathError(why)
        try:
            return FileContent(root, parts, content_type, self._held)
        except FileNotFoundError as error:
            raise UnknownContentError(why) from error


def _film_folder(folder: Path) -> Path:
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a directory; give the folder of a packaged film")
    require_film(folder)
    return folder.resolve()


def _is_servable(part: str) -> bool:
    """Not a parent folder, an absolute path's beginning or a hidden file."""
    return part != "" and not part.startswith(".")
