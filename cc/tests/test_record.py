"""What a record tells of packets that the link lost."""

from __future__ import annotations

from cc.simulation.record import FlowRecord


def test_a_packet_counts_as_lost_when_the_link_loses_it() -> None:
    record = FlowRecord()
    record.add([1.0, None, None], [1200, 1200, 1200], [0.5, 0.5, 0.5])
    assert record.packets_lost == 2
    record.add_chance_loss(1.0, 1200)
    assert (record.packets_lost, record.packets, record.packets_sent) == (3, 1, 3)
