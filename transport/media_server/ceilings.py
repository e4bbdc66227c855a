"""What a peer can make the server keep, each with its ceiling: `python -m transport.media_server.ceilings --write`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from aioquic.quic.connection import MAX_NETWORK_PATHS, MAX_REMOTE_CHALLENGES
from aioquic.quic.recovery import MAX_ACK_RANGES

from transport.aioquic_adapter import (
    connection_guard,
    connection_path,
    frame_limits,
    hello_limits,
    path_answers,
    peer_limits,
    session_http,
    unread_limits,
    work_budget,
)
from transport.aioquic_adapter.scheme_controller import MAX_IN_FLIGHT_BYTES
from transport.aioquic_adapter.server import MOST_PACKETS
from transport.aioquic_adapter.size_search import MOST_TAKEN_BYTES
from transport.media_server import memory_watch, path_records, watch_list, work_shares
from transport.media_server.datagram_limits import MALFORMED_LIMIT
from transport.media_server.in_flight_limit import ALL_IN_FLIGHT_LIMIT_BYTES
from transport.media_server.session_base import MAX_BACKLOG_BYTES, MAX_OPEN_REQUESTS, MOST_PIECE_BYTES
from transport.wire_format.capsules import MAX_BUFFERED_BYTES
from transport.wire_format.requests import MAX_REQUEST_LINE_BYTES

PAGE = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- begin of `python -m transport.media_server.ceilings` -->", "<!-- end of it -->"
KIB = 1024


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The most that is kept of one thing."""

    what: str
    most: int
    unit: str
    where: str


