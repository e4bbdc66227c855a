"""A JSON document that tells a page where the media server is: what `attachNuwa` fetches before every session."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transport.whole_files import write_whole

LATENESS_DIGITS = 2
"""Of seconds: a document that changes each time is written for nothing."""
LOOPBACK_OF_WILDCARD = {"0.0.0.0": "127.0.0.1", "::": "::1"}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerAddress:
    """Where one process of the media server opens sessions, and how much it has to do."""

    url: str
    certificate_hashes: tuple[str, ...]
    """Base64 of the SHA-256 of each certificate in force, the newest first."""
    certificate_not_after: str
    """When the newest expires: a copy of the document that has become old can be told from a server that is away."""
    sessions: int
    lateness_s: float
    """How late its event loop woke, the 99th percentile of a second."""


def address_url(host: str, port: int) -> str:
    """Of a server that listens there; one on every address is named by its loopback, since it knows no better."""
    name = LOOPBACK_OF_WILDCARD.get(host, host)
    return f"https://[{name}]:{port}" if ":" in name else f"https://{name}:{port}"


def address_document(workers: Sequence[WorkerAddress]) -> object:
    """What a page reads: the address with the fewest sessions first, then all of them; null while there is none."""
    if not workers:
        return None
    first = min(workers, key=lambda worker: worker.sessions)
    return {
        "url": first.url,
        "certificateHashes": first.certificate_hashes,
        "certificateNotAfter": first.certificate_not_after,
        "workers": [
            {
                "url": worker.url,
                "certificateHashes": worker.certificate_hashes,
                "certificateNotAfter": worker.certificate_not_after,
                "sessions": worker.sessions,
                "latenessMs": round(1000 * worker.lateness_s),
            }
            for worker in workers
        ],
    }


class AddressFile:
    """A file in a folder that some web server serves; it is there while the media server is.

    A successor may have the same file before this server has ended: who began later has it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written: bytes | None = None
        """What the file held when it was last written; None before that."""
        self._can_write = True
        self._is_successors = False

    def write(self, workers: Sequence[WorkerAddress]) -> None:
        """Put the addresses there, whole or not at all; raises OSError where that cannot be."""
        self._write(_document_of(workers))

    def keep(self, workers: Sequence[WorkerAddress]) -> None:
        """Like `write`, where they have changed, the last attempt failed, or there is no file any more.

        For a server that has begun: its sessions go on, whatever a disk does. To be called again and again.
        """
        document = _document_of(workers)
        try:
            held = self._read()
            if held is not None and held != self._written:
                self._leave_to_successor()
            elif held is None or document != self._written:
                self._write(document)
        except OSError as error:
            if self._can_write:
                logger.error("new pages will not be let in for now: %s", error.strerror)
            self._can_write = False
        else:
            self._can_write = True

    def remove(self) -> None:
        """Take it away, unless it is a successor's; a page that looks for it learns that there is no media server."""
        try:
            if self._path.read_bytes() == self._written:
                self._path.unlink()
        except FileNotFoundError:
            return
        except OSError as error:
            logger.error(
                "--address-file: %s cannot be removed (%s) and may name a media server that has ended: remove it",
                self._path,
                error.strerror,
            )

    def _leave_to_successor(self) -> None:
        """What stands there was written after this server's own, or it would have been written over."""
        if not self._is_successors:
            logger.warning(
                "--address-file: %s is another media server's by now, and new pages are sent to that one; remove the "
                "file where there is no other",
                self._path,
            )
        self._is_successors = True

    def _read(self) -> bytes | None:
        """What it holds; None where it is not there."""
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            sentence = (
                f"--address-file: {self._path} cannot be read ({error.strerror}); give a file in a folder of yours"
            )
            raise OSError(error.errno, sentence) from error

    def _write(self, document: bytes) -> None:
        try:
            write_whole({self._path: document})
            self._written = document
            self._is_successors = False
        except OSError as error:
            sentence = (
                f"--address-file: {self._path} cannot be written ({error.strerror}); give a file in a folder of yours"
            )
            raise OSError(error.errno, sentence) from error


def _document_of(workers: Sequence[WorkerAddress]) -> bytes:
    return json.dumps(address_document(workers)).encode() + b"\n"
