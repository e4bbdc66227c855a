"""aioquic's server, whose connections answer once per batch and come in through a door."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import NetworkAddress

from cc.core.token_bucket import TokenBucket
from transport.aioquic_adapter.connection_ids import shape_ids
from transport.aioquic_adapter.protocol import BatchedProtocol
from transport.aioquic_adapter.server import GatedServer
from transport.aioquic_adapter.verdict import Verdict
from transport.media_server.admission.limits import DEFAULT_LIMITS, AdmissionLimits
from transport.media_server.admission.resets import KEY_BYTES, Resets
from transport.media_server.door import Door
from transport.media_server.endpoint import UdpEndpoint


class BatchedServer(GatedServer):
    """The connections of one socket."""

    def __init__(
        self,
        *,
        configuration: QuicConfiguration,
        create_protocol: Callable[..., BatchedProtocol],
        door: Door,
        limits: AdmissionLimits = DEFAULT_LIMITS,
        reset_key: bytes | None = None,
        name_id: Callable[[bytes], bytes] = bytes,
    ) -> None:
        """`reset_key`: of stateless resets, for as long as peers should believe them; None makes one up.

        `name_id` makes of a random connection ID one that leads here.
        """
        self._received: dict[BatchedProtocol, None] = {}
        self._door = door
        self._newcomer_host: str | None = None
        self._arrived_s = 0.0
        self._answers = TokenBucket(per_s=limits.resets_per_s, burst=limits.resets_burst)
        self._resets = Resets(
            secrets.token_bytes(KEY_BYTES) if reset_key is None else reset_key,
            bucket=self._answers,
            random_bytes=secrets.token_bytes,
        )

        def create(*args: object, **kwargs: object) -> BatchedProtocol:
            protocol = create_protocol(*args, **kwargs)
            protocol.on_received = self._note_received
            protocol.arrival_s = self._arrival_s
            protocol.send_flight = self._send_flight
            shape_ids(protocol.connection.quic, name_id=name_id, token_of=self._resets.token_of)
            assert self._newcomer_host is not None
            self._door.admit(protocol, self._newcomer_host)
            return protocol

        super().__init__(configuration=configuration, create_protocol=create, name_id=name_id)

    def on_newcomer(self, addr: NetworkAddress, *, is_proven: bool) -> Verdict:
        self._newcomer_host = str(addr[0])
        return self._door.judge(self._newcomer_host, is_proven=is_proven)

    def may_answer(self) -> bool:
        return self._answers.take(now_s=self._loop.time())

    def on_stray(self, connection_id: bytes, data: bytes, addr: NetworkAddress) -> None:
        answer = self._resets.answer(connection_id, packet_bytes=len(data), now_s=self._loop.time())
        if answer is not None:
            self._send_flight([(answer, addr)])

    def on_ended(self, protocol: BatchedProtocol) -> None:
        self._door.on_ended(protocol)

    def datagram_arrived(self, data: bytes, addr: NetworkAddress, *, arrived_s: float) -> None:
        """For one of the connections, or a newcomer."""
        self._arrived_s = arrived_s
        self.datagram_received(data, addr)

    def finish_batch(self) -> None:
        """Let every connection that received something answer."""
        received, self._received = self._received, {}
        for protocol in received:
            protocol.finish_batch()

    def _send_flight(self, datagrams: Sequence[tuple[bytes, NetworkAddress]]) -> None:
        assert isinstance(self._transport, UdpEndpoint)
        self._transport.send_flight(datagrams)

    def _arrival_s(self) -> float:
        return self._arrived_s

    def _note_received(self, protocol: BatchedProtocol) -> None:
        self._received[protocol] = None
