"""A sent packet that ends with one stream's data: an eighth of what aioquic keeps for it."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicDeliveryHandler, QuicDeliveryState, QuicSentPacket
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStreamSender
from aioquic.tls import Epoch


class SentAck(NamedTuple):
    """What a packet acknowledged."""

    space: QuicPacketSpace
    largest: int

    def on_delivery(self, delivery: QuicDeliveryState) -> None:
        """The peer knows of all up to the largest once the packet has arrived (`QuicConnection._on_ack_delivery`)."""
        if delivery is QuicDeliveryState.ACKED:
            self.space.ack_queue.subtract(0, self.largest + 1)


class FlightPacket:
    """What aioquic's loss recovery reads of a `QuicSentPacket` that ends with one STREAM frame.

    Before that frame there are none, or an ACK, or datagrams, of whose delivery nobody is told.
    """

    __slots__ = ("ack", "fin", "packet_number", "sender", "sent_bytes", "sent_time", "start", "stop")

    epoch: ClassVar[Epoch] = Epoch.ONE_RTT
    in_flight: ClassVar[bool] = True
    is_ack_eliciting: ClassVar[bool] = True
    is_crypto_packet: ClassVar[bool] = False
    packet_type: ClassVar[QuicPacketType] = QuicPacketType.ONE_RTT

    sent_time: float
    """Set when its flight is booked."""

    def __init__(
        self, packet_number: int, sent_bytes: int, sender: QuicStreamSender, start: int, stop: int, fin: bool
    ) -> None:
        self.packet_number = packet_number
        self.sent_bytes = sent_bytes
        self.sender = sender
        self.start = start
        self.stop = stop
        self.fin = fin
        self.ack: SentAck | None = None

    @property
    def delivery_handlers(self) -> tuple[tuple[QuicDeliveryHandler, tuple[Any, ...]], ...]:
        """Who is to be told what became of the packet, and of what."""
        of_stream = (self.sender.on_data_delivery, (self.start, self.stop, self.fin))
        return (of_stream,) if self.ack is None else ((self.ack.on_delivery, ()), of_stream)


AnySentPacket = QuicSentPacket | FlightPacket
"""Of those that a connection keeps until they are acknowledged or lost."""
