"""Connection IDs that a client gives back."""

from __future__ import annotations

import asyncio
from pathlib import Path

from cc.receiver.observer import Observer
from transport.aioquic_adapter.payloads import is_established, receive_payload
from transport.headless.client import open_session
from transport.media_server.server import start_server
from transport.media_server.server_options import ServerOptions
from transport.tests.serving import ORIGIN, run

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
