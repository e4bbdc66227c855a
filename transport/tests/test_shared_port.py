"""Several sockets at one UDP port: which of them a datagram reaches, and who may join."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import select
import socket
import struct
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.media_server.workers import shared_port
from transport.media_server.workers.shared_port import FIRST_BYTES, Share, SharedPort, choosing_program, homes_of
from transport.udp.socket import bind

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone is asked to choose")

ARRIVES_WITHIN_S = 5.0
places = st.integers(1, FIRST_BYTES).flatmap(lambda of: st.tuples(st.integers(0, of - 1), st.just(of)))


def long_header(connection_id: bytes) -> bytes:
    """As of an Initial."""
    return b"\xc0\0\0\0\1" + bytes([len(connection_id)]) + connection_id + bytes(20)


def short_header(connection_id: bytes) -> bytes:
    """As of whatever comes after the handshake."""
    return b"\x40" + connection_id + bytes(20)


HEADERS = (long_header, short_header)


@contextlib.contextmanager
def sharing(workers: int, host: str = "127.0.0.1") -> Iterator[SharedPort]:
    """A port of so many."""
    try:
        shared = SharedPort(host, 0, workers)
    except OSError:
        if host == "127.0.0.1":
            raise
        pytest.skip(f"{host} cannot be had here")
    with contextlib.closing(shared):
        yield shared


def reached(shared: SharedPort, data: bytes, target: str = "127.0.0.1") -> int:
    """The index of the worker whose socket gets it."""
    with socket.socket(socket.AF_INET6 if ":" in target else socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(data, (target, shared.port))
    (sock,) = select.select(shared._sockets, [], [], ARRIVES_WITHIN_S)[0]
    assert sock.recv(2048) == data
    return shared._sockets.index(sock)


def test_the_program_takes_the_first_byte_of_the_id_modulo_the_workers() -> None:
    assert list(struct.iter_unpack("=HBBI", choosing_program([0, 2, 2], mark=0xABCD))) == [
        (0x30, 0, 0, 0),  # ldb [0]
        (0x45, 3, 0, 0x80),  # jset #0x80, to ldh [7]
        (0x30, 0, 0, 1),  # ldb [1]
        (0x94, 0, 0, 3),  # mod #3
        (0x16, 0, 0, 0),  # ret a
        (0x28, 0, 0, 7),  # ldh [7]
        (0x15, 0, 3, 0xABCD),  # jeq #0xabcd, else to the second ldb [6]
        (0x30, 0, 0, 6),  # ldb [6]
        (0x94, 0, 0, 3),  # mod #3
        (0x16, 0, 0, 0),  # ret a
        (0x30, 0, 0, 6),  # ldb [6]
        (0x94, 0, 0, 3),  # mod #3
        (0x15, 0, 1, 1),  # jeq #1, else skip one
        (0x06, 0, 0, 2),  # ret #2
        (0x16, 0, 0, 0),  # ret a
    ]


@pytest.mark.parametrize(("host", "targets"), [("127.0.0.1", ["127.0.0.1"]), ("::1", ["::1"])])
@pytest.mark.parametrize("workers", [2, 3, 7])
def test_each_id_reaches_the_worker_that_it_names(workers: int, host: str, targets: Sequence[str]) -> None:
    with sharing(workers, host) as shared:
        for first in range(FIRST_BYTES):
            for header in HEADERS:
                for target in targets:
                    assert reached(shared, header(bytes([first]) + bytes(7)), target) == first % workers


def test_on_every_address_it_is_the_same_for_both_versions_of_ip() -> None:
    with sharing(3, "::") as shared:
        for target in ("127.0.0.1", "::1"):
            for header in HEADERS:
                assert [reached(shared, header(bytes([first, 9])), target) for first in range(6)] == [0, 1, 2] * 2


def test_as_many_workers_as_there_may_be_have_one_port() -> None:
    with sharing(FIRST_BYTES) as shared:
        for first in (0, 1, 127, 128, 255):
            assert [reached(shared, header(bytes([first, 9]))) for header in HEADERS] == [first, first]


def test_newcomers_of_a_worker_that_is_away_go_elsewhere_and_what_it_knew_waits_for_its_successor() -> None:
    with sharing(3) as shared:

        def reach(header: object) -> list[int]:
            assert callable(header)
            return [reached(shared, header(bytes([first, 9]))) for first in range(6)]

        shared.route([True, False, True])
        assert (reach(long_header), reach(short_header)) == ([0, 0, 2] * 2, [0, 1, 2] * 2)
        shared.route([False, False, True])
        assert (reach(long_header), reach(short_header)) == ([2, 2, 2] * 2, [0, 1, 2] * 2)
        for everybody in ([False] * 3, [True] * 3):
            shared.route(everybody)
            assert (reach(long_header), reach(short_header)) == ([0, 1, 2] * 2, [0, 1, 2] * 2)


def test_an_id_that_a_worker_gave_stays_with_it_while_its_newcomers_go_elsewhere() -> None:
    with sharing(3) as shared:
        shared.route([True, False, True])
        given = shared.share(1).name_id(bytes(8))
        assert [reached(shared, header(given)) for header in HEADERS] == [1, 1]
        assert reached(shared, long_header(given[:1] + bytes([given[1] ^ 1]) + given[2:])) != 1


def test_what_waits_for_a_worker_is_read_by_its_successor() -> None:
    with sharing(2) as shared:
        share = shared.share(1)
        address = ("127.0.0.1", shared.port)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for number in range(3):
                worker = dataclasses.replace(share, descriptor=os.dup(share.descriptor)).open_socket(*address)
                sender.sendto(short_header(bytes([1, number])), address)
                worker.close()  # it dies: the group stays as it was
        waiting = shared._sockets[1]
        assert [waiting.recv(2048)[2] for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("data", [b"\xc0", b"\xc0\0\0\0\1\0", b"\x40"])
def test_what_is_too_short_for_an_id_comes_to_the_first(data: bytes) -> None:
    with sharing(3) as shared:
        assert reached(shared, data) == 0


def test_nobody_else_gets_the_port() -> None:
    with sharing(2) as shared:
        for occupy in (lambda: SharedPort("127.0.0.1", shared.port, 2), lambda: bind("127.0.0.1", shared.port)):
            with pytest.raises(OSError, match=f"cannot listen on UDP 127.0.0.1:{shared.port}: "):
                occupy()
        assert reached(shared, short_header(b"\1\0")) == 1


def test_a_system_that_cannot_choose_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    monkeypatch.setattr(shared_port, "SO_ATTACH_REUSEPORT_CBPF", 9999)
    with pytest.raises(OSError, match=r"^\[Errno \d+\] --shared-port: this system chooses no "):
        SharedPort("127.0.0.1", port, 2)
    bind("127.0.0.1", port).close()  # it is free again


@given(places, st.binary(min_size=8, max_size=20))
def test_an_id_gets_a_first_byte_that_names_its_worker(place: tuple[int, int], random_id: bytes) -> None:
    index, of = place
    share = Share(index, of, 0xABCD, 5)
    named = share.name_id(random_id)
    assert named[0] % of == index
    assert named[1:] == b"\xab\xcd" + random_id[3:]
    assert share.name_id(named) == named
    assert Share.parse(str(share)) == share


@given(places)
def test_all_bytes_that_name_a_worker_are_used_and_none_too_often(place: tuple[int, int]) -> None:
    index, of = place
    counts = Counter(Share(index, of, 7, 5).name_id(bytes([first, *bytes(7)]))[0] for first in range(FIRST_BYTES))
    assert set(counts) == set(range(index, FIRST_BYTES, of))
    assert max(counts.values()) <= 2 * of


@given(st.lists(st.booleans(), min_size=2, max_size=FIRST_BYTES))
def test_who_takes_sessions_keeps_its_own_and_shares_those_of_the_others(takes_sessions: list[bool]) -> None:
    homes = homes_of(takes_sessions)
    taking = [index for index, takes in enumerate(takes_sessions) if takes]
    if not taking:
        assert homes == list(range(len(takes_sessions)))
        return
    assert [homes[index] for index in taking] == taking
    guests = Counter(home for index, home in enumerate(homes) if index not in taking)
    assert set(guests) <= set(taking)
    assert max(guests.values(), default=0) - min(guests[index] for index in taking) <= 1
