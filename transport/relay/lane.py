"""A lane of the relay: a socket for all clients, one towards the server for each of them, and the link's two ways.

The clients of a lane share its link, or have one alone each.
"""

from __future__ import annotations

import math
import random
import socket
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from cc.links.queueing.discipline import Mark
from transport.relay.log import LinkLog
from transport.relay.pipe import LinkPipe, Packet
from transport.relay.room import Room, Share
from transport.udp.ancillary import receive
from transport.udp.arrival import ArrivalTimes, ask_for_arrivals
from transport.udp.marking import CodePoint, send_marked
from transport.udp.socket import buffer_problem, receive_drops, udp_socket

LARGEST_DATAGRAM_BYTES = 2048  # above what the link carries: longer ones are cut off, and refused for their length
DATAGRAMS_PER_TURN = 64  # then what is due gets its turn
IDLE_LIMIT_S = 120.0
"""A client that neither sent nor got anything for so long has gone; QUIC connections end after 30 s."""
EVICTION_IDLE_S = 10.0
"""Where there is no room, a client that the server has sent nothing for so long makes some."""
MOST_OF_ADDRESS = 64
"""As many clients as the server takes sessions of one address."""
LONG_HEADER = 0x80
"""Of the first byte (RFC 8999 section 5.1): handshakes, and words about tokens and versions."""
LONGEST_RESET_BYTES = 42
"""Of the media server's answers to packets of no connection (`transport.media_server.admission.resets`)."""

CODE_POINTS = {Mark.ACCELERATE: CodePoint.ECT1, Mark.BRAKE: CodePoint.ECT0, Mark.CONGESTION: CodePoint.CE}
"""How a router writes marks; `cc.sender.abc` and `cc.sender.dctcp` read them so, as in the simulation."""

Address = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Upstream:
    """The server's address, resolved."""

    family: int
    address: Address


class Ways:
    """A link's way up and its way down."""

    def __init__(
        self, *, seed: int, room: Room, log: LinkLog | None = None, most_bytes_each: int | None = None
    ) -> None:
        """`log` is of the way down; `most_bytes_each` of a way, None bounds it by the room alone."""
        # named as the simulation names them: of one seed it loses the same packets
        loss_rng, queue_rng = random.Random(f"{seed} loss"), random.Random(f"{seed} queue")
        up, down = Share(room, most_bytes=most_bytes_each), Share(room, most_bytes=most_bytes_each)
        self.up: LinkPipe[Client] = LinkPipe(loss_rng=loss_rng, queue_rng=queue_rng, share=up)
        self.down: LinkPipe[Client] = LinkPipe(loss_rng=loss_rng, queue_rng=queue_rng, log=log, share=down)
        self.log = log

    @property
    def due_s(self) -> float:
        """When something comes out next."""
        return min(self.up.due_s, self.down.due_s)

    @property
    def datagrams_turned_away(self) -> int:
        """That were too large for the link, or for which the relay had no room."""
        return sum(pipe.packets_too_large + pipe.packets_without_room for pipe in (self.up, self.down))

    def trust(self) -> None:
        """The room alone bounds what they hold from now on."""
        self.up.share.most_bytes = self.down.share.most_bytes = None

    def give_up(self) -> None:
        """What they hold is lost."""
        self.up.share.give_all_back()
        self.down.share.give_all_back()


class Client:
    """A client's address, the link that it is behind, and the socket by which the server knows it."""

    def __init__(self, address: Address, upstream: Upstream, ways: Ways, *, now_s: float) -> None:
        self.address = address
        self.ways = ways
        self.last_heard_s = now_s
        """From either side."""
        self.last_answered_s: float | None = None
        """By the server; None before."""
        self.is_connected = False
        """Whether the server has sent what only a connection brings: strangers can forge what asks for the rest."""
        self.socket = connected(upstream)

    def on_answer(self, data: bytes, *, now_s: float) -> None:
        """The server has sent this."""
        self.last_heard_s = self.last_answered_s = now_s
        if not self.is_connected and len(data) > LONGEST_RESET_BYTES:
            self.is_connected = not data[0] & LONG_HEADER
            if self.is_connected:
                self.ways.trust()

    def send_up(self, data: bytes) -> bool:
        """Whether the system took it, or a server that has gone refuses it; a flood fills the system's queue."""
        try:
            self.socket.send(data)
        except ConnectionRefusedError:
            return True
        except OSError:
            return False
        return True


