"""Short packets of the path in use, opened without aioquic's way for all kinds of packets.

What is written down for a packet is what aioquic writes down: `tests/test_fast_reads.py` holds the two against each
other. aioquic gets whatever is out of the ordinary: before anything was done for it.
"""

from __future__ import annotations

from aioquic._crypto import CryptoError
from aioquic.quic.connection import (
    END_STATES,
    NetworkAddress,
    QuicConnection,
    QuicConnectionError,
    QuicConnectionState,
    QuicReceiveContext,
)
from aioquic.quic.crypto import SAMPLE_SIZE
from aioquic.quic.packet import PACKET_FIXED_BIT, PACKET_LONG_HEADER, PACKET_NUMBER_MAX_SIZE, decode_packet_number
from aioquic.quic.recovery import MAX_ACK_RANGES, QuicPacketSpace
from aioquic.tls import Epoch

from transport.aioquic_adapter.next_keys import next_keys

KIND_BITS = PACKET_LONG_HEADER | PACKET_FIXED_BIT
PROTECTED_BITS, RESERVED_BITS, SPIN_BIT = 0x1F, 0x18, 0x20
"""Of a short header's first byte (RFC 9000 section 17.3.1)."""


class FastReads:
    """Of one connection."""

    def __init__(self, quic: QuicConnection) -> None:
        self._quic = quic

    def read(self, data: bytes, address: NetworkAddress, *, now_s: float) -> bool:
        """Whether the datagram was read; if not, nothing was done."""
        quic = self._quic
        host_cid = quic.host_cid
        number_at = 1 + len(host_cid)
        if (
            data[0] & KIND_BITS != PACKET_FIXED_BIT
            or data[1:number_at] != host_cid
            or not quic._handshake_confirmed
            or quic._state is not QuicConnectionState.CONNECTED
            or quic._close_pending
            or quic._quic_logger is not None
        ):
            return False
        path = quic._network_paths[0]
        crypto, space = quic._cryptos[Epoch.ONE_RTT].recv, quic._spaces[Epoch.ONE_RTT]
        hp, aead = crypto.hp, crypto.aead
        sample = data[number_at + PACKET_NUMBER_MAX_SIZE : number_at + PACKET_NUMBER_MAX_SIZE + SAMPLE_SIZE]
        if (
            hp is None
            or aead is None
            or hp._is_chacha20
            or path.addr != address
            or not path.is_validated
            or len(sample) < SAMPLE_SIZE
        ):
            return False
        mask = hp._encryptor.update(sample)
        first_byte = data[0] ^ mask[0] & PROTECTED_BITS
        has_same_keys = first_byte >> 2 & 1 == crypto.key_phase
        opener = aead if has_same_keys else next_keys(crypto).aead
        if opener is None:
            return False
        number_bytes = (first_byte & 0x03) + 1
        payload_at = number_at + number_bytes
        protected = int.from_bytes(data[number_at:payload_at], "big")
        truncated = protected ^ int.from_bytes(mask[1 : 1 + number_bytes], "big")
        number = decode_packet_number(truncated, 8 * number_bytes, space.expected_packet_number)
        header = b"".join((bytes((first_byte,)), host_cid, truncated.to_bytes(number_bytes, "big")))
        try:
            plain = opener.decrypt(data[payload_at:], header, number)
        except CryptoError:
            return True  # forged, or broken on the way: it is as if it had not come
        if first_byte & RESERVED_BITS or not has_same_keys:
            return False
        if number not in space.received_packets:
            self._take(plain, number, space, is_spinning=bool(first_byte & SPIN_BIT), now_s=now_s)
        return True

    def _take(self, plain: bytes, number: int, space: QuicPacketSpace, *, is_spinning: bool, now_s: float) -> None:
        quic = self._quic
        if number > space.expected_packet_number:
            space.expected_packet_number = number + 1
        if number > quic._spin_highest_pn:
            quic._spin_bit = is_spinning
            quic._spin_highest_pn = number
        context = QuicReceiveContext(Epoch.ONE_RTT, quic.host_cid, quic._network_paths[0], None, now_s, None)
        is_ack_eliciting = False
        try:
            is_ack_eliciting, _ = quic._payload_received(context, plain)
        except QuicConnectionError as error:
            quic._logger.warning(error)
            quic.close(error_code=error.error_code, frame_type=error.frame_type, reason_phrase=error.reason_phrase)
        if quic._state in END_STATES or quic._close_pending:
            return
        quic._close_at = now_s + quic._idle_timeout()
        quic._ack_eliciting_sent_since_receipt = False
        if number > space.largest_received_packet:
            space.largest_received_packet = number
            space.largest_received_time = now_s
        space.ack_queue.add(number)
        space.received_packets.add(number)
        if len(space.ack_queue) > MAX_ACK_RANGES:
            space.ack_queue.shift()
        if is_ack_eliciting and space.ack_at is None:
            space.ack_at = now_s + quic._ack_delay
