"""Whether a folder is that of a film: who mistypes it shall not serve everything else that is there."""

from __future__ import annotations

import errno
import itertools
import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from transport.media_server.media_types import FILM_SUFFIXES

LOOKED_AT = 10_000  # names: some 20 ms; a film's are at the top, or a few folders below


class NoFilmError(ValueError):
    """A folder with many things, none of which is part of a film."""


def require_film(folder: Path) -> None:
    """Raises NoFilmError, unless it holds a manifest or media; an empty one may be that of a film that is to come."""
    names = list(itertools.islice(_names(folder), LOOKED_AT))
    if any(names) and not any(Path(name).suffix.lower() in FILM_SUFFIXES for name in names):
        beyond = f" among its first {LOOKED_AT:,} files" if len(names) == LOOKED_AT else ""
        raise NoFilmError(
            f"{folder} has no manifest (.mpd, .m3u8) and no segment{beyond}; give the folder of a packaged film"
        )


def _names(folder: Path) -> Iterator[str]:
    """Of files, the folder's own first, and "" for each folder; links are not followed, nor what cannot be read."""
    waiting = deque([str(folder)])
    while waiting:
        try:
            with os.scandir(waiting.popleft()) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                        yield ""
                    else:
                        yield entry.name
        except (PermissionError, FileNotFoundError):  # one may not be read, or has gone meanwhile
            continue
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:  # it lies too deep for a path
                raise
