"""A certificate and its key from files, read anew when somebody renews them."""

from __future__ import annotations

import datetime
import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from transport.media_server.certificate import Certificate, PrivateKey

CHECK_INTERVAL = datetime.timedelta(seconds=5)
CURVES = ("secp256r1", "secp384r1")
"""Of those by which TLS signs (RFC 8446 section 4.2.3), what aioquic knows, and Chromium."""

logger = logging.getLogger(__name__)


class CertificateFileError(ValueError):
    """Files that are no certificate with its key; the message is one sentence."""


@dataclass(frozen=True)
class CertificatePaths:
    """Both in PEM form; the certificate with its issuers' behind it, as they are issued."""

    certificate: Path
    key: Path


def read_certificate(paths: CertificatePaths, *, now: datetime.datetime) -> Certificate:
    """Raises CertificateFileError."""
    pem = _bytes_of("certificate", paths.certificate)
    try:
        first, *chain = x509.load_pem_x509_certificates(pem)
    except ValueError as error:
        raise CertificateFileError(f"{paths.certificate} holds no certificate in PEM form") from error
    key = _key_of(paths.key)
    if key.public_key() != first.public_key():
        raise CertificateFileError(
            f"the certificate {paths.certificate} does not match the key {paths.key}; give the two of one issue"
        )
    if first.not_valid_after_utc <= now:
        ended = first.not_valid_after_utc.date().isoformat()
        raise CertificateFileError(f"the certificate {paths.certificate} ended on {ended}; renew it")
    return Certificate(first, key, chain=tuple(chain), is_known_by_hash=False)


def _key_of(path: Path) -> PrivateKey:
    pem = _bytes_of("key", path)
    try:
        key = load_pem_private_key(pem, password=None)
    except TypeError as error:
        raise CertificateFileError(f"the key {path} is locked by a passphrase; give one without") from error
    except ValueError as error:
        raise CertificateFileError(f"{path} holds no private key in PEM form") from error
    if not isinstance(key, PrivateKey):
        raise CertificateFileError(f"the key {path} is of a kind that no certificate has")
    if isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name not in CURVES:
        raise CertificateFileError(
            f"the key {path} has the curve {key.curve.name}, by which nothing is signed here; issue one with "
            f"{' or '.join(CURVES)}"
        )
    return key


def _bytes_of(what: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateFileError(f"the {what} {path} cannot be read ({error.strerror})") from error


class CertificateFiles:
    """The certificate in the files. Sessions on a former one go on; files that do not match yet are waited for."""

    def __init__(self, paths: CertificatePaths, *, now: datetime.datetime) -> None:
        """Raises CertificateFileError."""
        self._paths = paths
        self._seen = self._look()
        self._current = read_certificate(paths, now=now)

    @property
    def current(self) -> Certificate:
        """The one for new connections."""
        return self._current

    @property
    def announced(self) -> Sequence[Certificate]:
        """The same."""
        return (self._current,)

    @property
    def check_interval(self) -> datetime.timedelta:
        """How often to call `update`."""
        return CHECK_INTERVAL

    def update(self, *, now: datetime.datetime) -> bool:
        """Read the files if they have changed; whether there is another certificate."""
        seen = self._look()
        if seen == self._seen:
            return False
        self._seen = seen
        return self._read(now=now)

    def rotate(self, *, now: datetime.datetime) -> None:
        """Read them now."""
        self._read(now=now)

    def _read(self, *, now: datetime.datetime) -> bool:
        try:
            new = read_certificate(self._paths, now=now)
        except CertificateFileError as error:
            logger.warning("the former certificate stays in use: %s", error)
            return False
        is_another = new.certificate != self._current.certificate
        self._current = new
        return is_another

    def _look(self) -> tuple[bytes | None, ...]:
        """What tells that a file holds something else; None for one that cannot be read."""
        return tuple(_fingerprint(path) for path in (self._paths.certificate, self._paths.key))


def _fingerprint(path: Path) -> bytes | None:
    """Of what is read, since no time tells of rights that are given."""
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return None
