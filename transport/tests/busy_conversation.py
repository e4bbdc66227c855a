"""A conversation in which all that happens to a session's connection happens by chance, the same for the same seed."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from unittest import mock

from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.events import StreamDataReceived
from aioquic.quic.packet import pull_quic_header
from aioquic.quic.stream import QuicStream
from aioquic.tls import Epoch
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.x509.oid import NameOID

from cc.core.base import SenderScheme
from transport.tests.conversation import ONE_WAY_S, Conversation

KEY = ed25519.Ed25519PrivateKey.generate()
"""Of a kind whose signatures are all of one length."""
NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
NOW = datetime.datetime.now(datetime.UTC)
CERTIFICATE = (
    x509.CertificateBuilder()
    .subject_name(NAME)
    .issuer_name(NAME)
    .public_key(KEY.public_key())
    .serial_number(1)
    .not_valid_before(NOW - datetime.timedelta(days=1))
    .not_valid_after(NOW + datetime.timedelta(days=1))
    .sign(KEY, None)
)
MOST_STREAMS_IN_ALL = 40
"""Below what the client allows: aioquic's own resets of streams that are not open yet end the connection."""


@contextmanager
def same_numbers_again(seed: int) -> Iterator[None]:
    """Connection IDs and challenges follow from the seed, and sets of streams are in order of their IDs."""
    rng = random.Random(seed)
    with (
        mock.patch("os.urandom", rng.randbytes),
        mock.patch.object(QuicStream, "__hash__", lambda stream: stream.stream_id or 0),
    ):
        yield


class BusyConversation(Conversation):
    """Streams begin, end and are cancelled by either side; datagrams go along; packets are lost; the client moves."""

    def __init__(
        self,
        make_scheme: Callable[[], SenderScheme],
        *,
        seed: int,
        loss: float,
        jitter_s: float,
        movement: float,
        is_fast: bool,
    ) -> None:
        self._chance = random.Random(f"{seed} events")
        network = random.Random(f"{seed} network")

        def fate(is_from_server: bool) -> Sequence[float]:
            return [ONE_WAY_S + network.random() * jitter_s] if network.random() >= loss else []

        super().__init__(make_scheme, rng=random.Random(seed), fate=fate, is_fast=is_fast)
        self._movement = movement
        self._most_streams = self._chance.choice((1, 1, 3))
        self.plaintexts: list[tuple[int, bytes, bytes]] = []
        """Of the server's 1-RTT packets, withheld ones left out: number, header and payload."""
        self.written: dict[int, bytes] = {}
        self.cancelled: set[int] = set()
        self.arrived: dict[int, bytes] = {}

    def run_until(self, end_s: float) -> None:
        """Until this time, or the end of the server's connection."""
        self._send(self.client, first=True)
        self.patience_s = 0.005
        while self.now_s < end_s and self.end is None:
            self._step()
            if self.quic._handshake_confirmed:
                self._let_something_happen()

    def calm_down(self) -> None:
        """Write nothing more, lose nothing more, and let all arrive."""
        self._fate = lambda is_from_server: [ONE_WAY_S]
        for stream_id in self.whole() - self._ended():
            self.quic.send_stream_data(stream_id, b"", end_stream=True)
        self._send(self.quic)
        end_s = self.now_s + 20.0
        while self.now_s < end_s and self.end is None and self._missing():
            self._step()

    def whole(self) -> set[int]:
        """Streams that nobody cancelled."""
        return set(self.written) - self.cancelled

    def _missing(self) -> set[int]:
        return {each for each in self.whole() if self.arrived.get(each, b"") != self.written[each]}

    def _ended(self) -> set[int]:
        """Streams to which nothing more may be written."""
        streams = self.quic._streams
        return {each for each in self.written if each not in streams or streams[each].sender._buffer_fin is not None}

    def _let_something_happen(self) -> None:
        chance = self._chance
        if chance.random() < 0.3:
            return
        open_streams = sorted(self.whole() - self._ended())
        senders = [stream.sender for stream in self.quic._streams.values()]
        unsent = [sender for sender in senders if sender.highest_offset < sender._buffer_stop]
        may_open = len(unsent) < self._most_streams and len(self.written) < MOST_STREAMS_IN_ALL
        if may_open and chance.random() < 0.4:
            stream_id = self.quic.get_next_available_stream_id(is_unidirectional=True)
            self.written[stream_id] = b""
            self._write(stream_id, chance.choice((1, 50, 3_000, 60_000)))
        elif open_streams:
            stream_id = chance.choice(open_streams)
            event = chance.random()
            if event < 0.6:
                self._write(stream_id, chance.choice((0, 5, 1_160, 50_000)), end_stream=chance.random() < 0.1)
            elif event < 0.63:
                self.cancelled.add(stream_id)
                self.server.streams.reset(stream_id, 1)
            elif event < 0.66 and stream_id in self.arrived:
                self.cancelled.add(stream_id)
                self.client.stop_stream(stream_id, 1)
        if chance.random() < 0.3:
            self.quic.send_datagram_frame(chance.randbytes(chance.choice((20, 44, 1_100))))
        if chance.random() < 0.3:  # which the server has to acknowledge
            self.client.send_datagram_frame(bytes(44))
            self._send(self.client)
        if chance.random() < self._movement:
            self.client_address = (f"192.0.2.{chance.choice((2, 3))}", chance.choice((5555, 5556)))
        self._send(self.quic)

    def _write(self, stream_id: int, length_bytes: int, *, end_stream: bool = False) -> None:
        if self.written[stream_id] and not self.server.streams.can_write(stream_id):
            self.cancelled.add(stream_id)
            return
        data = self._chance.randbytes(length_bytes)
        self.written[stream_id] += data
        self.quic._get_or_create_stream_for_send(stream_id)
        self.server.streams.write(stream_id, data, is_last=end_stream)

    def _configuration(self) -> QuicConfiguration:
        configuration = super()._configuration()
        configuration.certificate, configuration.private_key = CERTIFICATE, KEY
        configuration.max_datagram_frame_size = 65_536
        return configuration

    def _send(self, quic: QuicConnection, *, first: bool = False) -> None:
        if quic is self.quic and self.quic._network_paths:
            self.server.notice_path(now_s=self.now_s)
        super()._send(quic, first=first)

    def _take(self, event: StreamDataReceived) -> None:
        self.arrived[event.stream_id] = self.arrived.get(event.stream_id, b"") + event.data

    def _flight(self, quic: QuicConnection) -> list[tuple[bytes, NetworkAddress]]:
        if not quic._network_paths:  # its first datagram was lost
            return []
        flight = super()._flight(quic)
        if quic is self.quic:
            for data, _ in flight:
                self._read(data)
            self.server.after_flight(now_s=self.now_s)
        return flight

    def _read(self, data: bytes) -> None:
        header = pull_quic_header(Buffer(data=data), host_cid_length=len(self.client.host_cid))
        crypto = self.client._cryptos.get(Epoch.ONE_RTT)
        if header.packet_type.name != "ONE_RTT" or crypto is None or not crypto.recv.is_valid():
            return
        expected = self.plaintexts[-1][0] if self.plaintexts else 0
        head, payload, number, _ = crypto.recv.decrypt_packet(data, 1 + len(self.client.host_cid), expected)
        self.plaintexts.append((number, head, payload))
