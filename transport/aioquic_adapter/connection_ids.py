"""Connection IDs as a server wants them: by which its process is found, and whose reset tokens can be made again."""

from __future__ import annotations

from collections.abc import Callable

from aioquic.quic.connection import QuicConnection


def shape_ids(quic: QuicConnection, *, name_id: Callable[[bytes], bytes], token_of: Callable[[bytes], bytes]) -> None:
    """Of a server's connection, before its first datagram.

    `name_id` makes of a random ID the one that the peer gets; `token_of` that one's token (RFC 9000 section 10.3.2).
    """
    replenish = quic._replenish_connection_ids

    def shape(*, from_number: int) -> None:
        for connection_id in quic._host_cids:
            if connection_id.sequence_number >= from_number:
                connection_id.cid = name_id(connection_id.cid)
                connection_id.stateless_reset_token = token_of(connection_id.cid)

    def replenish_and_shape() -> None:
        next_number = quic._host_cid_seq
        replenish()
        shape(from_number=next_number)

    shape(from_number=0)
    quic.host_cid = quic._local_initial_source_connection_id = quic._host_cids[0].cid
    quic._replenish_connection_ids = replenish_and_shape  # type: ignore[method-assign]


def name_first_id(quic: QuicConnection, name_id: Callable[[bytes], bytes]) -> None:
    """By which a client's first packets find a server; before it connects."""
    quic._peer_cid.cid = quic._original_destination_connection_id = name_id(quic._peer_cid.cid)
