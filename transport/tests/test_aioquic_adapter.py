"""The pinned version of aioquic still has every private part that the adapter touches."""

from __future__ import annotations

import asyncio
import datetime
import importlib.metadata
import random
import re
import tomllib
from pathlib import Path

import pytest
from aioquic import tls
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3Connection
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection, QuicConnectionError, QuicNetworkPath
from aioquic.quic.crypto import CryptoContext, CryptoPair
from aioquic.quic.packet import QuicErrorCode, QuicPacketType
from aioquic.quic.packet_builder import QuicPacketBuilder, QuicSentPacket
from aioquic.quic.rangeset import RangeSet
from aioquic.quic.recovery import QuicPacketSpace
from aioquic.quic.stream import QuicStreamReceiver, QuicStreamSender
from aioquic.tls import Epoch

import transport.aioquic_adapter
from cc.core.base import SentPacket
from cc.sender.newreno import NewReno
from transport.aioquic_adapter import AIOQUIC_VERSION, connection_guard, next_keys
from transport.aioquic_adapter.connection import BACK_REFERENCES, ControlledConnection
from transport.aioquic_adapter.connection_guard import PEERS_UPDATES_BURST, PEERS_UPDATES_PER_S
from transport.aioquic_adapter.mark_reports import FRAME_HANDLERS
from transport.media_server.certificate import make_certificate
from transport.tests.conversation import CLIENT_ADDRESS, Conversation

ROOT = Path(__file__).parents[2]
KEY_PHASE = 0x04
"""Of a short header's first byte (RFC 9000 section 17.3.1)."""
next_key_phase = next_keys._derive
CERTIFICATE = make_certificate("127.0.0.1", now=datetime.datetime.now(datetime.UTC))


def connection() -> QuicConnection:
    """A server's connection that has not begun."""
    configuration = QuicConfiguration(is_client=False)
    configuration.certificate = CERTIFICATE.certificate
    configuration.private_key = CERTIFICATE.private_key
    return QuicConnection(configuration=configuration, original_destination_connection_id=bytes(8))


def controlled() -> ControlledConnection:
    """The same, under NewReno."""
    return ControlledConnection(connection(), new_reno, random.Random(7))


def new_reno(max_datagram_bytes: int = 1200) -> NewReno:
    """A path's scheme."""
    return NewReno(max_datagram_bytes=max_datagram_bytes, rng=random.Random(1))


def test_the_list_of_modules_has_each_of_them_once() -> None:
    listed = re.findall(r"`(\w+\.py)`", (transport.aioquic_adapter.__doc__ or "").partition("\n")[2])
    folder = Path(transport.aioquic_adapter.__file__).parent
    assert sorted(listed) == sorted(file.name for file in folder.glob("*.py") if file.name != "__init__.py")


def test_the_version_is_the_one_that_is_known() -> None:
    assert importlib.metadata.version("aioquic") == AIOQUIC_VERSION
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"aioquic=={AIOQUIC_VERSION}" in project["dependencies"]


def test_epochs_are_found_by_identity() -> None:
    assert Epoch.__hash__ is object.__hash__
    assert len({epoch: epoch.name for epoch in (*Epoch, *Epoch)}) == len(Epoch)


@pytest.mark.parametrize(
    "name",
    [
        *("_loss", "_streams", "_datagrams_pending", "_packet_number", "_probe_pending"),
        *("_quic_logger", "_local_max_data", "_write_connection_limits", "_write_stream_limits"),
        *(
            "_handshake_confirmed",
            "_spaces",
            "_write_ack_frame",
            "_write_ping_frame",
            "_on_ack_delivery",
            "_local_ack_delay_exponent",
        ),
        *("_events", "_handshake_complete", "_local_max_streams_bidi", "_local_max_streams_uni"),
        *("_crypto_buffers", "_crypto_streams", "_peer_cid_sequence_numbers", "_remote_version_information"),
        *("_network_paths", "_host_cids", "_close_end", "_state", "_replenish_connection_ids"),
        *("_close_event", "_version", "_remote_ack_delay_exponent", "_configuration", "_spin_highest_pn", "_logger"),
        *("_max_datagram_size", "_parse_transport_parameters", "_peer_cid", "_send_probing_frames", "_spin_bit"),
        *("_write_application", "_flush_builder", "_write_datagram_frame", "_write_stream_frame", "_pacing_at"),
        *("_cryptos", "_streams_queue", "_retire_connection_ids", "_streams_blocked_pending", "_ping_pending"),
        *("_handshake_done_pending", "_remote_max_data", "_remote_max_data_used", "_close_at", "_idle_timeout"),
        "_ack_eliciting_sent_since_receipt",
        *("host_cid", "_host_cid_seq", "_local_initial_source_connection_id", "_original_destination_connection_id"),
        *("_ack_delay", "_close_pending"),
        *(name for name in BACK_REFERENCES if name != "tls"),  # that comes with the first packet
        FRAME_HANDLERS,
    ],
)
def test_the_connections_private_parts_exist(name: str) -> None:
    assert hasattr(connection(), name)


