"""A plain aioquic WebTransport server, the baseline of the loopback benchmark and of the abuse suite.

    python -m e2e.browser.bench.stock_aioquic_server DIRECTORY --host HOST --port PORT --stop-with-stdin

aioquic as it comes, with its own CUBIC or Reno, its own asyncio loop and endpoint, used as its examples use it. It
speaks just enough of transport/wire_format/PROTOCOL.md for a download: any session, `generated/N` requests, no stamps.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import sys
import tempfile
from pathlib import Path

from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import H3Event, HeadersReceived, WebTransportStreamDataReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated, QuicEvent
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from transport.media_server.certificate import make_certificate


class StockProtocol(QuicConnectionProtocol):
    """Accepts a session and answers each request with filler bytes, given to aioquic in one piece."""

    _http: H3Connection | None = None

    def quic_event_received(self, event: QuicEvent) -> None:
        """Called by aioquic."""
        if isinstance(event, ProtocolNegotiated):
            self._http = H3Connection(self._quic, enable_webtransport=True)
        if self._http is not None:
            for http_event in self._http.handle_event(event):
                self._handle(self._http, http_event)

    def _handle(self, http: H3Connection, event: H3Event) -> None:
        if isinstance(event, HeadersReceived):
            http.send_headers(event.stream_id, [(b":status", b"200"), (b"sec-webtransport-http3-draft", b"draft02")])
            self.transmit()
        elif isinstance(event, WebTransportStreamDataReceived) and event.data:
            length = int(json.loads(event.data)["path"].removeprefix("generated/"))
            head = {"status": 200, "length": length, "total": length, "type": "application/octet-stream"}
            body = json.dumps(head).encode() + b"\n" + bytes(length)
            self._quic.send_stream_data(event.stream_id, body, end_stream=True)
            self.transmit()


async def main() -> None:
    """Serve until stdin ends."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("directory", help="not served; there so that the command line is that of the media server")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--origin", help="not checked")
    parser.add_argument("--stop-with-stdin", action="store_true", required=True)
    parser.add_argument("--congestion-control", choices=("cubic", "reno"), default="cubic")
    arguments = parser.parse_args()
    certificate = make_certificate(arguments.host, now=datetime.datetime.now(datetime.UTC))
    configuration = QuicConfiguration(
        alpn_protocols=H3_ALPN,
        is_client=False,
        max_datagram_frame_size=65536,
    )
    configuration.congestion_control_algorithm = arguments.congestion_control
    with tempfile.TemporaryDirectory() as folder:
        chain, key = Path(folder) / "chain.pem", Path(folder) / "key.pem"
        chain.write_bytes(certificate.certificate.public_bytes(Encoding.PEM))
        key.write_bytes(certificate.private_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        configuration.load_cert_chain(chain, key)
    server = await serve(arguments.host, arguments.port, configuration=configuration, create_protocol=StockProtocol)
    transport = server._transport  # aioquic's server does not tell its port otherwise
    assert transport is not None
    port = transport.get_extra_info("sockname")[1]
    ready = {"event": "ready", "host": arguments.host, "port": port, "certificate_sha256": [certificate.sha256_base64]}
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