class Lane:
    """Forwards between the clients of one port and the server, over one emulated link."""

    def __init__(
        self,
        sock: socket.socket,
        *,
        upstream: Upstream,
        max_clients: int,
        ways: Ways,
        clock_s: Callable[[], float],
        ways_of_one: Callable[[], Ways] | None = None,
    ) -> None:
        """`ways`: of all clients, unless `ways_of_one` makes each its own."""
        ask_for_arrivals(sock)
        self._socket = sock
        self._upstream = upstream
        self._max_clients = max_clients
        self._most_of_address = min(MOST_OF_ADDRESS, max(1, max_clients // 2))
        self.ways = ways
        self._ways_of_one = ways_of_one
        self.log = ways.log
        self._arrivals_up, self._arrivals_down = ArrivalTimes(clock_s), ArrivalTimes(clock_s)
        self.due_s = math.inf
        """When `forward` has something to do next; looked at each turn, so it is worked out when it changes."""
        self._clients: dict[Address, Client] = {}
        self.datagrams_refused = 0
        """Of clients for whom there was no room."""
        self.datagrams_unsent = 0
        """That the system did not take: whoever measures counts them as the link's loss."""
        self._missed_by_closed: int | None = 0
        self._turned_away_from_gone = 0

    @property
    def datagrams_missed(self) -> int | None:
        """That came while a socket was full, since nobody read it in time; None where the system does not tell."""
        missed = self._missed_by_closed
        for sock in (self._socket, *(client.socket for client in self._clients.values())):
            missed = _sum(missed, receive_drops(sock))
        return missed

    @property
    def datagrams_turned_away(self) -> int:
        """That were too large for the link, or for which the relay had no room."""
        return self._turned_away_from_gone + sum(ways.datagrams_turned_away for ways in self.all_ways())

    @property
    def buffer_problem(self) -> str | None:
        """What the system granted its sockets less of than was asked for, and what to do."""
        return buffer_problem(self._socket)

    @property
    def address(self) -> tuple[str, int]:
        """Where clients send to."""
        host, port = self._socket.getsockname()[:2]
        return host, port

    def readers(self) -> Iterator[tuple[socket.socket, Callable[[float], bool]]]:
        """Every socket with what to call when it can be read; that tells whether the sockets have changed."""
        yield self._socket, self._read_clients
        for client in self._clients.values():
            yield client.socket, partial(self._read_server, client)

    def forward(self, now_s: float) -> None:
        """Send everything that is due."""
        for ways in self.all_ways():
            for data, client, _ in ways.up.take_due(now_s=now_s):
                if not client.send_up(data):
                    self.datagrams_unsent += 1
            for data, client, mark in ways.down.take_due(now_s=now_s):
                self._send_down(data, client, mark)
        self._find_due()

    def all_ways(self) -> Sequence[Ways]:
        """Of every link that it emulates."""
        if self._ways_of_one is None:
            return (self.ways,)
        return [client.ways for client in self._clients.values()]

    def _find_due(self) -> None:
        self.due_s = min([ways.due_s for ways in self.all_ways()], default=math.inf)

    @property
    def clients(self) -> Collection[Client]:
        """Everybody it forwards for."""
        return self._clients.values()

    def change_upstream(self, upstream: Upstream, sockets: Iterable[socket.socket]) -> None:
        """Speak to another server from now on, by these sockets: one for each of `clients`, in their order."""
        self._upstream = upstream
        for client, sock in zip(self._clients.values(), sockets, strict=True):
            self._close(client)
            client.socket = sock

    def forget_idle(self, now_s: float) -> bool:
        """Close the sockets of clients that have gone; whether there were any."""
        idle = [client for client in self._clients.values() if now_s - client.last_heard_s > IDLE_LIMIT_S]
        for client in idle:
            self._forget(client)
        return bool(idle)

    def close(self) -> None:
        """Close all sockets. Raises OSError if the log could not be written."""
        self._socket.close()
        for client in self._clients.values():
            client.socket.close()
        if self.log is not None:
            self.log.close()

    def _read_clients(self, now_s: float) -> bool:
        has_changed = False
        for _ in range(DATAGRAMS_PER_TURN):
            try:
                data, address, ancillary = receive(self._socket, LARGEST_DATAGRAM_BYTES)
            except BlockingIOError:
                break
            except OSError:
                continue  # an ICMP answer to an earlier datagram, or, on Windows, a datagram that is too long
            client = self._clients.get(address)
            if client is None:
                client = self._admit(address, now_s)
                if client is None:
                    self.datagrams_refused += 1
                    continue
                has_changed = True
            client.last_heard_s = now_s
            client.ways.up.offer(Packet(data, client), at_s=self._arrivals_up.of(ancillary))
        self._find_due()
        return has_changed

    def _read_server(self, client: Client, now_s: float) -> bool:
        for _ in range(DATAGRAMS_PER_TURN):
            try:
                data, _, ancillary = receive(client.socket, LARGEST_DATAGRAM_BYTES)
            except BlockingIOError:
                break
            except OSError:
                continue
            client.on_answer(data, now_s=now_s)
            client.ways.down.offer(Packet(data, client), at_s=self._arrivals_down.of(ancillary))
        self._find_due()
        return False

    def _send_down(self, data: bytes, client: Client, mark: Mark | None) -> None:
        try:
            if mark is None:
                self._socket.sendto(data, client.address)
            else:
                send_marked(self._socket, data, client.address, CODE_POINTS[mark])
        except ConnectionRefusedError:
            pass  # an ICMP answer to an earlier datagram, for a client that has gone
        except OSError:
            self.datagrams_unsent += 1

    def _admit(self, address: Address, now_s: float) -> Client | None:
        """A new client, if there is or can be made room, and the system has a socket left."""
        of_host = [client for client in self._clients.values() if client.address[0] == address[0]]
        others = of_host if len(of_host) >= self._most_of_address else self._clients.values()
        leaving = None
        if others is of_host or len(self._clients) >= self._max_clients:
            leaving = _who_leaves(others, now_s)
            if leaving is None:
                return None
        try:
            ways = self.ways if self._ways_of_one is None else self._ways_of_one()
            client = Client(address, self._upstream, ways, now_s=now_s)
        except OSError:
            return None
        if leaving is not None:
            self._forget(leaving)
        self._clients[address] = client
        return client

    def _forget(self, client: Client) -> None:
        del self._clients[client.address]
        self._close(client)
        if self._ways_of_one is not None:
            self._turned_away_from_gone += client.ways.datagrams_turned_away
            client.ways.give_up()

    def _close(self, client: Client) -> None:
        self._missed_by_closed = _sum(self._missed_by_closed, receive_drops(client.socket))
        client.socket.close()


def _sum(one: int | None, other: int | None) -> int | None:
    """None where either is not known."""
    return None if one is None or other is None else one + other


def _who_leaves(clients: Collection[Client], now_s: float) -> Client | None:
    """Of these, for another: one without a connection, the oldest first, and before others one without an answer.

    Who has one leaves when its server has been silent. What a client sends counts for nothing: its address may be
    forged.
    """
    waiting = [client for client in clients if not client.is_connected]
    if waiting:
        return min(waiting, key=lambda client: client.last_answered_s is not None)
    oldest = min(clients, key=lambda client: client.last_answered_s or 0.0)
    return None if now_s - (oldest.last_answered_s or 0.0) < EVICTION_IDLE_S else oldest


def resolve(host: str, port: int) -> Upstream:
    """The server's address, IPv4 before IPv6. Raises OSError, naming the host, where there is none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
    except socket.gaierror as error:
        raise OSError(f"the server {host} is not known ({error.strerror})") from error
    found.sort(key=lambda info: info[0] != socket.AF_INET)
    family, _, _, _, address = found[0]
    return Upstream(family, (str(address[0]), *address[1:]))


def connected(upstream: Upstream) -> socket.socket:
    """A socket towards the server. Raises OSError, naming the server, where there is no route to it."""
    sock = udp_socket(upstream.family)
    try:
        ask_for_arrivals(sock)
        sock.connect(upstream.address)
    except OSError as error:
        sock.close()
        host, port = upstream.address[:2]
        raise OSError(f"cannot reach the server {host}:{port}: {error.strerror}") from error
    return sock
