"""A qlog that is written while it grows, so that it can be read at any time and nothing is kept (RFC 7464)."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from cc.core import qlog

FLUSH_INTERVAL_S = 1.0

logger = logging.getLogger(__name__)


class QlogFile:
    """Writes records until it is closed; one that cannot be written ends the log, not what is logged."""

    def __init__(self, path: Path, head: qlog.Json) -> None:
        """Begin the file, and make its folder. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = path.open("w", encoding="utf-8")
        self._flushed_s = time.monotonic()
        self.write(head)

    def write(self, record: qlog.Json) -> None:
        """Add a record; nothing once it is closed."""
        if self._file.closed:
            return
        try:
            self._file.write(qlog.text(record))
            now_s = time.monotonic()
            if now_s - self._flushed_s >= FLUSH_INTERVAL_S:
                self._flushed_s = now_s
                self._file.flush()
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Write what is left."""
        try:
            self._file.close()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        logger.error("the qlog %s ends here, since it cannot be written: %s", self._path, error)
        try:
            self._file.close()
        except OSError:
            logger.debug("what was left of %s is lost", self._path)