@pytest.mark.parametrize(
    "name",
    [
        *("_cc", "_pacer", "_pto_count", "spaces", "_time_of_last_sent_ack_eliciting_packet"),
        *("_rtt_initialized", "_rtt_latest", "_rtt_min", "_rtt_smoothed", "_rtt_variance"),
        *("_time_of_last_sent_ack_eliciting_packet", "_quic_logger", "_in_persistent_congestion"),
    ],
)
def test_the_recoverys_private_parts_exist(name: str) -> None:
    assert hasattr(connection()._loss, name)


@pytest.mark.parametrize(
    "name",
    [
        "_loop",
        "_process_events",
        "_quic",
        "_timer",
        "_timer_at",
        "_handle_timer",
        "_transmit_task",
        "_transport",
    ],
)
def test_the_protocols_private_parts_exist(name: str) -> None:
    async def check() -> bool:
        return hasattr(QuicConnectionProtocol(connection()), name)

    assert asyncio.run(check())


def test_a_streams_highest_sent_offset_exists() -> None:
    assert QuicStreamSender(stream_id=0, writable=True).highest_offset == 0


@pytest.mark.parametrize("name", ["_buffer", "_acked", "_pending", "_pending_eof", "_buffer_start", "_buffer_fin"])
def test_a_senders_private_parts_exist(name: str) -> None:
    assert hasattr(QuicStreamSender(stream_id=0, writable=True), name)


@pytest.mark.parametrize(
    "name",
    [
        *("_packet_number", "_peer_cid", "_spin_bit", "_datagrams", "_packets", "_flight_bytes", "_total_bytes"),
        *("_buffer_capacity", "_end_packet", "_datagram_needs_padding"),
    ],
)
def test_a_builders_private_parts_exist(name: str) -> None:
    builder = QuicPacketBuilder(host_cid=b"", peer_cid=b"", version=1, is_client=False, max_datagram_size=1200)
    assert hasattr(builder, name)


def test_a_cipher_is_what_runs_are_sealed_with() -> None:
    pair = CryptoPair()
    assert pair.recv.key_phase == 0
    assert pair._update_key_requested is False
    pair.setup_initial(bytes(8), is_client=False, version=1)
    aead, hp = pair.send.aead, pair.send.hp
    assert aead is not None
    assert hp is not None
    assert not hp._is_chacha20
    number, header, payload = 7, b"\x41" + bytes(8) + b"\0\7", bytes(100)
    sealed = aead._aead.encrypt((aead._iv ^ number).to_bytes(12, "big"), payload, header)
    mask = hp._encryptor.update(sealed[2:18])
    first_byte = bytes([header[0] ^ (mask[0] & 0x1F)])
    number_field = bytes([header[-2] ^ mask[1], header[-1] ^ mask[2]])
    assert first_byte + header[1:-2] + number_field + sealed == pair.encrypt_packet(header, payload, number)


@pytest.mark.parametrize("name", ["_buffer", "_buffer_start", "_ranges"])
def test_a_receivers_private_parts_exist(name: str) -> None:
    assert hasattr(QuicStreamReceiver(stream_id=0, readable=True), name)


@pytest.mark.parametrize(
    "name",
    [
        *("_init_connection", "_get_local_settings", "_check_request_or_push_frame_type", "_handle_control_frame"),
        "_check_control_frame_type",
        *("_stream", "_decoder", "_max_table_capacity", "_blocked_streams", "_is_done", "_encode_headers"),
    ],
)
def test_http_3s_private_parts_exist(name: str) -> None:
    quic = connection()
    quic._remote_max_streams_uni = 3
    assert hasattr(H3Connection(quic), name)


def test_what_a_client_offered_is_kept_by_tls() -> None:
    assert tls.Context(is_client=False).received_extensions is None


def test_a_streams_reset_is_seen() -> None:
    sender = QuicStreamSender(stream_id=0, writable=True)
    assert sender._reset_error_code is None
    assert not sender.is_finished
    sender.reset(error_code=1)
    assert sender._reset_error_code == 1


