"""When a connection is worth waking for: flights that cannot leave are not built, and ACKs go with what leaves."""

from __future__ import annotations

from aioquic.quic.connection import QuicConnection, QuicConnectionState
from aioquic.tls import Epoch

from transport.aioquic_adapter.recovery import SchemeRecovery

ACK_DELAY_S = 0.020
"""Of the client's requests and feedback; clients reckon with 25 ms (max_ack_delay), of which a loop may be late 5."""
EARLY_ACK_S = 0.010
"""An ACK that is due so soon goes with whatever leaves, and needs no waking of its own."""


class Wakings:
    """Of one connection."""

    def __init__(self, quic: QuicConnection, recovery: SchemeRecovery) -> None:
        """Of one that has not begun."""
        self._quic = quic
        self._recovery = recovery
        quic._ack_delay = ACK_DELAY_S

    def is_held_back(self, *, now_s: float) -> bool:
        """Whether nothing may leave now: window or pacer forbid it, and no ACK is due. aioquic is told when it may."""
        quic = self._quic
        if (
            not quic._handshake_confirmed
            or quic._state is not QuicConnectionState.CONNECTED
            or quic._close_pending
            or quic._probe_pending
            or (len(quic._network_paths) != 1 and _asks_a_path(quic))
        ):
            return False
        ack_at = quic._spaces[Epoch.ONE_RTT].ack_at
        if ack_at is not None and ack_at <= now_s:
            return False
        pacer = self._recovery._pacer
        if not self._recovery.has_room_for_turn:
            self._wait_for_window(now_s=now_s)
            return True
        next_turn_s = pacer.next_turn_s(now_s)
        if next_turn_s is None:
            return False
        quic._pacing_at = next_turn_s
        return True

    def await_ack(self, *, now_s: float) -> None:
        """Set no timer for the pacer where the flight that has left fills the window: an ACK wakes before it can."""
        quic = self._quic
        waits = quic._pacing_at is not None and quic._handshake_confirmed and not quic._probe_pending
        if waits and not self._recovery.has_room_for_turn:
            self._wait_for_window(now_s=now_s)

    def _wait_for_window(self, *, now_s: float) -> None:
        pacer = self._recovery._pacer
        pacer.wait_for_window(now_s)
        self._quic._pacing_at = None

    def hasten_ack(self, *, now_s: float) -> None:
        """An ACK that is due soon leaves with the flight that leaves now."""
        space = self._quic._spaces.get(Epoch.ONE_RTT)
        if space is not None and space.ack_at is not None and now_s < space.ack_at <= now_s + EARLY_ACK_S:
            space.ack_at = now_s


def _asks_a_path(quic: QuicConnection) -> bool:
    """Whether the path in use is still to be proven, or another, such as that before a NAT's new port, wants a word."""
    in_use, *others = quic._network_paths
    return not in_use.is_validated or any(
        [path.remote_challenges or not (path.is_validated or path.local_challenge_sent) for path in others]
    )
