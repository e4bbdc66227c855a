"""A certificate from files is checked before it is used, and renewed without ending sessions."""

from __future__ import annotations

import datetime
import errno
import json
import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from transport.media_server.certificate import Certificate, hashes_of, make_certificate
from transport.media_server.certificate_command import keep_certificate, main
from transport.media_server.certificate_files import (
    CertificateFileError,
    CertificateFiles,
    CertificatePaths,
    read_certificate,
)

NOW = datetime.datetime(2026, 1, 31, 12, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


def pem_of(made: Certificate, *, passphrase: bytes | None = None) -> tuple[bytes, bytes]:
    """The certificate and its key."""
    encryption = NoEncryption() if passphrase is None else BestAvailableEncryption(passphrase)
    key = made.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    return made.certificate.public_bytes(Encoding.PEM), key


def write(paths: CertificatePaths, certificate: bytes, key: bytes) -> None:
    """As a renewal does: whole files in place of the former ones."""
    for path, content in ((paths.certificate, certificate), (paths.key, key)):
        partial = path.with_suffix(".new")
        partial.write_bytes(content)
        partial.replace(path)


@pytest.fixture
def paths(tmp_path: Path) -> CertificatePaths:
    return CertificatePaths(tmp_path / "full chain.pem", tmp_path / "key.pem")


def test_issuers_behind_the_certificate_are_its_chain_and_pages_need_no_hash(paths: CertificatePaths) -> None:
    made, issuer = make_certificate("demo.example", now=NOW), make_certificate(now=NOW)
    certificate, key = pem_of(made)
    write(paths, certificate + pem_of(issuer)[0], key)
    read = read_certificate(paths, now=NOW)
    assert (read.certificate, read.chain) == (made.certificate, (issuer.certificate,))
    assert hashes_of([read, made]) == [made.sha256_base64]


OTHER = make_certificate(now=NOW)
X25519 = x25519.X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
P521 = ec.generate_private_key(ec.SECP521R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
CERTIFICATE, KEY = pem_of(make_certificate(now=NOW))
LOCKED = pem_of(OTHER, passphrase=b"secret")[1]


@pytest.mark.parametrize(
    ("certificate", "key", "sentence"),
    [
        (CERTIFICATE, pem_of(OTHER)[1], r"chain\.pem does not match the key .*key\.pem; give the two of one issue$"),
        (b"", KEY, "holds no certificate in PEM form$"),
        (KEY, KEY, "holds no certificate in PEM form$"),
        (CERTIFICATE, b"key", "holds no private key in PEM form$"),
        (CERTIFICATE, CERTIFICATE, "holds no private key in PEM form$"),
        (CERTIFICATE, LOCKED, "is locked by a passphrase; give one without$"),
        (CERTIFICATE, X25519, "is of a kind that no certificate has$"),
        (CERTIFICATE, P521, r"key\.pem has the curve secp521r1, .*; issue one with secp256r1 or secp384r1$"),
    ],
)
def test_what_is_no_pair_is_said_in_one_sentence(
    paths: CertificatePaths, certificate: bytes, key: bytes, sentence: str
) -> None:
    write(paths, certificate, key)
    with pytest.raises(CertificateFileError, match=sentence) as caught:
        read_certificate(paths, now=NOW)
    assert "\n" not in str(caught.value)


def test_one_that_is_away_or_over_is_said_in_one_sentence(paths: CertificatePaths) -> None:
    with pytest.raises(CertificateFileError, match=r"the certificate .* cannot be read \(No such file"):
        read_certificate(paths, now=NOW)
    write(paths, CERTIFICATE, KEY)
    with pytest.raises(CertificateFileError, match="ended on 2026-02-13; renew it"):
        read_certificate(paths, now=NOW + 20 * DAY)


def test_a_renewed_one_is_used_once_both_files_belong_together(
    paths: CertificatePaths, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = make_certificate(now=NOW), make_certificate(now=NOW + DAY)
    write(paths, *pem_of(first))
    files = CertificateFiles(paths, now=NOW)
    assert not files.update(now=NOW)
    write(paths, pem_of(second)[0], pem_of(first)[1])
    assert not files.update(now=NOW)
    assert "the former certificate stays in use: the certificate" in caplog.text
    assert not files.update(now=NOW)
    assert len(caplog.records) == 1
    write(paths, *pem_of(second))
    assert files.update(now=NOW)
    assert [each.certificate for each in files.announced] == [second.certificate]


def test_a_new_key_that_may_be_read_only_later_is_read_then(
    paths: CertificatePaths, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = make_certificate(now=NOW), make_certificate(now=NOW + DAY)
    write(paths, *pem_of(first))
    files = CertificateFiles(paths, now=NOW)
    write(paths, *pem_of(second))
    read_anyway = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path == paths.key:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return read_anyway(path)

    with monkeypatch.context() as without_rights:
        without_rights.setattr(Path, "read_bytes", read_bytes)
        assert not files.update(now=NOW)
        assert not files.update(now=NOW)
    assert [record.message for record in caplog.records] == [
        f"the former certificate stays in use: the key {paths.key} cannot be read (Permission denied)"
    ]
    assert files.update(now=NOW)
    assert files.current.certificate == second.certificate


def test_files_that_vanish_change_nothing(paths: CertificatePaths) -> None:
    write(paths, CERTIFICATE, KEY)
    files = CertificateFiles(paths, now=NOW)
    before = files.current
    paths.key.unlink()
    assert not files.update(now=NOW)
    files.rotate(now=NOW)
    assert files.current == before


def test_a_kept_one_stays_while_it_has_the_names_and_a_month(tmp_path: Path) -> None:
    paths = CertificatePaths(tmp_path / "https" / "certificate.pem", tmp_path / "https" / "key.pem")
    first = keep_certificate(paths, ["box", "192.0.2.7", "2001:db8::1"], now=NOW)
    assert first.certificate.not_after - NOW == 365 * DAY
    assert os.stat(paths.key).st_mode & 0o777 == 0o600
    again = keep_certificate(paths, ["192.0.2.7", "localhost"], now=NOW + 300 * DAY)
    assert again.certificate.certificate == first.certificate.certificate
    moved = keep_certificate(paths, ["192.0.2.8"], now=NOW)
    assert (first.replaces, again.replaces, moved.replaces) == (False, False, True)
    last = keep_certificate(paths, ["192.0.2.8"], now=NOW + 340 * DAY)
    assert last.certificate.certificate != moved.certificate.certificate


def test_a_kept_one_needs_no_more_names_than_are_asked_and_a_new_one_has_the_former_ones_too(tmp_path: Path) -> None:
    paths = CertificatePaths(tmp_path / "certificate.pem", tmp_path / "key.pem")
    home = keep_certificate(paths, ["box", "192.0.2.7"], also=["2001:db8::1"], now=NOW)
    assert keep_certificate(paths, ["box", "192.0.2.7"], also=["2001:db8::2"], now=NOW).certificate.certificate == (
        home.certificate.certificate
    )
    away = keep_certificate(paths, ["box", "198.51.100.7"], also=["172.17.0.1"], now=NOW)
    assert not keep_certificate(paths, ["box", "192.0.2.7", "2001:db8::1", "172.17.0.1"], now=NOW).replaces
    assert away.replaces


def test_the_command_says_where_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--name", "192.0.2.7", "--also", "box"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["key"], told["replaces"]) == (str(tmp_path / "key.pem"), False)
    assert main(["/proc/nowhere"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--name", "a b"])
