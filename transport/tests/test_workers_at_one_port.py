"""`serve --workers N --shared-port` as processes: each session stays with its worker, and none waits for a dead one."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection

from cc.receiver.observer import Observer
from transport.aioquic_adapter.connection_ids import name_first_id
from transport.headless.client import ClientProtocol, open_session, open_session_as
from transport.headless.client_endpoint import open_endpoint
from transport.media_server import command
from transport.media_server.server import start_server
from transport.media_server.workers.shared_port import SharedPort
from transport.tests.serving import options_for
from transport.tests.test_serve import ORIGIN, Served, run, served
from transport.tests.test_workers import ask, bytes_of, two_workers, url_of, workers_of
from transport.udp.socket import bind

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="works on Linux alone")

TWO, THREE = (("--workers", count, "--shared-port") for count in ("2", "3"))
ACCEPTED = 'nuwa_transport_newcomers_total{verdict="accepted",'


def coming_to(index: int, *, of: int) -> Callable[[QuicConfiguration], ClientProtocol]:
    """Makes clients whose first connection ID leads to that worker."""

    def make(configuration: QuicConfiguration) -> ClientProtocol:
        quic = QuicConnection(configuration=configuration)
        name_first_id(quic, lambda random_id: bytes([index % of]) + random_id[1:])
        return ClientProtocol(quic)

    return make


def worker_of(client: ClientProtocol, *, of: int) -> int:
    """The index of the worker that has given the client the ID by which it sends."""
    return client._quic._peer_cid.cid[0] % of


def numbers_in(text: str, head: str) -> dict[str, float]:
    """A metric by worker; `head`: its name, and labels before that of the worker."""
    lines = re.findall(rf'^{re.escape(head)}worker="(\d)"}} (\S+)$', text, re.MULTILINE)
    return {worker: float(number) for worker, number in lines}


async def until_certificates(server: Served, count: int) -> list[str]:
    """Those that are told once there are so many."""
    while True:
        (told,) = (await server.next_event("workers"))["workers"]
        if len(told["certificate_sha256"]) == count:
            hashes: list[str] = told["certificate_sha256"]
            return hashes


async def move_to_another_port(client: ClientProtocol) -> None:
    """As a NAT does that has forgotten the client; nobody hears the old port any more."""
    old = client._transport
    assert old is not None
    await open_endpoint(bind("0.0.0.0", 0), client, client.on_arrival)
    old.close()


def test_sessions_spread_by_their_first_id_and_stay_where_they_came(tmp_path: Path) -> None:
    async def scenario() -> None:
        file = tmp_path / "nuwa.json"
        options = (*THREE, "--address-file", str(file), "--metrics-port", "0")
        async with two_workers(tmp_path, *options) as (server, ready):
            (told,) = ready["workers"]
            assert told["port"] == ready["port"]
            assert told["certificate_sha256"] == ready["certificate_sha256"]
            assert len(set(told["certificate_sha256"])) == 3
            document = json.loads(file.read_text())
            assert [document["url"]] == [each["url"] for each in document["workers"]]
            assert document["certificateHashes"] == told["certificate_sha256"]
            async with AsyncExitStack() as stack:
                clients = [
                    await stack.enter_async_context(
                        open_session_as(coming_to(index, of=3), url_of(ready), origin=ORIGIN, receiver=Observer())
                    )
                    for index in (0, 0, 0, 1, 2, 2)
                ]
                assert [await bytes_of(client) for client in clients] == [1000] * 6
                while (await server.next_event("workers"))["workers"][0]["sessions"] != 6:
                    pass
                for _ in range(3):
                    for client in clients:
                        await move_to_another_port(client)
                        assert await bytes_of(client) == 1000
                assert [worker_of(client, of=3) for client in clients] == [0, 0, 0, 1, 2, 2]
                text = await ask(ready["metrics_port"], "/metrics")
                assert numbers_in(text, "nuwa_transport_sessions{") == {"1": 3.0, "2": 1.0, "3": 2.0}
            for client in clients:
                assert client._transport is not None
                client._transport.close()
            for _ in range(12):
                async with open_session(url_of(ready), origin=ORIGIN, receiver=Observer()) as by_chance:
                    assert await bytes_of(by_chance) == 1000
            text = await ask(ready["metrics_port"], "/metrics")
            assert sum(numbers_in(text, ACCEPTED).values()) >= 6 + 12
            assert json.loads(await ask(ready["metrics_port"], "/healthz")) == {"status": "ok", "workers": 3}

    run(scenario)


def test_a_worker_that_tries_itself_comes_to_no_other(tmp_path: Path) -> None:
    async def scenario() -> None:
        with contextlib.closing(SharedPort("127.0.0.1", 0, 2)) as shared:
            share = shared.share(1)
            own = dataclasses.replace(share, descriptor=os.dup(share.descriptor))
            options = dataclasses.replace(options_for(tmp_path), name_id=own.name_id)
            server = await start_server(options, open_socket=own.open_socket)
            check = server._service.self_check
            url = f"https://127.0.0.1:{shared.port}"
            results = [await check.check(url, origin=min(options.origins)) for _ in range(6)]
            assert all(result.can_enter for result in results)
            await server.stop()

    run(scenario)


def test_a_worker_that_dies_takes_only_its_sessions_and_its_newcomers_get_in_at_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_workers(tmp_path, *TWO) as (server, ready), AsyncExitStack() as stack:
            dying, surviving = [
                await stack.enter_async_context(
                    open_session_as(coming_to(index, of=2), url_of(ready), origin=ORIGIN, receiver=Observer())
                )
                for index in range(2)
            ]
            certificates = ready["certificate_sha256"]
            os.kill(workers_of(server.process.pid)[1], signal.SIGKILL)
            assert await until_certificates(server, 1) == certificates[1:]
            asking = asyncio.create_task(reset_of(dying, ready["port"]))
            newcomer = coming_to(0, of=2)
            async with open_session_as(newcomer, url_of(ready), origin=ORIGIN, receiver=Observer()) as again:
                assert worker_of(again, of=2) == 1
                assert await bytes_of(again) == 1000
                assert await bytes_of(surviving) == 1000
                back = await until_certificates(server, 2)
                assert back[1:] == certificates[1:]
                assert back[0] not in certificates
                assert await bytes_of(again) == 1000, "it stays where it came to"
            assert (await asking)[-16:] == dying._quic._peer_cid.stateless_reset_token
            while True:  # the successor's newcomers come to it once pages have heard of it
                async with open_session_as(newcomer, url_of(ready), origin=ORIGIN, receiver=Observer()) as later:
                    assert await bytes_of(later) == 1000
                    if worker_of(later, of=2) == 0:
                        break
                await asyncio.sleep(0.2)  # one address may open so many sessions a second

    run(scenario)


async def reset_of(client: ClientProtocol, port: int) -> bytes:
    """What a packet of its session, of which nobody knows any more, is answered."""
    with bind("127.0.0.1", 0) as sock:
        sock.sendto(b"\x40" + client._quic._peer_cid.cid + bytes(40), ("127.0.0.1", port))
        return await asyncio.get_running_loop().sock_recv(sock, 2048)


def test_workers_are_made_new_one_by_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with two_workers(tmp_path, *TWO) as (server, ready):
            first, second = ready["certificate_sha256"]
            server.process.send_signal(signal.SIGUSR2)
            assert await until_certificates(server, 1) == [second]
            new_first, _ = await until_certificates(server, 2)
            assert await until_certificates(server, 1) == [new_first]
            _, new_second = await until_certificates(server, 2)
            assert len({first, second, new_first, new_second}) == 4
            for index in range(2):
                made = coming_to(index, of=2)
                async with open_session_as(made, url_of(ready), origin=ORIGIN, receiver=Observer()) as client:
                    assert await bytes_of(client) == 1000

    run(scenario)


def test_one_process_has_its_port_alone(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with served(tmp_path, "--shared-port") as server:
            ready = await server.next_event("ready")
            assert "workers" not in ready
            async with open_session(url_of(ready), origin=ORIGIN, receiver=Observer()) as client:
                assert await bytes_of(client) == 1000

    run(scenario)


def test_a_port_that_is_taken_is_told_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        with bind("127.0.0.1", 0) as taken:
            port = taken.getsockname()[1]
            async with served(tmp_path, *THREE, "--port", str(port)) as server:
                _, said = await server.process.communicate()
                assert server.process.returncode == 2
                sentence = f": cannot listen on UDP 127.0.0.1:{port}: Address already in use\n"
                assert said.decode().endswith(sentence)
                assert said.decode().count("\n") == 1

    run(scenario)


def test_elsewhere_than_on_linux_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[Any]
) -> None:
    monkeypatch.setattr(command, "CAN_SHARE", False)
    with pytest.raises(SystemExit) as ended:
        command.main([str(tmp_path), "--shared-port"], prog="nuwa serve")
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "nuwa serve: --shared-port works on Linux alone: leave it out, and each worker has a port of its own; "
        "see nuwa serve --help\n"
    )
