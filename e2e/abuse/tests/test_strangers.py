"""What strangers send, and where they come from."""

from __future__ import annotations

import random
from ipaddress import ip_address, ip_network

import pytest
from aioquic.buffer import Buffer  # type: ignore[attr-defined]
from aioquic.quic.crypto import CryptoPair
from aioquic.quic.packet import QuicFrameType, QuicPacketType, pull_quic_header

from e2e.abuse.client.addresses import ONE_ADDRESS, many_addresses
from e2e.abuse.client.initials import MAX_DATAGRAM_BYTES, InitialWriter, crypto_gap_initial, plain_initial


def test_many_addresses_are_of_as_many_prefixes_and_of_the_seed() -> None:
    hosts = many_addresses(600, random.Random(1))
    assert len({ip_network(f"{host}/24", strict=False) for host in hosts}) == 600
    assert all(ip_address(host).is_loopback for host in [*hosts, ONE_ADDRESS])
    assert not {ip_network("127.0.0.0/24"), ip_network(f"{ONE_ADDRESS}/24", strict=False)} & {
        ip_network(f"{host}/24", strict=False) for host in hosts
    }
    assert many_addresses(600, random.Random(1)) == hosts


@pytest.mark.parametrize("initial", [plain_initial(), crypto_gap_initial(9, random.Random(1))], ids=["plain", "gap"])
def test_an_initial_is_one_whole_datagram(initial: bytes) -> None:
    header = pull_quic_header(Buffer(data=initial), host_cid_length=8)
    assert (header.packet_type, len(initial)) == (QuicPacketType.INITIAL, MAX_DATAGRAM_BYTES)


def payload(initial: bytes) -> tuple[Buffer, int]:
    """Its frames and its number."""
    buffer = Buffer(data=initial)
    header = pull_quic_header(buffer, host_cid_length=8)
    crypto = CryptoPair()
    crypto.setup_initial(cid=header.destination_cid, is_client=False, version=header.version or 0)
    _, frames, number = crypto.decrypt_packet(initial[: header.packet_length], buffer.tell(), 0)
    return Buffer(data=frames), number


def test_a_gap_is_one_byte_behind_an_offset() -> None:
    frames, _ = payload(crypto_gap_initial(2**19 - 1, random.Random(1)))
    assert [frames.pull_uint_var() for _ in range(3)] == [QuicFrameType.CRYPTO, 2**19 - 1, 1]


def test_initials_of_one_connection_are_numbered() -> None:
    writer = InitialWriter(random.Random(1))
    initials = [writer.datagram_of(QuicFrameType.ACK, bytes([0, 0, 0, each])) for each in range(3)]
    assert len({initial[6:14] for initial in initials}) == 1  # the server's connection ID
    for each, initial in enumerate(initials):
        frames, number = payload(initial)
        assert (number, frames.pull_bytes(5)) == (each, bytes([QuicFrameType.ACK, 0, 0, 0, each]))
