"""`certificate`: one for web pages on this machine, self-signed, kept in a folder for as long as it will do."""

from __future__ import annotations

import datetime
import json
import re
import sys
from argparse import ArgumentTypeError
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser
from transport.command_options import sentence
from transport.media_server.certificate import Certificate, general_names, make_certificate
from transport.media_server.certificate_files import CertificateFileError, CertificatePaths, read_certificate
from transport.whole_files import FOR_OWNER, write_whole

LIFETIME = datetime.timedelta(days=365)  # more than 825 days browsers of Apple's refuse
LEFT_AT_LEAST = datetime.timedelta(days=30)
MOST_NAMES = 64
HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9a-fA-F:.]{2,45}")


def main(arguments: Sequence[str], *, prog: str = "python -m transport certificate") -> int:
    """Print where certificate and key are; 2 where they cannot be written."""
    parser = OneSentenceParser(prog=prog, description="Keep a self-signed certificate for web pages.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="for certificate.pem and key.pem")
    parser.add_argument("--name", type=_host, action="append", default=[], help="host name or IP address; repeatable")
    parser.add_argument("--also", type=_host, action="append", default=[], help="one that a kept certificate may lack")
    options = parser.parse_args(arguments)
    paths = CertificatePaths(options.folder / "certificate.pem", options.folder / "key.pem")
    try:
        kept = keep_certificate(paths, options.name, also=options.also, now=datetime.datetime.now(datetime.UTC))
    except OSError as error:
        sys.stderr.write(f"{prog}: {sentence(error)}\n")
        return EXIT_USAGE
    told = {"certificate": str(paths.certificate), "key": str(paths.key)}
    ending = {"not_after": kept.certificate.not_after.isoformat(), "replaces": kept.replaces}
    sys.stdout.write(json.dumps({**told, **ending}) + "\n")
    return 0


@dataclass(frozen=True, slots=True)
class Kept:
    """The certificate that lies in a folder."""

    certificate: Certificate
    replaces: bool
    """Whether it was made in place of one that people may have trusted."""


def keep_certificate(
    paths: CertificatePaths, names: Sequence[str], *, also: Sequence[str] = (), now: datetime.datetime
) -> Kept:
    """The one that is there if it has `names` and a month is left of it, else a new one; raises OSError.

    People have told their browsers to trust the one that is there. A new one has the former's names, too: a machine
    that comes back to an address that it had keeps its certificate.
    """
    try:
        present = read_certificate(paths, now=now)
    except CertificateFileError:
        present = None
    if present is not None and present.not_after - now >= LEFT_AT_LEAST and _names(present) >= {*general_names(names)}:
        return Kept(present, replaces=False)
    former = [] if present is None else [str(name.value) for name in _names(present)]
    every = [*dict.fromkeys([*names, *also, *sorted(former)])]
    made = make_certificate(*every[:MOST_NAMES], now=now, lifetime=LIFETIME)
    paths.certificate.parent.mkdir(parents=True, exist_ok=True)
    replaces = paths.certificate.exists()
    key = made.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_whole(
        {paths.key: key, paths.certificate: made.certificate.public_bytes(Encoding.PEM)},
        mode=FOR_OWNER,
    )
    return Kept(made, replaces=replaces)


def _names(certificate: Certificate) -> set[x509.GeneralName]:
    try:
        found = certificate.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return set()
    return set(found.value)


def _host(text: str) -> str:
    if HOST.fullmatch(text) is None:
        raise ArgumentTypeError(f"{text!r} is no host name or IP address")
    return text