def test_the_scheme_takes_the_place_of_aioquics_controller_and_pacer() -> None:
    quic = connection()
    stock_window_bytes = quic._loss.congestion_window
    wrapped = ControlledConnection(quic, lambda size_bytes: new_reno(1000), random.Random(7))
    assert quic._loss.congestion_window == 10_000
    assert stock_window_bytes == 12_000
    wrapped.use_scheme(lambda size_bytes: new_reno(1200), now_s=0.0)
    assert quic._loss.congestion_window == 12_000


@pytest.mark.parametrize(
    ("bytes_in_flight", "room_packets"),
    [(0, 10), (700, 9), (10_799, 1), (10_800, 1), (10_801, 0), (12_000, 0), (12_001, -1)],
)
def test_a_flight_is_of_whole_packets(bytes_in_flight: int, room_packets: int) -> None:
    recovery = controlled()._recovery  # of 12,000 bytes
    recovery.controller.bytes_in_flight = bytes_in_flight
    assert recovery.congestion_window - recovery.bytes_in_flight == room_packets * 1200


class Restarting(NewReno):
    """After an idle its window and rate are others, as BBR's are (HandleRestartFromIdle)."""

    own_window_bytes = 24_000
    rate_bytes_per_s = 1e5

    @property
    def cwnd_bytes(self) -> int:
        return self.own_window_bytes

    @property
    def pacing_rate_bytes_per_s(self) -> float:
        return self.rate_bytes_per_s

    def on_packet_sent(self, *, now_s: float, packet: SentPacket, bytes_in_flight: int) -> None:
        self.own_window_bytes, self.rate_bytes_per_s = 12_000, 2e5


@pytest.mark.parametrize(("hears", "window_bytes", "rate_bytes_per_s"), [(True, 12_000, 2e5), (False, 24_000, 1e5)])
def test_what_a_scheme_sets_on_sending_counts_from_the_next_flight(
    hears: bool, window_bytes: int, rate_bytes_per_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Restarting, "may_change_on_send", hears)
    scheme = Restarting(max_datagram_bytes=1200, rng=random.Random(1))
    wrapped = ControlledConnection(connection(), lambda size_bytes: scheme, random.Random(7))
    wrapped.use_scheme(lambda size_bytes: scheme, now_s=0.0)
    assert wrapped.may_send(now_s=0.0)
    packet = QuicSentPacket(Epoch.ONE_RTT, True, True, False, 1, QuicPacketType.ONE_RTT, sent_time=0.0, sent_bytes=1200)
    wrapped._recovery.controller.on_packet_sent(packet=packet)
    wrapped.after_flight(now_s=0.0)
    pacer = wrapped._recovery._pacer
    assert (wrapped._recovery.controller.granted_window_bytes, pacer.pacer.rate_bytes_per_s) == (
        window_bytes,
        rate_bytes_per_s,
    )


def test_an_ack_of_a_packet_not_yet_sent_ends_the_connection() -> None:
    wrapped = controlled()
    wrapped.quic._packet_number = 10
    wrapped.guard.check_ack(RangeSet([range(0, 10)]))
    with pytest.raises(QuicConnectionError, match="packet 10 was never sent"):
        wrapped.guard.check_ack(RangeSet([range(0, 11)]))


def test_a_peer_is_where_it_has_shown_that_it_is() -> None:
    wrapped = controlled()
    assert wrapped.path.proven_address is None
    forged, proven = QuicNetworkPath(("203.0.113.9", 1)), QuicNetworkPath(("192.0.2.2", 5555), is_validated=True)
    wrapped.quic._network_paths = [forged, proven]
    assert wrapped.path.peer_address == ("203.0.113.9", 1)
    assert wrapped.path.proven_address == ("192.0.2.2", 5555)


def test_datagrams_that_missed_their_flight_are_dropped() -> None:
    wrapped = controlled()
    wrapped.quic._datagrams_pending.extend([b"stamp", b"stamp"])
    wrapped.quic.datagrams_to_send = lambda now: []  # type: ignore[method-assign]
    assert wrapped.take_flight(now_s=0.0) == []
    assert not wrapped.quic._datagrams_pending


