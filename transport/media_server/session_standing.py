"""What a client's addresses are held to have shown, before its session, during it and at its end."""

from __future__ import annotations

import logging

from aioquic.quic.connection import NetworkAddress

from transport.aioquic_adapter.connection import ControlledConnection
from transport.media_server.watch_list import Standing, WatchList

logger = logging.getLogger(__name__)


class SessionStanding:
    """Of one connection, before the watch list."""

    def __init__(self, connection: ControlledConnection, watch_list: WatchList) -> None:
        self._connection = connection
        self._watch_list = watch_list
        self._judged_address: NetworkAddress | None = None
        """Where the client was when it asked for its session; None before."""

    def judge(self, *, now_s: float) -> Standing:
        """How far to believe a client that asks for a session; one of a watched address is watched from now on."""
        address = self._judged_address = self._connection.path.proven_address
        standing = Standing.BELIEVED if address is None else self._watch_list.judge(address[0], address[1])
        if standing is Standing.WATCHED:
            self._connection.watch_acks(now_s=now_s)
        return standing

    def on_forged(self) -> None:
        """The client acknowledged what was never sent."""
        for address in self._known_addresses():
            logger.warning("%s acknowledged what was never sent: its address is watched", address[0])
            self._watch_list.on_forged(address[0], address[1])

    def on_moved(self, host: str, *, now_s: float) -> None:
        """The client is at another host: that path begins no better than another session would."""
        if self._judged_address is not None and self._watch_list.is_watched(host):
            self._connection.watch_acks(now_s=now_s)

    def on_session_ended(self) -> None:
        """Tell what the session has shown of its addresses."""
        packets_sent = self._connection.ledger.packets_sent_total
        survived = self._connection.guard.withheld.survived
        for address in self._known_addresses():
            self._watch_list.on_session_ended(address[0], packets_sent=packets_sent, survived=survived)

    def _known_addresses(self) -> list[NetworkAddress]:
        """Where the client was let in, and where it has gone since: it answers for both."""
        addresses = (self._judged_address, self._connection.path.proven_address)
        return [address for address in dict.fromkeys(addresses) if address is not None]
