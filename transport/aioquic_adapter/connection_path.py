"""Where the peer of one of aioquic's connections is, and where it has moved to."""

from __future__ import annotations

from collections.abc import Callable

from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicConnectionState
from aioquic.quic.packet import QuicErrorCode

from cc.core.token_bucket import TokenBucket

MOVES_PER_S = 1.0
MOVES_BURST = 8
"""Of a client to another host, each of which makes a scheme anew. A phone changes networks a few times a minute; a NAT
that rebinds changes the port alone, which is no move."""


class ConnectionPath:
    """The path in use, of one connection."""

    def __init__(self, quic: QuicConnection) -> None:
        self._quic = quic
        self.on_moved: Callable[[str], None] = lambda host: None
        """Called with the host that the peer is at now, where that has changed."""
        self._host: str | None = None
        self._moves = TokenBucket(per_s=MOVES_PER_S, burst=MOVES_BURST)

    @property
    def peer_address(self) -> NetworkAddress | None:
        """Where datagrams are sent to; None before the first has come."""
        return self._quic.get_peer_address()

    def may_come_from(self, address: NetworkAddress) -> bool:
        """Whether a datagram from there is read: until the handshake is over all come from one address.

        Clients keep to that (RFC 9000 section 9). aioquic takes any source of a packet of the handshake for proven,
        though nothing was ever sent there, and sends as much as it likes to it.
        """
        quic = self._quic
        if quic._handshake_confirmed or quic._state is QuicConnectionState.FIRSTFLIGHT:
            return True
        is_the_same: bool = self.peer_address == address
        return is_the_same

    @property
    def proven_address(self) -> NetworkAddress | None:
        """Where the peer has shown that it is: the path in use once it is validated, else the last that was.

        One packet with a forged source makes its path the one in use (RFC 9000 section 9.3.1). None before a handshake.
        """
        return next((path.addr for path in self._quic._network_paths if path.is_validated), None)

    @property
    def peer_host(self) -> str | None:
        """Where datagrams are sent to, without the port; None before the first has come."""
        address = self.peer_address
        return None if address is None else str(address[0])

    def moved_to(self, *, now_s: float) -> str | None:
        """The peer's host, where it is another than when this was last asked; a new port alone is a NAT's doing.

        Who moves too often ends the connection: then, too, None.
        """
        known, host = self._host, self.peer_host
        if host == known:
            return None
        if known is not None and not self._moves.take(now_s=now_s):
            self._quic.close(error_code=QuicErrorCode.INTERNAL_ERROR, reason_phrase="too many changes of the path")
            return None
        self._host = host
        return None if known is None else host
