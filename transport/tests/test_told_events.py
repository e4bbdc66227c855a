"""What a server's scheme is told, and when, by packets and acknowledgements at chosen times; and after an idle time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicSentPacket
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.tls import Epoch

from cc.core.base import AckEvent, LossEvent
from cc.sender.newreno import NewReno
from transport.aioquic_adapter.recovery import SchemeRecovery
from transport.headless.client import ClientProtocol
from transport.media_server.media_protocol import MediaProtocol
from transport.tests.serving import with_both_ends
from transport.tests.test_aioquic_adapter import controlled

RTT_S = 0.040
OUTAGE_S = 0.5
"""Longer than three probe timeouts of such a path: after its first round trip one takes 40 + 4 * 20 + 25 ms."""


class Noting(NewReno):
    """Keeps what it is told."""

    def __init__(self) -> None:
        super().__init__(max_datagram_bytes=1200, rng=random.Random(1))
        self.acks: list[AckEvent] = []
        self.losses: list[LossEvent] = []

    def on_ack(self, event: AckEvent) -> None:
        self.acks.append(event)
        super().on_ack(event)

    def on_loss(self, event: LossEvent) -> None:
        self.losses.append(event)
        super().on_loss(event)

    @property
    def lost(self) -> list[tuple[list[int], bool]]:
        """The packets' numbers by event, and whether it was persistent congestion."""
        return [([each.packet_number for each in loss.lost], loss.is_persistent_congestion) for loss in self.losses]


class KnownPath:
    """A connection's recovery after its first round trip, of packet 0."""

    def __init__(self) -> None:
        self.scheme = Noting()
        self._connection = controlled()
        self._connection.use_scheme(lambda size_bytes: self.scheme, now_s=0.0)
        self._connection.quic._packet_number = 1_000
        self._space = QuicPacketSpace(is_application_data=True)
        self.recovery: SchemeRecovery = self._connection._recovery
        self.recovery.spaces = [self._space]
        self.recovery.handshake_confirmed = True
        self.recovery.peer_completed_address_validation = True
        self.send([0], now_s=0.0)
        self.ack(range(1), now_s=RTT_S)

    def send(self, numbers: Sequence[int], *, now_s: float) -> None:
        """Full packets leave."""
        for number in numbers:
            packet = QuicSentPacket(
                *(Epoch.ONE_RTT, True, True, False, number, QuicPacketType.ONE_RTT), sent_time=now_s, sent_bytes=1200
            )
            self.recovery.on_packet_sent(packet=packet, space=self._space)

    def ack(self, numbers: range, *, now_s: float) -> None:
        """One acknowledgement of these."""
        self.recovery.on_ack_received(ack_rangeset=RangeSet([numbers]), ack_delay=0.0, now=now_s, space=self._space)


@pytest.fixture
def path() -> KnownPath:
    """A path with a known round trip."""
    return KnownPath()


def test_an_outage_of_three_probe_timeouts_is_persistent_congestion_and_the_next_loss_is_none(path: KnownPath) -> None:
    path.send([1], now_s=1.0)
    path.send([2, 3, 4, 5], now_s=1.0 + OUTAGE_S)
    path.ack(range(3, 6), now_s=1.0 + OUTAGE_S + RTT_S)
    path.send(range(6, 10), now_s=2.0)
    path.ack(range(7, 10), now_s=2.0 + RTT_S)
    assert path.scheme.lost == [([1, 2], True), ([6], False)]


def test_a_shorter_outage_is_no_persistent_congestion(path: KnownPath) -> None:
    path.send([1], now_s=1.0)
    path.send([2, 3, 4, 5], now_s=1.2)
    path.ack(range(3, 6), now_s=1.2 + RTT_S)
    assert path.scheme.lost == [([1, 2], False)]


def test_a_lost_size_probe_makes_no_persistent_congestion(path: KnownPath) -> None:
    path.send([1], now_s=1.0)
    path.recovery.controller.size_probes.add(2)
    path.send([2, 3, 4, 5], now_s=1.0 + OUTAGE_S)
    path.ack(range(3, 6), now_s=1.0 + OUTAGE_S + RTT_S)
    assert path.scheme.lost == [([1], False)]


def test_a_loss_that_the_timer_finds_is_told_at_once(path: KnownPath) -> None:
    path.send([1, 2], now_s=1.0)
    path.ack(range(2, 3), now_s=1.0 + RTT_S)
    assert path.scheme.losses == []
    path.recovery.on_loss_detection_timeout(now=1.0 + 2 * RTT_S)
    assert path.scheme.lost == [([1], False)]


def test_an_ack_that_waited_to_be_read_comes_after_what_has_left_meanwhile(path: KnownPath) -> None:
    path.send([1], now_s=1.0)
    path.send([2], now_s=1.1)
    path.ack(range(1, 2), now_s=1.0 + RTT_S)
    assert path.scheme.acks[-1].now_s == 1.1


def test_an_ack_that_waited_to_be_read_comes_after_what_the_scheme_was_told_meanwhile(path: KnownPath) -> None:
    path.send([1], now_s=1.0)
    path.recovery.refresh(now_s=1.2)
    path.ack(range(1, 2), now_s=1.0 + RTT_S)
    assert path.scheme.acks[-1].now_s == 1.2


def test_what_follows_an_idle_time_is_application_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        await client.download("generated/1000", on_data=lambda data: None)
        await client.ping()
        assert connection.connection.has_window_room
        assert connection.connection.ledger.is_app_limited
        acks: list[AckEvent] = []
        scheme = connection.connection.scheme
        monkeypatch.setattr(scheme, "on_ack", acks.append)
        await client.download("generated/1000", on_data=lambda data: None)
        await client.ping()
        assert acks[0].is_app_limited

    with_both_ends(tmp_path, scenario)
