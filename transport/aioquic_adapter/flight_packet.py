"""A sent packet of one stream's data: an eighth of what aioquic keeps for it."""

from __future__ import annotations

from typing import ClassVar

from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicDeliveryHandler, QuicSentPacket
from aioquic.quic.stream import QuicStreamSender
from aioquic.tls import Epoch


class FlightPacket:
    """What aioquic's loss recovery reads of a `QuicSentPacket` that carries one STREAM frame."""

    __slots__ = ("fin", "packet_number", "sender", "sent_bytes", "sent_time", "start", "stop")

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

    @property
    def delivery_handlers(self) -> tuple[tuple[QuicDeliveryHandler, tuple[int, int, bool]], ...]:
        """Who is to be told what became of the packet, and of which bytes."""
        return ((self.sender.on_data_delivery, (self.start, self.stop, self.fin)),)


AnySentPacket = QuicSentPacket | FlightPacket
"""Of those that a connection keeps until they are acknowledged or lost."""
