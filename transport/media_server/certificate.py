"""The certificate that a browser accepts by its hash (W3C WebTransport, custom certificate requirements).

ECDSA P-256, X.509v3, valid now and for at most two weeks in all; RSA is refused.
"""

from __future__ import annotations

import base64
import datetime
import ipaddress
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from transport.media_server.lifetime import CLOCK_SKEW, LIFETIME


@dataclass(frozen=True)
class Certificate:
    """A certificate, its key, and what a page needs to know of it."""

    certificate: x509.Certificate
    private_key: ec.EllipticCurvePrivateKey

    @property
    def sha256_base64(self) -> str:
        """SHA-256 of the DER form, for `serverCertificateHashes`."""
        return base64.b64encode(self.certificate.fingerprint(hashes.SHA256())).decode()

    @property
    def not_before(self) -> datetime.datetime:
        """When it begins to be valid, UTC."""
        return self.certificate.not_valid_before_utc

    @property
    def not_after(self) -> datetime.datetime:
        """When it expires, UTC."""
        return self.certificate.not_valid_after_utc


def make_certificate(host: str, *, now: datetime.datetime, lifetime: datetime.timedelta = LIFETIME) -> Certificate:
    """A self-signed certificate for `host`, valid from an hour before `now` until `lifetime` after it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "nuwa-stream")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SKEW)
        .not_valid_after(now + lifetime)
        .add_extension(x509.SubjectAlternativeName(_names(host)), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Certificate(certificate, key)


def _names(host: str) -> list[x509.GeneralName]:
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    try:
        names.append(x509.IPAddress(ipaddress.ip_address(host)))
    except ValueError:
        names.append(x509.DNSName(host))
    return names
