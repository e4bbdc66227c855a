"""A server's certificate, and how one is made that a browser accepts by its hash or that a person trusts by hand.

By hash (W3C WebTransport, custom certificate requirements): ECDSA P-256, X.509v3, valid now and for at most two weeks
in all; RSA is refused.
"""

from __future__ import annotations

import base64
import datetime
import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from transport.media_server.lifetime import CLOCK_SKEW, LIFETIME

PrivateKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey


@dataclass(frozen=True)
class Certificate:
    """A certificate, its key, and what a page needs to know of it."""

    certificate: x509.Certificate
    private_key: PrivateKey
    chain: tuple[x509.Certificate, ...] = ()
    """Of its issuers, as far as they are to be sent."""
    is_known_by_hash: bool = True
    """Pages name its hash; else the browser must trust its issuer, for the name in the address."""

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

    @property
    def not_after_text(self) -> str:
        """The same as JSON has it: 2026-12-11T09:27:15Z."""
        return self.not_after.isoformat().replace("+00:00", "Z")


def hashes_of(certificates: Iterable[Certificate]) -> list[str]:
    """What pages are told of: nothing of a certificate that browsers know by its issuer."""
    return [certificate.sha256_base64 for certificate in certificates if certificate.is_known_by_hash]


def make_certificate(*hosts: str, now: datetime.datetime, lifetime: datetime.timedelta = LIFETIME) -> Certificate:
    """A self-signed one for `hosts` and localhost, valid from an hour before `now` until `lifetime` after it."""
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
        .add_extension(x509.SubjectAlternativeName(general_names(["localhost", *hosts])), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Certificate(certificate, key)


def general_names(hosts: Sequence[str]) -> list[x509.GeneralName]:
    """IP addresses as such, everything else as names of hosts; each once."""
    names: list[x509.GeneralName] = []
    for host in dict.fromkeys(hosts):
        try:
            names.append(x509.IPAddress(ipaddress.ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    return names
