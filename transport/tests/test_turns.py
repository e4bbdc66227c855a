"""How much is sent at a time, and when a connection is woken for it."""

from __future__ import annotations

import random

import pytest
from aioquic.quic.connection import NetworkAddress, QuicConnection
from aioquic.quic.events import StreamDataReceived
from aioquic.tls import Epoch

from cc.core.base import RttState
from cc.sender.cubic import Cubic
from transport.aioquic_adapter.recovery import MOST_PACKETS_AWAITED
from transport.aioquic_adapter.scheme_pacer import SchemePacer
from transport.aioquic_adapter.turns import turn_bytes
from transport.aioquic_adapter.wakings import ACK_DELAY_S, EARLY_ACK_S
from transport.tests.conversation import CLIENT_ADDRESS, ONE_WAY_S, Conversation

PACKET_BYTES = 1200
LENGTH_BYTES = 400_000


def path(*, min_ms: float, queue_ms: float = 0.0) -> RttState:
    smoothed_s = (min_ms + queue_ms) / 1000
    return RttState(latest_s=smoothed_s, smoothed_s=smoothed_s, min_s=min_ms / 1000, variance_s=0.0)


@pytest.mark.parametrize(
    ("rate_mbit", "rtt", "packets"),
    [
        pytest.param(5, path(min_ms=40), 2, id="the pair of a burst, 3.8 ms of 40"),
        pytest.param(1, path(min_ms=40), 1, id="but not 19 ms of 40"),
        pytest.param(24, path(min_ms=0.2), 1, id="nor anything on loopback"),
        pytest.param(5, path(min_ms=40, queue_ms=64), 4, id="8 ms where 64 wait"),
        pytest.param(5, path(min_ms=40, queue_ms=500), 5, id="10 ms at most"),
        pytest.param(24, path(min_ms=40, queue_ms=10), 3, id="1.25 ms where 10 wait"),
    ],
)
def test_a_turn_is_a_share_of_the_queue_that_stands(rate_mbit: float, rtt: RttState, packets: int) -> None:
    found = turn_bytes(rate_bytes_per_s=rate_mbit * 1e6 / 8, packet_bytes=PACKET_BYTES, rtt=rtt)
    assert found == packets * PACKET_BYTES


class Waking(Conversation):
    """A server that builds no flight where nothing may leave."""

    held = 0
    holds = True

    def _flight(self, quic: QuicConnection) -> list[tuple[bytes, NetworkAddress]]:
        if quic is self.quic and self.holds and self.server.is_held_back(now_s=self.now_s):
            self.held += 1
            return []
        return super()._flight(quic)


def lossy(seed: int, *, ratio: float) -> Waking:
    rng = random.Random(seed)

    def fate(is_from_server: bool) -> tuple[float, ...]:
        return () if rng.random() < ratio else (ONE_WAY_S + rng.random() * 0.02,)

    return Waking(cubic, rng=random.Random(seed), fate=fate)


def cubic() -> Cubic:
    return Cubic(max_datagram_bytes=PACKET_BYTES, rng=random.Random(1))


@pytest.mark.parametrize("ratio", [0.0, 0.05])
def test_what_is_held_back_arrives_as_soon(ratio: float) -> None:
    held, built = lossy(3, ratio=ratio), lossy(3, ratio=ratio)
    built.holds = False
    for each in (held, built):
        each.run(LENGTH_BYTES)
        assert each.end is None
        assert len(each.received) == LENGTH_BYTES
    assert held.held > 0
    assert held.now_s < 1.5 * built.now_s


class Rebinding(Waking):
    """Halfway a NAT gives the client another port."""

    def _take(self, event: StreamDataReceived) -> None:
        super()._take(event)
        if len(self.received) > LENGTH_BYTES // 2:
            host, port = CLIENT_ADDRESS
            self.client_address = (host, port + 1)


def test_a_client_behind_another_port_is_held_back_unless_a_path_wants_a_word() -> None:
    talk = Rebinding(cubic, rng=random.Random(3))
    talk.run(LENGTH_BYTES)
    server, quic, now_s = talk.server, talk.quic, talk.now_s
    in_use, former = quic._network_paths
    assert (in_use.is_validated, former.addr) == (True, CLIENT_ADDRESS)
    quic._spaces[Epoch.ONE_RTT].ack_at = None
    quic._loss._cc.congestion_window = server.ledger.bytes_in_flight
    assert server.is_held_back(now_s=now_s)
    former.remote_challenges.append(bytes(8))
    assert not server.is_held_back(now_s=now_s)
    former.remote_challenges.clear()
    in_use.is_validated = False
    assert not server.is_held_back(now_s=now_s)


def test_nothing_is_held_back_before_the_handshake_or_when_an_ack_or_a_probe_is_due() -> None:
    fresh = Waking(cubic, rng=random.Random(1))
    assert not fresh.server.is_held_back(now_s=0.0)
    full = lossy(1, ratio=0.0)
    full.run(LENGTH_BYTES)
    ledger, quic, now_s = full.server.ledger, full.quic, full.now_s
    quic._spaces[Epoch.ONE_RTT].ack_at = None
    quic._loss._cc.congestion_window = ledger.bytes_in_flight
    assert full.server.is_held_back(now_s=now_s)
    assert quic._pacing_at is None  # the window's next ACK wakes it, not the pacer
    quic._spaces[Epoch.ONE_RTT].ack_at = now_s
    assert not full.server.is_held_back(now_s=now_s)
    quic._spaces[Epoch.ONE_RTT].ack_at = None
    quic._probe_pending = True
    assert not full.server.is_held_back(now_s=now_s)


