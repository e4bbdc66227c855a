"""On the path of a server's Python: every certificate that it makes has expired, as if nobody had renewed it."""

from __future__ import annotations

import datetime

from cryptography import x509

EXPIRED_SINCE = datetime.timedelta(minutes=10)

_not_valid_after = x509.CertificateBuilder.not_valid_after


def _expired(builder: x509.CertificateBuilder, _time: datetime.datetime) -> x509.CertificateBuilder:
    return _not_valid_after(builder, datetime.datetime.now(datetime.UTC) - EXPIRED_SINCE)


x509.CertificateBuilder.not_valid_after = _expired  # type: ignore[method-assign, assignment]
