"""Certificates that are replaced while sessions go on; over real sockets on loopback."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import datetime
from pathlib import Path

from cryptography.hazmat.primitives import hashes

from cc.receiver.observer import Observer
from transport.headless.client import ClientProtocol, open_session
from transport.media_server.certificate import hashes_of
from transport.media_server.certificate_command import keep_certificate
from transport.media_server.certificate_files import CertificatePaths
from transport.media_server.server import start_server
from transport.tests.serving import ORIGIN, options_for, run


def test_a_new_certificate_is_for_new_sessions_and_old_ones_go_on(film: Path) -> None:
    def certificate_seen_by(client: ClientProtocol) -> str:
        seen = client._quic.tls._peer_certificate
        assert seen is not None
        return base64.b64encode(seen.fingerprint(hashes.SHA256())).decode()

    async def whole() -> None:
        server = await start_server(options_for(film))
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        announced: list[list[str]] = []
        server.certificates.on_change = lambda all_of_them: announced.append(
            [each.sha256_base64 for each in all_of_them]
        )
        async with open_session(url, origin=ORIGIN, receiver=Observer()) as old:
            server.certificates.rotate()
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as new:
                assert announced == [[certificate_seen_by(new), certificate_seen_by(old)]]
                for client in (old, new):
                    assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
        await server.stop()

    run(whole())


def test_a_certificate_from_files_is_replaced_when_they_change_and_sessions_go_on(film: Path, tmp_path: Path) -> None:
    async def whole() -> None:
        now = datetime.datetime.now(datetime.UTC)
        paths = CertificatePaths(tmp_path / "certificate.pem", tmp_path / "key.pem")
        keep_certificate(paths, ["demo.example"], now=now)
        server = await start_server(dataclasses.replace(options_for(film), certificate_files=paths))
        url = f"https://127.0.0.1:{server.port}/v1/cubic"
        async with open_session(url, origin=ORIGIN, receiver=Observer()) as old:
            keep_certificate(paths, ["new.example"], now=now)
            server.certificates.rotate()
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as new:
                seen = [client._quic.tls._peer_certificate for client in (old, new)]
                assert seen[0] != seen[1] == server.certificates.announced[0].certificate
                assert hashes_of(server.certificates.announced) == []
                for client in (old, new):
                    assert (await client.download("seg.m4s", on_data=lambda data: None))["status"] == 200
        await server.stop()

    run(whole())


def test_a_certificate_near_its_end_is_replaced_by_the_running_server(film: Path) -> None:
    async def whole() -> None:
        now = datetime.datetime.now(datetime.UTC)
        lifetime = datetime.timedelta(seconds=3)
        options = dataclasses.replace(options_for(film), certificate_lifetime=lifetime)
        server = await start_server(options, clock=lambda: now)
        (first,) = server.certificates.announced
        changed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        server.certificates.on_change = lambda certificates: changed.set_result(len(certificates))
        now += lifetime * 2 / 3
        assert await changed == 2
        assert server.certificates.announced[1] == first
        await server.stop()

    run(whole())
