"""The file that tells pages where the media server is, on disks that fill up and beside a successor."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from transport.media_server.address_file import AddressFile, WorkerAddress


def server_at(port: int) -> list[WorkerAddress]:
    """One of one process."""
    return [WorkerAddress(f"https://127.0.0.1:{port}", ("hash",), "2026-12-11T09:27:15Z", 0, 0.0)]


def url_in(path: Path) -> str:
    """Where pages are sent."""
    url: str = json.loads(path.read_text())["url"]
    return url


def test_what_could_not_be_written_is_written_as_soon_as_it_can_be_and_the_log_says_it_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, away = tmp_path / "public", tmp_path / "away"
    folder.mkdir()
    path = folder / "nuwa.json"
    file = AddressFile(path)
    file.write(server_at(1))
    folder.rename(away)
    for _ in range(3):
        file.keep(server_at(2))
    assert [record.getMessage() for record in caplog.records] == [
        f"new pages will not be let in for now: --address-file: {path} cannot be written (No such file or directory); "
        "give a file in a folder of yours"
    ]
    away.rename(folder)
    assert url_in(path) == "https://127.0.0.1:1"
    file.keep(server_at(2))
    assert url_in(path) == "https://127.0.0.1:2"
    written = path.stat().st_ino
    file.keep(server_at(2))
    assert path.stat().st_ino == written, "nothing has changed"


def test_who_leaves_takes_no_successors_file_along(tmp_path: Path) -> None:
    path = tmp_path / "nuwa.json"
    old, new = AddressFile(path), AddressFile(path)
    old.write(server_at(1))
    new.write(server_at(2))
    old.remove()
    assert url_in(path) == "https://127.0.0.1:2"
    new.remove()
    new.remove()
    assert list(tmp_path.iterdir()) == []


def test_who_began_later_has_the_file_whatever_the_other_has_to_tell(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "nuwa.json"
    old, new = AddressFile(path), AddressFile(path)
    old.write(server_at(1))
    new.write(server_at(2))
    for port in (3, 4):
        old.keep(server_at(port))
        assert url_in(path) == "https://127.0.0.1:2"
    assert [record.getMessage() for record in caplog.records] == [
        f"--address-file: {path} is another media server's by now, and new pages are sent to that one; remove the file "
        "where there is no other"
    ]
    path.unlink()  # the successor has ended, or somebody knows that there is none
    old.keep(server_at(4))
    assert url_in(path) == "https://127.0.0.1:4"


def test_a_disk_that_errs_ends_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_path: Path) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "nuwa.json"
    file = AddressFile(path)
    file.write(server_at(1))
    monkeypatch.setattr(Path, "read_bytes", fail)
    for _ in range(3):
        file.keep(server_at(1))
    file.remove()
    assert [record.getMessage() for record in caplog.records] == [
        f"new pages will not be let in for now: --address-file: {path} cannot be read (Input/output error); "
        "give a file in a folder of yours",
        f"--address-file: {path} cannot be removed (Input/output error) and may name a media server that has ended: "
        "remove it",
    ]
