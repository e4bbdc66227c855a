"""When a flight carries a stamp, what it says, which stamps a receiver answers (transport/wire_format/PROTOCOL.md)."""

from __future__ import annotations

from cc.core.base import RttState, SenderScheme
from cc.core.ledger import PacketLedger
from cc.core.receiver_base import Feedback, Stamp
from cc.core.wrapping_count import COUNT_MODULUS

MIN_INTERVAL_S = 0.003  # one in three flights of a timer that wakes every 1.1 ms
MIN_PACKETS = 4  # on a slow link a stamp must not become a tenth of the traffic
MAX_INTERVAL_S = 0.025  # with fewer packets than that the receiver would be blind for longer than a browser's ACK delay
EPOCH_MODULUS = 2**16


class Stamper:
    """Counts the stamps and the epochs of one session, on all its paths."""

    def __init__(self) -> None:
        self._sequence = 0
        self._epochs_before_path = 0
        self._last_time_s: float | None = None
        self._last_packets_sent = 0

    @property
    def has_begun(self) -> bool:
        """Whether a stamp has been made."""
        return self._last_time_s is not None

    def is_due(self, *, now_s: float, ledger: PacketLedger) -> bool:
        """Whether the flight about to leave should carry one."""
        if self._last_time_s is None or ledger.bytes_in_flight == 0:
            return True
        elapsed_s = now_s - self._last_time_s
        if elapsed_s >= MAX_INTERVAL_S:
            return True
        return elapsed_s >= MIN_INTERVAL_S and ledger.packets_sent_total - self._last_packets_sent >= MIN_PACKETS

    def make(self, *, now_s: float, ledger: PacketLedger, scheme: SenderScheme, rtt: RttState | None) -> Stamp:
        """The stamp for a flight that leaves now; the scheme hears of it, since feedback is due from then on."""
        scheme.on_stamp_sent(now_s=now_s, is_first_after_idle=ledger.bytes_in_flight == 0)
        stamp = Stamp(
            sequence=self._sequence,
            epoch=(self._epochs_before_path + scheme.window_resets) % EPOCH_MODULUS,
            phase=scheme.phase,
            send_time_s=now_s,
            bytes_sent=ledger.bytes_sent_total,
            packets_sent=ledger.packets_sent_total,
            smoothed_rtt_s=None if rtt is None else rtt.smoothed_s,
            min_rtt_s=None if rtt is None else rtt.min_s,
            cwnd_bytes=scheme.cwnd_bytes,
            max_datagram_bytes=scheme.max_datagram_bytes,
            is_app_limited=ledger.is_app_limited,
        )
        self._sequence = (self._sequence + 1) % COUNT_MODULUS
        self._last_time_s = now_s
        self._last_packets_sent = ledger.packets_sent_total
        return stamp

    def hand_over(self, feedback: Feedback, *, scheme: SenderScheme, now_s: float) -> None:
        """Tell the scheme what its receiver asks for, unless that answers stamps of an old path."""
        resets_missed = (self._epochs_before_path + scheme.window_resets - feedback.epoch) % EPOCH_MODULUS
        if resets_missed <= scheme.window_resets:
            scheme.on_feedback(feedback, is_current=resets_missed == 0, now_s=now_s)

    def begin_path(self, old_scheme: SenderScheme) -> None:
        """Another path is taken, by another scheme: the next stamp begins an epoch."""
        self._epochs_before_path += old_scheme.window_resets + 1
