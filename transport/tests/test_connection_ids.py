"""Connection IDs: which process they name, and what becomes of those that a client gives back."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cc.receiver.observer import Observer
from transport.aioquic_adapter.connection_ids import shape_ids
from transport.aioquic_adapter.payloads import is_established, receive_payload
from transport.headless.client import open_session
from transport.media_server.admission.limits import DEFAULT_LIMITS
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.media_server.workers.shared_port import Share
from transport.tests.serving import ORIGIN, run
from transport.tests.test_aioquic_adapter import connection

RETIRE_CONNECTION_ID = 0x19


def test_an_id_that_was_never_issued_may_be_retired(tmp_path: Path) -> None:
    """In one batch with the one that makes room for it, before anything is sent (RFC 9000 section 19.16)."""

    async def whole() -> None:
        server = await start_server(
            ServerOptions(directory=tmp_path, host="127.0.0.1", port=0, origins=frozenset({ORIGIN}))
        )
        try:
            url = f"https://127.0.0.1:{server.port}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()):
                (connection,) = server._server.connections
                quic = connection.connection.quic
                newest = max(each.sequence_number for each in quic._host_cids)
                frames = bytes((RETIRE_CONNECTION_ID, newest, RETIRE_CONNECTION_ID, newest + 1))
                receive_payload(quic, frames, now_s=asyncio.get_running_loop().time())
                connection.finish_batch()
                assert is_established(quic)
        finally:
            await server.stop()

    run(whole())


def test_all_ids_of_a_server_name_its_process_and_have_its_tokens(tmp_path: Path) -> None:
    """The first, those that follow, those in place of retired ones, and the one after which a token is asked for."""
    share = Share(index=2, of=5, mark=3, descriptor=-1)

    async def whole() -> None:
        server = await start_server(
            ServerOptions(
                directory=tmp_path,
                host="127.0.0.1",
                port=0,
                origins=frozenset({ORIGIN}),
                name_id=share.name_id,
                limits=dataclasses.replace(DEFAULT_LIMITS, half_open_before_retry=0),
            )
        )
        try:
            url = f"https://127.0.0.1:{server.port}/v1/cubic"
            async with open_session(url, origin=ORIGIN, receiver=Observer()) as client:
                retried = client._quic._retry_source_connection_id
                assert retried is not None
                (connection,) = server._server.connections
                quic = connection.connection.quic
                before = {each.cid for each in quic._host_cids}
                client._quic.change_connection_id()
                await client.download("generated/1000", on_data=lambda data: None)
                after = {each.cid for each in quic._host_cids}
                assert len(after - before) == 1
                assert {each[0] % share.of for each in before | after | {retried}} == {share.index}
                token_of = server._server._resets.token_of
                assert all(each.stateless_reset_token == token_of(each.cid) for each in quic._host_cids)
                assert client._quic._peer_cid.cid in before & after
        finally:
            await server.stop()

    run(whole())


def test_ids_are_by_chance_where_nobody_shares_the_port(tmp_path: Path) -> None:
    async def whole() -> None:
        server = await start_server(
            ServerOptions(directory=tmp_path, host="127.0.0.1", port=0, origins=frozenset({ORIGIN}))
        )
        try:
            url = f"https://127.0.0.1:{server.port}/v1/cubic"
            firsts: set[int] = set()
            for _ in range(4):
                async with open_session(url, origin=ORIGIN, receiver=Observer()):
                    for connection in server._server.connections:
                        firsts.update(each.cid[0] for each in connection.connection.quic._host_cids)
            assert len(firsts) > 16
        finally:
            await server.stop()

    run(whole())


@given(st.integers(1, 256).flatmap(lambda of: st.tuples(st.integers(0, of - 1), st.just(of))))
def test_ids_of_any_worker_begin_with_its_number(place: tuple[int, int]) -> None:
    share = Share(*place, mark=3, descriptor=-1)
    quic = connection()
    shape_ids(quic, name_id=share.name_id, token_of=lambda connection_id: connection_id + bytes(8))
    quic._remote_active_connection_id_limit = 8
    quic._replenish_connection_ids()
    assert len(quic._host_cids) == 8
    assert {each.cid[0] % share.of for each in quic._host_cids} == {share.index}
    assert all(each.stateless_reset_token == each.cid + bytes(8) for each in quic._host_cids)
    assert quic.host_cid == quic._local_initial_source_connection_id == quic._host_cids[0].cid
