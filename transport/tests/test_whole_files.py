"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
from pathlib import Path
from unittest.mock import patch

import pytest

from transport import whole_files
from transport.whole_files import FOR_OWNER, write_whole


def test_all_are_written_for_whom_they_are_meant(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    write_whole({key: b"a key", certificate: b"a certificate"}, mode=FOR_OWNER)
    assert (key.read_bytes(), certificate.read_bytes()) == (b"a key", b"a certificate")
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_a_disk_that_becomes_full_leaves_all_that_was_there_and_nothing_else(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    write_whole({key: b"old key", certificate: b"old certificate"})
    really = whole_files._write

    def write_until_full(path: Path, content: bytes, mode: int) -> None:
        really(path, content, mode)
        if content == b"new certificate":
            raise OSError(errno.ENOSPC, "No space left on device")

    with patch.object(whole_files, "_write", write_until_full), pytest.raises(OSError, match="No space") as told:
        write_whole({key: b"new key", certificate: b"new certificate"})
    assert told.value.filename == str(certificate)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        "key.pem": b"old key",
        "certificate.pem": b"old certificate",
    }


def test_a_folder_that_is_not_there_is_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "away" / "nuwa.json"
    with pytest.raises(FileNotFoundError) as told:
        write_whole({path: b"{}"})
    assert told.value.filename == str(path)