@pytest.mark.parametrize("direction", ["sent", "received"])
def test_keys_change_every_four_million_packets_of_either_direction(direction: str) -> None:
    wrapped = controlled()
    space = wrapped.quic._spaces[Epoch.ONE_RTT] = QuicPacketSpace(is_application_data=True)
    updates = []
    wrapped.quic.request_key_update = lambda: updates.append(True)  # type: ignore[method-assign]
    wrapped.quic.datagrams_to_send = lambda now: []  # type: ignore[method-assign]

    def updates_at(packets: int) -> int:
        if direction == "sent":
            wrapped.quic._packet_number = packets
        else:
            space.largest_received_packet = packets
        wrapped.take_flight(now_s=0.0)
        return len(updates)

    assert [updates_at(2**22 - 1), updates_at(2**22), updates_at(2**22 + 1)] == [0, 1, 1]
    assert [updates_at(2**23 - 1), updates_at(2**23), updates_at(2**23 + 9)] == [1, 2, 2]


def test_a_download_goes_on_while_keys_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_guard, "PACKETS_PER_KEY", 100)
    conversation = Conversation(new_reno, rng=random.Random(1))
    conversation.run(400_000)
    assert conversation.end is None
    assert conversation.client._spaces[Epoch.ONE_RTT].largest_received_packet > 300


def test_a_peer_may_change_keys_now_and_then_but_not_with_each_packet() -> None:
    conversation = Conversation(new_reno, rng=random.Random(1))
    conversation.run(1000)
    client, server = conversation.client, conversation.server

    def change_keys(*, now_s: float) -> int | None:
        client.request_key_update()
        client.send_ping(1)
        for data, _ in client.datagrams_to_send(now=now_s):
            server.receive_datagram(data, CLIENT_ADDRESS, now_s=now_s)
        end = conversation.quic._close_event
        return None if end is None else end.error_code

    many = [change_keys(now_s=conversation.now_s + 0.01 * number) for number in range(PEERS_UPDATES_BURST)]
    assert many == [None] * PEERS_UPDATES_BURST
    later_s = conversation.now_s + 1.2 / PEERS_UPDATES_PER_S
    assert change_keys(now_s=later_s) is None
    assert change_keys(now_s=later_s + 0.1) == QuicErrorCode.KEY_UPDATE_ERROR


def test_a_probe_leaves_only_after_probe_timeouts_and_not_too_often() -> None:
    under_control = controlled()
    assert not under_control.let_probe_leave(now_s=1.0)
    under_control.quic._loss._pto_count = 4
    assert under_control.let_probe_leave(now_s=1.0)
    assert under_control.quic._probe_pending
    assert not under_control.let_probe_leave(now_s=1.2)
    assert under_control.let_probe_leave(now_s=1.25)


@pytest.mark.parametrize(
    ("bytes_in_flight", "silence_s", "leaves"), [(10_800, 9.0, False), (10_801, 0.24, False), (10_801, 0.25, True)]
)
def test_a_probe_leaves_where_the_window_has_held_all_back(
    bytes_in_flight: int, silence_s: float, leaves: bool
) -> None:
    for ask in (ControlledConnection.let_probe_leave, ControlledConnection.on_ack):
        under_control = controlled()
        recovery = under_control._recovery  # of 12,000 bytes, ten packets
        recovery.controller.bytes_in_flight = bytes_in_flight
        recovery._time_of_last_sent_ack_eliciting_packet = 1.0
        ask(under_control, now_s=1.0 + silence_s)
        assert under_control.quic._probe_pending is leaves


def test_packets_that_look_like_a_change_of_keys_have_them_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    derived: list[bytes | None] = []

    def derive(context: CryptoContext) -> CryptoContext:
        derived.append(context.secret)
        return next_key_phase(context)

    monkeypatch.setattr(next_keys, "_derive", derive)
    conversation = Conversation(new_reno, rng=random.Random(1))
    conversation.run(1000)
    keys = conversation.quic._cryptos[Epoch.ONE_RTT]
    packets = 20

    def ping(*, is_forged: bool) -> None:
        conversation.now_s += 0.01
        conversation.client.send_ping(1)
        for data, _ in conversation.client.datagrams_to_send(now=conversation.now_s):
            first = data[0] ^ KEY_PHASE if is_forged else data[0]
            conversation.server.receive_datagram(bytes([first]) + data[1:], CLIENT_ADDRESS, now_s=conversation.now_s)

    for _ in range(packets):
        ping(is_forged=True)
    assert derived == [keys.recv.secret]
    conversation.client.request_key_update()
    ping(is_forged=False)
    assert keys.recv.key_phase == 1
    derived.clear()
    for _ in range(packets):  # they look as late packets of the former keys do
        ping(is_forged=True)
    assert derived == [keys.recv.secret]
    conversation.client.request_key_update()
    ping(is_forged=False)
    assert keys.recv.key_phase == 0
