"""Which certificate a server's new connections get, changed in time while it runs."""

from __future__ import annotations

import asyncio
import datetime
import logging
from collections.abc import Callable, Sequence

from aioquic.quic.configuration import QuicConfiguration

from transport.media_server.certificate import Certificate
from transport.media_server.certificate_files import CertificateFiles
from transport.media_server.certificate_rotation import CertificateRotation

logger = logging.getLogger(__name__)


class CertificatesInService:
    """Gives new connections the newest certificate; open ones go on with theirs."""

    def __init__(
        self,
        rotation: CertificateRotation | CertificateFiles,
        configuration: QuicConfiguration,
        clock: Callable[[], datetime.datetime],
    ) -> None:
        self._rotation = rotation
        self._configuration = configuration
        self._clock = clock
        self.on_change: Callable[[Sequence[Certificate]], None] = lambda certificates: None
        """Told the certificates in force, the newest first, whenever they change."""
        self._use_current()

    @property
    def announced(self) -> Sequence[Certificate]:
        """Those in force, the newest, which new connections get, first."""
        return self._rotation.announced

    def rotate(self) -> None:
        """Give new connections a new certificate from now on."""
        self._rotation.rotate(now=self._clock())
        self._announce()

    async def run(self) -> None:
        """Rotate in time, for ever."""
        # the clock is asked each time: timers stand still while a machine sleeps
        while True:
            await asyncio.sleep(self._rotation.check_interval.total_seconds())
            if self._rotation.update(now=self._clock()):
                self._announce()

    def _announce(self) -> None:
        self._use_current()
        logger.info("the certificate for new sessions is valid until %s", self._rotation.current.not_after.isoformat())
        self.on_change(self.announced)

    def _use_current(self) -> None:
        """For connections from now on; each has taken its own from the configuration when it began."""
        current = self._rotation.current
        self._configuration.certificate = current.certificate
        self._configuration.certificate_chain = list(current.chain)
        self._configuration.private_key = current.private_key
