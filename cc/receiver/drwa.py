"""DRWA: the receiver bounds the window by what a round trip without much queue carries.

Source: H. Jiang, Y. Wang, K. Lee, I. Rhee, "Tackling Bufferbloat in 3G/4G Networks", IMC 2012, section 5, algorithm 1:
every round trip `cwnd_est <- alpha * cwnd_est + (1 - alpha) * data_rcvd` and `rwnd <- lambda * RTT_min / RTT_est *
cwnd_est`. Where the flow fills the link, the round trip settles at lambda times the shortest one.

Deviations, each with its reason:

- RTT_est is the sender's shortest round trip and the receiver's own queueing delay on top; the paper reads both from
  TCP's timestamps, which QUIC has not.
- TCP sends the smaller of its own window and rwnd. Here the receiver's window is the window, so it grows no faster than
  slow start would: to at most twice the window in force. Slow start is the sender's until rwnd is below its window.
- A round trip in which the application had too little to send is not counted: it would lower the window for nothing.
"""

from __future__ import annotations

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from cc.core.scheme import Scheme
from cc.receiver.window_receiver import WindowReceiver, within_reach_packets
from cc.sender.receiver_driven import ReceiverDriven

LAMBDA = 3.0  # section 5.2: the paper's trade between throughput and delay
ALPHA = 7 / 8  # section 5.1


class Drwa(WindowReceiver):
    """The receiver's half; the sender's half is `cc.sender.receiver_driven`."""

    def __init__(self) -> None:
        super().__init__()
        self._round_began_s = 0.0
        self._round_began_bytes = 0
        self._is_round_app_limited = False
        self._cwnd_est_bytes: float | None = None

    def _begin_anew(self, stamp: Stamp, *, received_time_s: float) -> None:
        self._window_packets = stamp.cwnd_bytes / stamp.max_datagram_bytes
        self._end_slow_start = False
        self._cwnd_est_bytes = None
        self._begin_round(stamp, received_time_s=received_time_s)

    def _move_window(self, stamp: Stamp, last: Stamp, *, received_time_s: float) -> None:
        if stamp.phase is not Phase.SLOW_START:
            self._end_slow_start = False
        if stamp.min_rtt_s is None:
            return
        self._is_round_app_limited = self._is_round_app_limited or stamp.is_app_limited
        rtt_est_s = stamp.min_rtt_s + max(0.0, self._measurement.queueing_delay.filtered_s)
        elapsed_s = received_time_s - self._round_began_s
        if elapsed_s < rtt_est_s:
            return
        if not self._is_round_app_limited and stamp.phase is not Phase.RECOVERY:
            # stamps are rarer than packets: what arrived is scaled to one round trip
            received_bytes = (stamp.bytes_sent - self._round_began_bytes) * rtt_est_s / elapsed_s
            self._set_window(stamp, received_bytes, rtt_ratio=stamp.min_rtt_s / rtt_est_s)
        self._begin_round(stamp, received_time_s=received_time_s)

    def _begin_round(self, stamp: Stamp, *, received_time_s: float) -> None:
        self._round_began_s = received_time_s
        self._round_began_bytes = stamp.bytes_sent
        self._is_round_app_limited = stamp.is_app_limited

    def _set_window(self, stamp: Stamp, received_bytes: float, *, rtt_ratio: float) -> None:
        if self._cwnd_est_bytes is None or stamp.phase is Phase.SLOW_START:
            self._cwnd_est_bytes = received_bytes  # an average would lag behind a window that doubles
        else:
            self._cwnd_est_bytes = ALPHA * self._cwnd_est_bytes + (1 - ALPHA) * received_bytes
        rwnd_bytes = LAMBDA * rtt_ratio * self._cwnd_est_bytes
        if stamp.phase is Phase.SLOW_START and rwnd_bytes < stamp.cwnd_bytes:
            self._end_slow_start = True
        self._window_packets = within_reach_packets(rwnd_bytes / stamp.max_datagram_bytes, stamp)


SCHEME = Scheme(
    name="drwa",
    title="DRWA",
    control="receiver",
    family="Receiver-driven",
    summary="The receiver bounds the window so that the round trip stays below three times the shortest.",
    source="Jiang, Wang, Lee, Rhee: Tackling Bufferbloat in 3G/4G Networks, IMC 2012",
    make_sender=ReceiverDriven,
    make_receiver=lambda _parameters: Drwa(),
)
