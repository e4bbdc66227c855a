"""An estimator that knows the link: what it will carry."""

from __future__ import annotations

from collections.abc import Sequence

from cc.links.link import OVERHEAD_BYTES
from cc.links.traces.capacity import offered_bytes
from e2e.laboratory.films.play import PAYLOAD_SHARE

LOOK_AHEAD_S = 1.0


class KnownLink:
    """A trace, asked for a film's share of what it offers: without the headers of IP, UDP, QUIC and its frames."""

    def __init__(self, opportunities_ms: Sequence[int], *, datagram_bytes: int) -> None:
        """`datagram_bytes`: of UDP payload."""
        self._opportunities_ms = opportunities_ms
        self._share = PAYLOAD_SHARE * datagram_bytes / (datagram_bytes + OVERHEAD_BYTES)

    def bits_per_s(self, at_s: float) -> float:
        """Mean over the second that begins at `at_s`."""
        before, after = (offered_bytes(self._opportunities_ms, time_s) for time_s in (at_s, at_s + LOOK_AHEAD_S))
        return 8 * self._share * (after - before) / LOOK_AHEAD_S
