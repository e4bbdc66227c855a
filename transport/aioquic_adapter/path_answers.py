"""Answers on paths that are not in use, which aioquic sends outside of window, pacer and rate limits.

Each is a full datagram, and may answer a challenge of 40 bytes (RFC 9000 section 8.2.2). On a validated path nothing
else bounds them.
"""

from __future__ import annotations

from aioquic.quic.connection import NetworkAddress, QuicConnection, QuicNetworkPath

from cc.core.token_bucket import TokenBucket

ANSWERS_PER_S = 2.0
ANSWERS_BURST = 16
"""A client that moves asks a few times on each of its paths, of which aioquic keeps eight."""


class PathAnswers:
    """Of one connection; what is asked for beyond the limit stays without an answer."""

    def __init__(self, quic: QuicConnection) -> None:
        """Take over the sending of probes in a connection that has not begun."""
        self._send = quic._send_probing_frames
        self._bucket = TokenBucket(per_s=ANSWERS_PER_S, burst=ANSWERS_BURST)
        quic._send_probing_frames = self._answer  # type: ignore[method-assign]

    def _answer(self, network_path: QuicNetworkPath, now: float) -> list[tuple[bytes, NetworkAddress]]:
        if not self._bucket.has_one(now_s=now):
            network_path.remote_challenges.clear()
            return []
        answers = self._send(network_path=network_path, now=now)
        if answers:  # none where an unproven path has had three times what it sent
            self._bucket.take(now_s=now)
        return answers
