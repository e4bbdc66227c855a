"""What an ACK says of packets that carry one stream's bytes: neighbours are acknowledged together.

aioquic copies the numbers of all packets for each ACK, and tells the stream of each packet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from aioquic.quic.packet_builder import QuicDeliveryState
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStreamSender

from transport.aioquic_adapter.flight_packet import AnySentPacket, FlightPacket

ACKED = QuicDeliveryState.ACKED


class RoundTripMark:
    """Stands for the newest flight packet of an ACK, of which all is booked but the round trip."""

    __slots__ = ("packet_number", "sent_time")

    in_flight: ClassVar[bool] = False  # it counts no more
    is_ack_eliciting: ClassVar[bool] = True
    delivery_handlers: ClassVar[tuple[()]] = ()

    def __init__(self, packet: FlightPacket) -> None:
        self.packet_number = packet.packet_number
        self.sent_time = packet.sent_time


Unbooked = dict[int, AnySentPacket | RoundTripMark]


def take_acked(ack_rangeset: Iterable[range], space: QuicPacketSpace) -> tuple[list[int], Unbooked]:
    """Book the ACK for all flight packets, and take what it acknowledges out of those sent.

    The numbers of those that were booked, and what is left for aioquic to book, in order of numbers: other packets, and
    a mark to measure the round trip by.
    """
    sent = space.sent_packets
    lowest = next(iter(sent), None)
    if lowest is None:
        return [], {}
    acked: list[AnySentPacket] = []
    for numbers in ack_rangeset:
        if numbers.stop > lowest:
            acked += _sent_among(range(max(numbers.start, lowest), numbers.stop), space)
    for packet in acked:
        del sent[packet.packet_number]
    of_flights = [packet for packet in acked if isinstance(packet, FlightPacket)]
    if not of_flights:
        return [], {packet.packet_number: packet for packet in acked}
    newest = of_flights[-1]
    unbooked: Unbooked = {}
    if len(of_flights) < len(acked):
        unbooked = {each.packet_number: each for each in acked if each is newest or not isinstance(each, FlightPacket)}
    unbooked[newest.packet_number] = RoundTripMark(newest)
    space.ack_eliciting_in_flight -= len(of_flights) - 1  # the mark counts as one
    _tell_streams(of_flights)
    return [packet.packet_number for packet in of_flights], unbooked


def _sent_among(numbers: range, space: QuicPacketSpace) -> list[AnySentPacket]:
    """The packets with these numbers, in order; the peer chooses the range, so what was sent bounds the work."""
    sent: dict[int, AnySentPacket] = space.sent_packets  # type: ignore[assignment]
    if len(numbers) <= len(sent):
        return [packet for number in numbers if (packet := sent.get(number)) is not None]
    return [packet for number, packet in sent.items() if number in numbers]


def _tell_streams(acked: list[FlightPacket]) -> None:
    sender: QuicStreamSender | None = None
    start = stop = 0
    for packet in acked:
        if packet.ack is not None:
            packet.ack.on_delivery(ACKED)
        if packet.sender is not sender or packet.start != stop:
            if sender is not None:
                sender.on_data_delivery(ACKED, start, stop, False)
            sender, start = packet.sender, packet.start
        stop = packet.stop
        if packet.fin:
            sender.on_data_delivery(ACKED, start, stop, True)
            sender = None
    if sender is not None:
        sender.on_data_delivery(ACKED, start, stop, False)
