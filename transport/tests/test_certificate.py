"""The certificate keeps the rules for `serverCertificateHashes`."""

from __future__ import annotations

import base64
import datetime
import hashlib

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from transport.media_server.certificate import make_certificate

NOW = datetime.datetime(2026, 1, 31, 12, 0, tzinfo=datetime.UTC)


def test_it_is_p256_valid_now_and_for_less_than_two_weeks() -> None:
    certificate = make_certificate("127.0.0.1", now=NOW).certificate
    key = certificate.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert isinstance(key.curve, ec.SECP256R1)
    assert certificate.version is x509.Version.v3
    assert certificate.not_valid_before_utc <= NOW - datetime.timedelta(hours=1)
    assert certificate.not_valid_after_utc > NOW + datetime.timedelta(days=10)
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc <= datetime.timedelta(days=14)


def test_the_hash_is_that_of_the_der_form() -> None:
    made = make_certificate("example.test", now=NOW)
    der = made.certificate.public_bytes(Encoding.DER)
    assert base64.b64decode(made.sha256_base64) == hashlib.sha256(der).digest()


def test_it_names_the_host() -> None:
    names = make_certificate("10.0.0.1", now=NOW).certificate.extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert [str(address) for address in names.value.get_values_for_type(x509.IPAddress)] == ["10.0.0.1"]
    assert "localhost" in names.value.get_values_for_type(x509.DNSName)
