"""What keeps one of aioquic's connections honest: acknowledgements that are checked, and keys that are changed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicConnectionError
from aioquic.quic.packet import QuicErrorCode, QuicFrameType
from aioquic.tls import Epoch

from cc.core.token_bucket import TokenBucket
from transport.aioquic_adapter.withheld import WithheldPackets

PACKETS_PER_KEY = 2**22  # of any kind, resent ones too; half of AES-GCM's limit (RFC 9001 section 6.6)
PEERS_UPDATES_PER_S = 1.0
PEERS_UPDATES_BURST = 8
"""Of keys, which cost as much as seven packets; an honest peer asks after millions of those."""


class ConnectionGuard:
    """Finds a peer that acknowledges what was never sent (RFC 9000 sections 13.1 and 21.4)."""

    def __init__(self, quic: QuicConnection, rng: random.Random) -> None:
        """`rng`: which packets are withheld, so no peer may foretell it."""
        self._quic = quic
        self.withheld = WithheldPackets(rng)
        self.has_forged = False
        """Whether the peer has acknowledged what was never sent; the connection ends then."""
        self.on_forged: Callable[[], None] = _tell_nobody
        """Called when the peer acknowledges what was never sent, before the connection ends."""
        self._key_update_at = PACKETS_PER_KEY
        self._key_phase = 0
        self._is_own_update = False
        self._peers_updates = TokenBucket(per_s=PEERS_UPDATES_PER_S, burst=PEERS_UPDATES_BURST)

    def watch(self) -> None:
        """Withhold more packets from now on, and bound the window by those that survive."""
        self.withheld.watch(next_number=self._quic._packet_number)

    def check_ack(self, ack_rangeset: Sequence[range]) -> None:
        """Raise a connection error for an acknowledgement of a packet that was never sent."""
        largest = ack_rangeset[-1].stop - 1
        unsent = largest if largest >= self._quic._packet_number else self.withheld.acknowledged_in(ack_rangeset)
        if unsent is not None:
            if not self.has_forged:
                self.has_forged = True
                self.on_forged()
            raise QuicConnectionError(
                error_code=QuicErrorCode.PROTOCOL_VIOLATION,
                frame_type=QuicFrameType.ACK,
                reason_phrase=f"packet {unsent} was never sent",
            )

    def withhold_from(self, flight: list[tuple[bytes, NetworkAddress]], *, first_number: int) -> None:
        """Take the packet that is due, if one is, out of a flight that begins with that number.

        Not one that nothing would be missed from, nor one of the handshake.
        """
        quic = self._quic
        number = self.withheld.due_among(range(first_number, quic._packet_number))
        if number is None:
            return
        space = quic._spaces[Epoch.ONE_RTT]
        packet = space.sent_packets.get(number)
        is_one_a_datagram = len(flight) == quic._packet_number - first_number
        if packet is None or not packet.is_ack_eliciting or not is_one_a_datagram or not quic._handshake_confirmed:
            self.withheld.postpone(number)
            return
        del flight[number - first_number]
        self.withheld.add(number)
        if quic._quic_logger is not None:
            quic._quic_logger.log_event(category="nuwa", event="packet_withheld", data={"packet_number": number})

    def change_keys_in_time(self) -> None:
        """Both directions' keys change together: whoever has used its key more counts (RFC 9001 section 6.6)."""
        space = self._quic._spaces.get(Epoch.ONE_RTT)
        received = 0 if space is None else space.largest_received_packet
        if max(self._quic._packet_number, received) >= self._key_update_at:
            self._key_update_at = max(self._quic._packet_number, received) + PACKETS_PER_KEY
            self._quic.request_key_update()
            self._is_own_update = True

    def notice_new_keys(self, *, now_s: float) -> None:
        """End the connection of a peer that changes its keys too often."""
        keys = self._quic._cryptos.get(Epoch.ONE_RTT)
        if keys is None or keys.recv.key_phase == self._key_phase:
            return
        self._key_phase = keys.recv.key_phase
        is_own, self._is_own_update = self._is_own_update, False
        if not is_own and not self._peers_updates.take(now_s=now_s):
            self._quic.close(error_code=QuicErrorCode.KEY_UPDATE_ERROR, reason_phrase="too many updates of keys")


def _tell_nobody() -> None:
    """Nobody asked."""
