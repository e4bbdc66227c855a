"""When BBR v3 probes for bandwidth again, and how fast it then raises its long-term bound.

Source: draft-ietf-ccwg-bbr-06 sections 5.3.3.8.3 and 5.3.3.9.
"""

from __future__ import annotations

from cc.core.random_source import RandomSource

WAIT_S = 2.0  # and up to a second more
RENO_ROUNDS_MAX = 63
SLOPE_ROUNDS_MAX = 30


class ProbeTimer:
    """PickProbeWait and IsTimeToProbeBW: two to three seconds, or as many round trips as Reno would need."""

    __slots__ = ("_began_s", "_rounds", "wait_s")

    def __init__(self) -> None:
        self._began_s = 0.0
        self._rounds = 0
        self.wait_s = 0.0
        """BBR.bw_probe_wait."""

    def start(self, now_s: float, rng: RandomSource) -> None:
        """A cycle of ProbeBW begins."""
        self._began_s = now_s
        self._rounds = int(rng.random() * 2)
        self.wait_s = WAIT_S + rng.random()

    def on_round(self) -> None:
        """A round trip began."""
        self._rounds += 1

    def elapsed_s(self, now_s: float) -> float:
        """Since the cycle began."""
        return now_s - self._began_s

    def is_due(self, now_s: float, *, inflight_packets: float) -> bool:
        """`inflight_packets`: what Reno would add one to each round trip."""
        return self.elapsed_s(now_s) > self.wait_s or self._rounds >= min(inflight_packets, RENO_ROUNDS_MAX)


class UpwardSlope:
    """RaiseInflightLongtermSlope and ProbeInflightLongtermUpward: 1, 2, 4, 8, ... packets in successive round trips."""

    __slots__ = ("_acked_bytes", "_bytes_per_packet", "_rounds")

    def __init__(self) -> None:
        self._rounds = 0
        self._acked_bytes = 0.0
        self._bytes_per_packet = 0.0

    def reset(self) -> None:
        """The next probe begins with one packet in the first round trip."""
        self._rounds = 0
        self._acked_bytes = 0.0

    def steepen(self, *, window_bytes: float, packet_bytes: int) -> None:
        """Another round trip: twice as many packets, evenly spread over a window."""
        self._bytes_per_packet = max(window_bytes / 2**self._rounds, packet_bytes)
        self._rounds = min(self._rounds + 1, SLOPE_ROUNDS_MAX)

    def packets_for(self, acked_bytes: int) -> int:
        """Packets by which the bound rises for these."""
        self._acked_bytes += acked_bytes
        packets = int(self._acked_bytes // self._bytes_per_packet)
        self._acked_bytes -= packets * self._bytes_per_packet
        return packets
