"""Stateful-BBR: BBR v1 that begins where an earlier connection to the same peer ended.

Source: Guo, Liu, Yang et al.: Stateful-BBR - An enhanced TCP for emerging high-bandwidth mobile networks (IWQoS 2021),
in the authors' module, tcp_sbbrv1.c of mclab-cuhk/Stateful-BBR at 631e80e; the paper's text was not at hand. The
module keeps for each address the bandwidth and the BDP that the last connection found, and has the next one start with
a window of that BDP, paced at that bandwidth, instead of ten packets. Startup goes on from there.

A scheme knows no addresses: its host keeps what it leaves (`path_record`), and hands it to the next one to the same
peer. With no record it is BBR v1, as the module is with an address that it has not seen.

Deviations: those of `cc.sender.bbr.bbr`.
"""

from __future__ import annotations

from cc.core.base import AckEvent
from cc.core.path_record import PathRecord
from cc.core.random_source import RandomSource
from cc.core.scheme import Scheme
from cc.sender.bbr.bbr import Bbr

RECORD_PACKETS_MIN = 10  # below this the record says less than the usual initial window
RECORD_PACKET_BYTES = 1500  # the module counts the flow in these


class StatefulBbr(Bbr):
    """BBR with a memory, which others keep for it."""

    def __init__(self, *, max_datagram_bytes: int, rng: RandomSource, record: PathRecord | None = None) -> None:
        """`record`: what the last connection to the same peer learned."""
        super().__init__(max_datagram_bytes=max_datagram_bytes, rng=rng)
        self._record = record
        self._flow_bytes = 0
        if record is not None and record.bdp_bytes >= RECORD_PACKETS_MIN * self.max_datagram_bytes:
            self._set_window(record.bdp_bytes)
            self._pacing_rate = record.bandwidth_bytes_per_s
            self._has_rtt = True  # the first round trip's sample must not bring back ten packets' rate

    def path_record(self) -> PathRecord | None:
        """Less the pacing margin; the old record where this connection was shorter than its BDP (bbr_release)."""
        record, bdp_bytes = self._record, self.model.bdp_bytes
        if bdp_bytes is None:
            return record
        if record is not None and self._flow_bytes < record.bdp_bytes / self.max_datagram_bytes * RECORD_PACKET_BYTES:
            return record
        return PathRecord(self.bandwidth_bytes_per_s * (1 - self.pacing_margin), bdp_bytes)

    def on_ack(self, event: AckEvent) -> None:
        self._flow_bytes = event.delivered_bytes
        super().on_ack(event)


SCHEME = Scheme(
    name="stateful-bbr",
    title="Stateful-BBR",
    control="sender",
    family="Model-based",
    summary="BBR v1 that starts at the bandwidth which the last connection to the same address found.",
    source="Guo, Liu, Yang et al.: Stateful-BBR, IWQoS 2021",
    make_sender=StatefulBbr,
    make_from_record=StatefulBbr,
)
