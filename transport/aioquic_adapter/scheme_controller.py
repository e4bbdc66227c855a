"""A scheme of cc/ behind the interface that aioquic has for congestion controllers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from aioquic.quic.congestion.base import QuicCongestionControl
from aioquic.quic.packet_builder import QuicSentPacket

from cc.core.base import MINIMUM_WINDOW_PACKETS, EcnCounts, RttState, SenderScheme
from cc.core.flight_bound import FlightBound
from cc.core.ledger import PacketLedger
from cc.core.path_throughput import PathThroughput
from transport.aioquic_adapter.black_hole import BlackHoleWatch
from transport.aioquic_adapter.flight_packet import AnySentPacket
from transport.aioquic_adapter.withheld import WithheldPackets

MAX_IN_FLIGHT_BYTES = 7 * 2**18
"""Kept until the peer acknowledges it, which a hostile one never does. A queue of 1,000 packets is filled within it."""


class SchemeController(QuicCongestionControl):
    """aioquic's controller interface in front of a scheme.

    aioquic hands over acknowledged packets one by one, before the RTT of the same ACK; they are collected here and
    given to the scheme as one event by `SchemeRecovery`, which knows when the ACK is over.
    """

    def __init__(self, *, scheme: SenderScheme, withheld: WithheldPackets) -> None:
        super().__init__(max_datagram_size=scheme.max_datagram_bytes)
        self.scheme = scheme
        self.withheld = withheld
        self.ledger = PacketLedger(scheme.max_datagram_bytes)
        self.flight_bound = FlightBound(scheme.cwnd_bytes)
        self.most_in_flight_bytes = MAX_IN_FLIGHT_BYTES
        """However much the scheme asks for."""
        self.granted_window_bytes = scheme.cwnd_bytes
        """The scheme's window within its bounds."""
        self.packet_bytes = scheme.max_datagram_bytes
        """Of full packets, which may have grown, or shrunk, since the scheme was made."""
        self.size_probes: set[int] = set()
        """Numbers of packets whose loss says nothing of congestion (RFC 9000 section 14.4)."""
        self.black_hole: BlackHoleWatch | None = None
        """None where packets have the base size."""
        self.throughput: PathThroughput | None = None
        """None where nobody asks for it."""
        self._acked: list[int] = []
        self._lost: list[int] = []
        self._is_persistent_congestion = False
        self.has_rtt_sample = False
        """Whether the ACK that is being collected brought one."""
        self._marks: EcnCounts | None = None

    @property
    def congestion_window(self) -> int:
        """`granted_window_bytes`, where aioquic looks for it."""
        return self.granted_window_bytes

    @congestion_window.setter
    def congestion_window(self, window_bytes: int) -> None:
        self.granted_window_bytes = window_bytes

    @property
    def hears_sends(self) -> bool:
        """Whether the scheme does anything as packets leave."""
        return type(self.scheme).on_packet_sent is not SenderScheme.on_packet_sent

    def on_packet_sent(self, *, packet: QuicSentPacket) -> None:
        assert packet.sent_time is not None
        ledger = self.ledger
        sent = ledger.on_packet_sent(
            packet_number=packet.packet_number, size_bytes=packet.sent_bytes, now_s=packet.sent_time
        )
        self.bytes_in_flight = ledger.bytes_in_flight
        self.scheme.on_packet_sent(now_s=packet.sent_time, packet=sent, bytes_in_flight=ledger.bytes_in_flight)

    def on_flight_sent(self, packets: Sequence[AnySentPacket], *, now_s: float) -> None:
        """`on_packet_sent` for consecutive packets that leave together."""
        assert packets[-1].packet_number - packets[0].packet_number == len(packets) - 1
        sent = self.ledger.on_packets_sent(
            first_number=packets[0].packet_number,
            sizes_bytes=[packet.sent_bytes for packet in packets],
            times_s=[now_s] * len(packets),
        )
        self.bytes_in_flight = self.ledger.bytes_in_flight
        scheme = self.scheme
        if self.hears_sends:
            for packet in sent:
                scheme.on_packet_sent(now_s=now_s, packet=packet, bytes_in_flight=packet.bytes_in_flight)

    def on_packet_acked(self, *, now: float, packet: QuicSentPacket) -> None:
        self._acked.append(packet.packet_number)

    def on_packets_acked(self, packet_numbers: Iterable[int]) -> None:
        """`on_packet_acked` for several."""
        self._acked += packet_numbers

    def on_packets_lost(self, *, now: float, packets: Iterable[QuicSentPacket]) -> None:
        for packet in packets:
            if packet.packet_number in self.withheld:
                self.withheld.on_lost()
                self.ledger.on_packets_discarded([packet.packet_number])
            elif packet.packet_number in self.size_probes:
                self.size_probes.discard(packet.packet_number)
                self.ledger.on_packets_discarded([packet.packet_number])
            else:
                self._lost.append(packet.packet_number)

    def on_packets_expired(self, *, packets: Iterable[QuicSentPacket]) -> None:
        numbers = [packet.packet_number for packet in packets]
        self.size_probes.difference_update(numbers)
        self.ledger.on_packets_discarded(numbers)
        self.bytes_in_flight = self.ledger.bytes_in_flight

    def on_persistent_congestion(self) -> None:
        self._is_persistent_congestion = True

    def on_rtt_measurement(self, *, now: float, rtt: float) -> None:
        """Schemes take the RTT itself from the event."""
        self.has_rtt_sample = True

    def on_marks(self, counts: EcnCounts) -> None:
        """How many packets arrived with which code point since this was last told; the ACK itself follows."""
        before = self._marks or EcnCounts()
        self._marks = EcnCounts(
            ect0=before.ect0 + counts.ect0, ect1=before.ect1 + counts.ect1, ce=before.ce + counts.ce
        )

    def deliver(self, *, now_s: float, rtt: RttState | None) -> None:
        """Tell the scheme what was collected: first what arrived, then what was lost."""
        if self._acked:
            acked = self.ledger.on_packets_acked(
                self._acked,
                now_s=now_s,
                rtt=rtt,
                has_rtt_sample=self.has_rtt_sample,
                cwnd_bytes=self.granted_window_bytes,
                ecn=self._marks,
            )
            self._acked = []
            self._marks = None
            self.has_rtt_sample = False
            if acked is not None:
                if self.black_hole is not None:
                    self.black_hole.on_acked(acked.acked)
                self.flight_bound.on_ack(acked)
                if self.throughput is not None:
                    self.throughput.on_ack(acked)
                self.scheme.on_ack(acked)
        if self._lost:
            lost = self.ledger.on_packets_lost(
                self._lost, now_s=now_s, is_persistent_congestion=self._is_persistent_congestion
            )
            self._lost = []
            if lost is not None:
                if self.black_hole is not None:
                    self.black_hole.on_lost(lost.lost)
                self.scheme.on_loss(lost)
        self._is_persistent_congestion = False
        self.refresh()

    def refresh(self) -> None:
        """Copy the scheme's window, within its bounds, and the ledger's flight to where aioquic reads them."""
        self.bytes_in_flight = self.ledger.bytes_in_flight
        window_bytes = min(self.scheme.cwnd_bytes, self.flight_bound.bytes, self.most_in_flight_bytes)
        limit_packets = self.withheld.window_limit_packets
        if limit_packets is not None:
            window_bytes = min(window_bytes, limit_packets * self.scheme.max_datagram_bytes)
        self.granted_window_bytes = max(window_bytes, MINIMUM_WINDOW_PACKETS * self.packet_bytes)

    def use_scheme(self, scheme: SenderScheme) -> None:
        """Another takes over: nothing is proven of its window."""
        self.scheme = scheme
        self.flight_bound = FlightBound(scheme.cwnd_bytes)
        self.refresh()

    def get_log_data(self) -> dict[str, Any]:
        return {**super().get_log_data(), **self.scheme.log_fields()}