def _kib(what: str, size_bytes: int, where: str) -> Ceiling:
    return Ceiling(what, size_bytes // KIB, "KiB", where)


CEILINGS = (
    _kib("a client's hello", peer_limits.MAX_CLIENT_HELLO_BYTES, "peer_limits"),
    Ceiling("entries of a client's hello", hello_limits.MOST_HELLO_READS, "", "hello_limits"),
    Ceiling("its transport parameters", hello_limits.MOST_TRANSPORT_PARAMETERS_BYTES, "bytes", "hello_limits"),
    _kib("the rest of its handshake", peer_limits.MAX_LATER_CRYPTO_BYTES, "peer_limits"),
    Ceiling("gaps in the handshake", peer_limits.MAX_CRYPTO_GAPS, "", "peer_limits"),
    Ceiling("bidirectional streams", peer_limits.MAX_BIDIRECTIONAL_STREAMS, "", "peer_limits"),
    Ceiling("unidirectional streams", peer_limits.MAX_UNIDIRECTIONAL_STREAMS, "", "peer_limits"),
    _kib("what may ever come on a stream", peer_limits.PEER_STREAM_LIMIT_BYTES, "peer_limits"),
    _kib(
        "what came on all streams, or is missing before it, and was not read",
        peer_limits.PEER_DATA_WINDOW_BYTES,
        "peer_limits",
    ),
    Ceiling("gaps in a stream", peer_limits.MAX_STREAM_GAPS, "", "peer_limits"),
    _kib("a request's line", MAX_REQUEST_LINE_BYTES, "requests"),
    Ceiling("a capsule", MAX_BUFFERED_BYTES, "bytes", "capsules"),
    _kib("an HTTP request's fields", session_http.MAX_FIELD_SECTION_BYTES, "session_http"),
    Ceiling("fields of it", session_http.MAX_FIELDS, "", "session_http"),
    Ceiling(
        f"HTTP frames of fewer than {session_http.LEAST_FRAME_BYTES} bytes, at once",
        session_http.ROOM_FOR_FRAMES // session_http.LEAST_FRAME_BYTES,
        "",
        "session_http",
    ),
    Ceiling("HTTP settings", session_http.MAX_SETTINGS_BYTES, "bytes", "session_http"),
    Ceiling("open requests", MAX_OPEN_REQUESTS, "", "session_base"),
    _kib("responses written ahead", MAX_BACKLOG_BYTES + MOST_PIECE_BYTES, "session_base"),
    _kib("in flight", MAX_IN_FLIGHT_BYTES, "scheme_controller"),
    Ceiling(
        "ACKs that nobody acknowledged, four times a second", peer_limits.MAX_ACKS_UNACKNOWLEDGED, "", "peer_limits"
    ),
    Ceiling("ranges of packets to acknowledge", MAX_ACK_RANGES, "", "aioquic"),
    Ceiling(
        "events that wait to be handled, before the next datagram", peer_limits.MAX_PENDING_EVENTS, "", "peer_limits"
    ),
    Ceiling("malformed datagrams remembered", MALFORMED_LIMIT, "", "datagram_limits"),
    Ceiling("numbers of the peer's connection IDs", peer_limits.MAX_PEER_CONNECTION_IDS, "", "peer_limits"),
    Ceiling("paths", MAX_NETWORK_PATHS, "", "aioquic"),
    Ceiling("challenges of a path", MAX_REMOTE_CHALLENGES, "", "aioquic"),
    Ceiling("answers on other paths, at once", path_answers.ANSWERS_BURST, "", "path_answers"),
    Ceiling("moves to another host, at once", connection_path.MOVES_BURST, "", "connection_path"),
    Ceiling("changes of keys, at once", connection_guard.PEERS_UPDATES_BURST, "", "connection_guard"),
    Ceiling("packets of a datagram", MOST_PACKETS, "", "server"),
    Ceiling("frames of a datagram, the larger ones counted several times", frame_limits.MOST_WORK, "", "frame_limits"),
    Ceiling("small frames at once, of a peer that is sent nothing", work_budget.WORK_BURST, "", "work_budget"),
    Ceiling("the same of one that has just come", work_budget.FIRST_WORK, "", "work_budget"),
    Ceiling("the same a second in the long run", work_budget.WORK_PER_S, "", "work_budget"),
    Ceiling("the same a second of one address", work_shares.ADDRESS_WORK_PER_S, "", "work_shares"),
    Ceiling("the same of each of its connections, at least", work_shares.LEAST_WORK_PER_S, "", "work_shares"),
    Ceiling(
        f"datagrams left unread for each that is read, for {unread_limits.PERIODS * unread_limits.PERIOD_S:g} s",
        unread_limits.MOST_TIMES,
        "",
        "unread_limits",
    ),
    Ceiling("ranges of packets that an ACK tells of", frame_limits.MOST_ACK_RANGES, "", "frame_limits"),
    Ceiling("a datagram that is read", MOST_TAKEN_BYTES, "bytes", "size_search"),
    _kib("**one connection, by weight**", memory_watch.CONNECTION_LIMIT_BYTES, "memory_watch"),
    _kib("of one connection, not taken for 2 s", memory_watch.STUCK_CONNECTION_LIMIT_BYTES, "memory_watch"),
    _kib("**all connections, by weight**", memory_watch.TOTAL_LIMIT_BYTES, "memory_watch"),
    _kib("of all connections, in flight to those who take it", ALL_IN_FLIGHT_LIMIT_BYTES, "in_flight_limit"),
    _kib("of all connections, not taken for 2 s", memory_watch.STUCK_LIMIT_BYTES, "memory_watch"),
    Ceiling("addresses whose paths are remembered", path_records.MOST_RECORDS, "", "path_records"),
    Ceiling("addresses under watch", watch_list.MOST_KEPT, "", "watch_list"),
    Ceiling("clients that forged", watch_list.MOST_KEPT, "", "watch_list"),
)


def table() -> str:
    """Of all ceilings, in Markdown."""
    rows = [f"| {each.what} | {f'{each.most:,} {each.unit}'.strip()} | `{each.where}` |" for each in CEILINGS]
    return "\n".join(["| what | at most | where |", "| --- | --- | --- |", *rows])


def with_table(page: str) -> str:
    """The page with the table between its markers. Raises ValueError where a marker is missing."""
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{PAGE} has no {BEGIN} followed by {END}: put both where the table belongs")
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


def main() -> int:
    """Print the table, or write it into the page."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(table() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
