"""Which certificate new connections get, and which ones a page may still trust."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from transport.media_server.certificate import Certificate, make_certificate
from transport.media_server.lifetime import LIFETIME

ROTATE_BEFORE_END = datetime.timedelta(days=1)
SHARE_LEFT_AT_ROTATION = 3  # of a short lifetime a third is left
MAX_ANNOUNCED = 4  # rotations on demand could otherwise pile up


class CertificateRotation:
    """A new certificate in time before the old one ends; sessions on the old one are none of its business."""

    def __init__(self, host: str, *, now: datetime.datetime, lifetime: datetime.timedelta = LIFETIME) -> None:
        self._host = host
        self._lifetime = lifetime
        self._margin = min(ROTATE_BEFORE_END, lifetime / SHARE_LEFT_AT_ROTATION)
        self._certificates = [make_certificate(host, now=now, lifetime=lifetime)]

    @property
    def current(self) -> Certificate:
        """The one for new connections."""
        return self._certificates[0]

    @property
    def announced(self) -> Sequence[Certificate]:
        """All that a page may be told of, the newest first."""
        return tuple(self._certificates)

    @property
    def check_interval(self) -> datetime.timedelta:
        """How often to call `update`, so that a rotation is hardly late."""
        return min(datetime.timedelta(seconds=30), self._margin / 10)

    def update(self, *, now: datetime.datetime) -> bool:
        """Rotate where it is time and forget what is no longer valid; whether anything changed.

        A clock that was set back far makes the current certificate one of the future, which browsers refuse, too.
        """
        before = self.announced
        if now < self.current.not_before or now >= self.current.not_after - self._margin:
            self.rotate(now=now)
        self._forget_invalid(now=now)
        return self.announced != before

    def rotate(self, *, now: datetime.datetime) -> None:
        """Make a new certificate now, whatever is left of the old one."""
        self._certificates.insert(0, make_certificate(self._host, now=now, lifetime=self._lifetime))
        del self._certificates[MAX_ANNOUNCED:]

    def _forget_invalid(self, *, now: datetime.datetime) -> None:
        self._certificates[1:] = [old for old in self._certificates[1:] if old.not_before <= now < old.not_after]
