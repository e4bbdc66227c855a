"""Tokens of stateless resets that a server can make again when it has forgotten the connection."""

from __future__ import annotations

from collections.abc import Callable

from aioquic.quic.connection import QuicConnection


def use_reset_tokens(quic: QuicConnection, token_of: Callable[[bytes], bytes]) -> None:
    """Give the peer tokens that follow from the connection IDs (RFC 9000 section 10.3.2). Before the first datagram."""
    replenish = quic._replenish_connection_ids

    def derive(*, from_number: int) -> None:
        for connection_id in quic._host_cids:
            if connection_id.sequence_number >= from_number:
                connection_id.stateless_reset_token = token_of(connection_id.cid)

    def replenish_and_derive() -> None:
        next_number = quic._host_cid_seq
        replenish()
        derive(from_number=next_number)

    derive(from_number=0)
    quic._replenish_connection_ids = replenish_and_derive  # type: ignore[method-assign]
