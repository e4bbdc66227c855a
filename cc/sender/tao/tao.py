"""Tao: a window and a pace that change with each ACK as a tree of whiskers says, which Remy's search made.

Source: Winstein, Balakrishnan: TCP ex Machina, Computer-Generated Congestion Control, SIGCOMM 2013, sections 4.1 to
4.3. The tree (tao.json) is of this project: `nuwa models whiskers` makes one over its simulation, and writes beside
the tree what it was made with. Remy's published trees are not part of it.

Deviations:

- An ACK here stands for up to ten packets: a gap is that between two ACKs over the packets of the later one, and all
  of these packets move the averages and the window.
- A gap into which the sender's silence fell is left out; Remy forgets everything whenever a flow begins again.
- Losses change nothing, as in Remy; persistent congestion ends at two packets (RFC 9002 section 7.6.2).

Safety that Remy does not have: no whisker lifts the window above three times what the last round trip delivered, nor
while the application leaves it unused (`delivered_ceiling.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from cc.core.base import MINIMUM_WINDOW_PACKETS, AckEvent, LossEvent, Phase, SenderScheme, SentPacket
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.core.window import initial_window_bytes
from cc.sender.delivered_ceiling import DeliveredCeiling
from cc.sender.tao.whiskers import Signals, Tree, read_tree, whisker_for

TREE_FILE = Path(__file__).with_name("tao.json")
KEPT = 1 - 1 / 8  # of an average, with each packet (section 4.1)
MOST_PACKETS = 20_000.0

TREE: Tree = read_tree(json.loads(TREE_FILE.read_text(encoding="utf-8"))["tree"])


class Tao(SenderScheme):
    """A sender that obeys a tree."""

    may_change_on_send = False

    def __init__(
        self,
        *,
        max_datagram_bytes: int,
        rng: RandomSource,
        tree: Tree | None = None,
        watch: Callable[[Signals], None] | None = None,
    ) -> None:
        """`tree`: instead of the project's; `watch` is told what the tree is asked, for those who make trees."""
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._tree: Tree = TREE if tree is None else tree
        self._watch = watch
        self._window_packets = initial_window_bytes(max_datagram_bytes) / max_datagram_bytes
        self._intersend_s: float | None = None
        self._ack_gap_ms = 0.0
        self._send_gap_ms = 0.0
        self._rtt_ratio = 0.0
        self._acked_s: float | None = None
        self._sent_s: float | None = None
        """When the newest packet that was acknowledged had been sent; both are None across a silence."""
        self._ceiling = DeliveredCeiling(max_datagram_bytes)

    @property
    def cwnd_bytes(self) -> int:
        return int(self._window_packets * self.max_datagram_bytes)

    @property
    def pacing_rate_bytes_per_s(self) -> float | None:
        return None if self._intersend_s is None else self.max_datagram_bytes / self._intersend_s

    @property
    def phase(self) -> Phase:
        return Phase.AVOIDANCE

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        if bytes_in_flight == packet.size_bytes:  # nothing was in flight
            self._acked_s = self._sent_s = None

    def on_ack(self, event: AckEvent) -> None:
        self._ceiling.on_ack(event)
        self._remember(event)
        signals = (self._ack_gap_ms, self._send_gap_ms, self._rtt_ratio)
        if self._watch is not None:
            self._watch(signals)
        whisker = whisker_for(self._tree, signals)
        window = self._window_packets
        for _ in event.acked:
            window = min(whisker.multiple * window + whisker.increment, MOST_PACKETS)
        packet_bytes = self.max_datagram_bytes
        allowed_bytes = self._ceiling.bounded(window * packet_bytes, window_bytes=self._window_packets * packet_bytes)
        self._window_packets = max(allowed_bytes / packet_bytes, float(MINIMUM_WINDOW_PACKETS))
        self._intersend_s = whisker.intersend_ms / 1000

    def on_loss(self, event: LossEvent) -> None:
        if event.is_persistent_congestion:
            self._window_packets = float(MINIMUM_WINDOW_PACKETS)
            self.window_resets += 1

    def log_fields(self) -> Mapping[str, float | None]:
        return {
            "ack_gap_ms": self._ack_gap_ms,
            "send_gap_ms": self._send_gap_ms,
            "rtt_ratio": self._rtt_ratio,
            "intersend_s": self._intersend_s,
        }

    def _remember(self, event: AckEvent) -> None:
        """Section 4.1: the three signals."""
        packets = len(event.acked)
        newest = event.acked[-1]
        if self._acked_s is not None and self._sent_s is not None:
            self._ack_gap_ms = moved(self._ack_gap_ms, 1000 * (event.now_s - self._acked_s) / packets, packets)
            sent_gap_ms = 1000 * max(0.0, newest.sent_time_s - self._sent_s) / packets
            self._send_gap_ms = moved(self._send_gap_ms, sent_gap_ms, packets)
        self._acked_s, self._sent_s = event.now_s, newest.sent_time_s
        if event.rtt is not None and event.has_rtt_sample and event.rtt.min_s > 0:
            self._rtt_ratio = event.rtt.latest_s / event.rtt.min_s


def moved(average: float, value: float, times: int) -> float:
    """An average that sees the same value so many times."""
    return value + KEPT**times * (average - value)


SCHEME = Scheme(
    name="tao",
    title="Tao",
    control="sender",
    family="Learned",
    summary="Window and pace by a tree of rules that a search made, over the gaps of ACKs and the round trips.",
    source="Winstein, Balakrishnan: TCP ex Machina, SIGCOMM 2013; the tree is made here",
    make_sender=Tao,
)