def test_where_others_wait_a_flight_has_a_limit_and_the_rest_leaves_in_the_next_turn() -> None:
    talk = lossy(1, ratio=0.0)
    talk.run(LENGTH_BYTES)
    quic, server = talk.quic, talk.server
    quic.send_stream_data(quic.get_next_available_stream_id(is_unidirectional=True), bytes(50 * PACKET_BYTES))
    now_s = talk.now_s + 1.0
    quic._loss._pacer.pacer.set_rate(1e9, talk.now_s)  # type: ignore[attr-defined]
    quic._loss._cc.bytes_in_flight, quic._loss._cc.congestion_window = 0, 30 * PACKET_BYTES
    assert len(server.take_flight(now_s=now_s, most_packets=4)) == 4
    assert quic.get_timer() == now_s
    assert not server.is_held_back(now_s=now_s)
    assert len(server.take_flight(now_s=now_s)) > 4
    assert quic.get_timer() != now_s


def test_a_client_is_acknowledged_late_or_with_what_leaves() -> None:
    talk = lossy(1, ratio=0.0)
    talk.run(LENGTH_BYTES)
    space = talk.quic._spaces[Epoch.ONE_RTT]
    talk.client.send_ping(1)
    ((data, _),) = talk.client.datagrams_to_send(talk.now_s)
    now_s = talk.now_s + ONE_WAY_S
    talk.quic.receive_datagram(data, ("192.0.2.2", 5555), now_s)
    assert space.ack_at == pytest.approx(now_s + ACK_DELAY_S)
    assert talk.server.take_flight(now_s=now_s + ACK_DELAY_S - EARLY_ACK_S - 0.001) == []
    assert talk.server.take_flight(now_s=now_s + ACK_DELAY_S - EARLY_ACK_S) != []
    assert space.ack_at is None


@pytest.mark.parametrize(("room_packets", "is_woken"), [(2, False), (30, True)])
def test_the_pacer_wakes_nobody_who_needs_an_ack_first(room_packets: int, is_woken: bool) -> None:
    talk = lossy(1, ratio=0.0)
    talk.run(LENGTH_BYTES)
    quic, server = talk.quic, talk.server
    quic.send_stream_data(quic.get_next_available_stream_id(is_unidirectional=True), bytes(50 * PACKET_BYTES))
    quic._loss._pacer.pacer.set_rate(1e5, talk.now_s)  # type: ignore[attr-defined]
    in_flight = quic._loss._cc.bytes_in_flight = server.ledger.bytes_in_flight
    quic._loss._cc.congestion_window = in_flight + room_packets * PACKET_BYTES
    assert len(server.take_flight(now_s=talk.now_s + 1.0)) == 2
    assert (quic._pacing_at is not None) == is_woken


@pytest.mark.parametrize(
    ("turn_packets", "room_packets", "is_held"),
    [
        pytest.param(1, 0, True, id="nothing may leave"),
        pytest.param(1, 1, False, id="a packet is worth a waking where no queue stands"),
        pytest.param(2, 1, False, id="or a short one"),
        pytest.param(3, 2, True, id="behind a queue it waits for the others of its turn"),
        pytest.param(3, 3, False, id="and leaves with them"),
        pytest.param(MOST_PACKETS_AWAITED + 5, MOST_PACKETS_AWAITED - 1, True, id="a long turn waits, too"),
        pytest.param(MOST_PACKETS_AWAITED + 5, MOST_PACKETS_AWAITED, False, id="but not for all of it"),
    ],
)
def test_behind_a_queue_a_flight_waits_for_room_for_its_turn(
    turn_packets: int, room_packets: int, is_held: bool
) -> None:
    talk = lossy(1, ratio=0.0)
    talk.run(LENGTH_BYTES)
    quic, server, now_s = talk.quic, talk.server, talk.now_s + 1.0
    quic._spaces[Epoch.ONE_RTT].ack_at = None
    pacer, whole_bytes = quic._loss._pacer, float(turn_packets * PACKET_BYTES)
    assert isinstance(pacer, SchemePacer)
    pacer._turn_bytes = whole_bytes
    pacer.pacer.set_rate(1e6, talk.now_s, turn_bytes=whole_bytes)
    in_flight = quic._loss._cc.bytes_in_flight = 20 * PACKET_BYTES
    quic._loss._cc.congestion_window = in_flight + room_packets * PACKET_BYTES
    assert server.is_held_back(now_s=now_s) == is_held
    quic._loss._cc.bytes_in_flight = 0  # no ACK would wake it
    quic._loss._cc.congestion_window = max(1, room_packets) * PACKET_BYTES
    assert not server.is_held_back(now_s=now_s)


@pytest.mark.parametrize(("acked_after_s", "could_go_on_after_s"), [(0.001, 0.012), (0.020, 0.020)])
def test_who_waits_for_its_window_is_late_from_its_turn_on(acked_after_s: float, could_go_on_after_s: float) -> None:
    pacer = SchemePacer(max_datagram_bytes=PACKET_BYTES)
    pacer.set_rate(1e5, 0.0, rtt=None)
    pacer.update_after_sending(2, 0.0)
    pacer.wait_for_window(0.0)
    pacer.on_ack(acked_after_s)
    assert pacer.pacer._due_s == pytest.approx(could_go_on_after_s)
