"""What an ACK says of packets that carry one stream's bytes: neighbours are acknowledged together.

aioquic copies the numbers of all packets for each ACK, and tells the stream of each packet.
"""

from __future__ import annotations

from aioquic.quic.packet_builder import QuicDeliveryState
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStreamSender

from transport.aioquic_adapter.flight_packet import AnySentPacket, FlightPacket

ACKED = QuicDeliveryState.ACKED


def take_acked_runs(ack_rangeset: RangeSet, space: QuicPacketSpace) -> list[int]:
    """Book the ACK for all flight packets but the newest, which is left for aioquic to measure the round trip by.

    The numbers of those that were booked.
    """
    sent = space.sent_packets
    lowest = next(iter(sent), None)
    if lowest is None:
        return []
    acked: list[FlightPacket] = []
    for numbers in ack_rangeset:
        if numbers.stop > lowest:
            acked += _of_flights(range(max(numbers.start, lowest), numbers.stop), space)
    if len(acked) < 2:
        return []
    acked.pop()
    for packet in acked:
        del sent[packet.packet_number]
    space.ack_eliciting_in_flight -= len(acked)
    _tell_streams(acked)
    return [packet.packet_number for packet in acked]


def _of_flights(numbers: range, space: QuicPacketSpace) -> list[FlightPacket]:
    """The packets of flights among these, in order; the peer chooses the range, so what was sent bounds the work."""
    sent: dict[int, AnySentPacket] = space.sent_packets  # type: ignore[assignment]
    if len(numbers) <= len(sent):
        found = [packet for number in numbers if (packet := sent.get(number)) is not None]
    else:
        found = [packet for number, packet in sent.items() if number in numbers]
    return [packet for packet in found if isinstance(packet, FlightPacket)]


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
