"""A JSON document that tells a page where the media server is: what `attachNuwa` fetches before every session."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from transport.media_server.certificate import Certificate

logger = logging.getLogger(__name__)


class AddressFile:
    """A file in a folder that some web server serves; it is there while the media server is."""

    def __init__(self, path: Path, url: str) -> None:
        self._path = path
        self._url = url

    def write(self, certificates: Sequence[Certificate]) -> None:
        """Put the address there, whole or not at all; raises OSError where that cannot be."""
        hashes = [certificate.sha256_base64 for certificate in certificates]
        partial = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            partial.write_text(json.dumps({"url": self._url, "certificateHashes": hashes}) + "\n", encoding="utf-8")
            partial.replace(self._path)
        except OSError as error:
            sentence = (
                f"--address-file: {self._path} cannot be written ({error.strerror}); give a file in a folder of yours"
            )
            raise OSError(error.errno, sentence) from error

    def rewrite(self, certificates: Sequence[Certificate]) -> None:
        """Like `write`, for a server that has begun: its sessions go on, whatever a disk does."""
        try:
            self.write(certificates)
        except OSError as error:
            logger.error("new pages will not be let in, since the address file cannot be written: %s", error.strerror)

    def remove(self) -> None:
        """Take it away; a page that looks for it learns that there is no media server."""
        self._path.unlink(missing_ok=True)
