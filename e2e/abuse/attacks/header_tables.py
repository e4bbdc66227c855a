"""A peer that lets our table of header fields grow, and acknowledges no section that refers to it (RFC 9204 7.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pylsqpack
from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import FrameType, Setting, StreamType, encode_frame, encode_settings

from e2e.abuse.attack import Attack, AttackError, Limit, Sample
from e2e.abuse.client.addresses import ONE_ADDRESS
from e2e.abuse.client.crowd import Stranger, crowd
from e2e.abuse.ground import Ground
from e2e.laboratory.figures.figure import Reach
from e2e.laboratory.places.media_server import ORIGIN
from transport.wire_format.requests import MAX_GENERATED_BYTES

REQUESTS = 10_000
SMALL_REQUESTS = 4_000
"""As many before, for they take what is free in the process already."""
AT_ONCE = 16
OFFERED = 2**30
ANSWER_LIMIT_S = 5.0
KEPT = Limit(f"kept of {REQUESTS} requests", Reach("at most", 0.25), "MB")

Fields = dict[str, str]
TO_SERVER = {":scheme": "https", ":authority": "127.0.0.1"}
GENERATED_PATH = f"/generated/{MAX_GENERATED_BYTES}"
FOR_SESSION = {":method": "CONNECT", ":protocol": "webtransport", **TO_SERVER, ":path": "/v1/cubic", "origin": ORIGIN}


async def measure(ground: Ground) -> Sequence[Sample]:
    """Answers have a status that is not in the static table, or a field that comes twice."""
    return [
        *await _measure_arm(ground, "refusals", _session),
        *await _measure_arm(ground, "ranges", _range, "--http3", "cubic"),
    ]


async def _measure_arm(ground: Ground, arm: str, fields_of: Callable[[int], Fields], *options: str) -> Sequence[Sample]:
    requests = SMALL_REQUESTS if ground.is_small else REQUESTS
    async with ground.media_server(*options) as server, crowd(server.port, [ONE_ADDRESS]) as strangers:
        if not strangers:
            raise AttackError("header-tables: no handshake was finished")
        asker = _Asker(strangers[0])
        if fields_of is _session:
            await asker.open_session()
        await asker.ask(fields_of, requests)
        before_bytes = server.process.rss_bytes
        await asker.ask(fields_of, requests)
        grown_bytes = server.process.rss_bytes - before_bytes
    return [KEPT.of(grown_bytes / 1e6 * REQUESTS / requests, arm)]


def _session(number: int) -> Fields:
    """Refused, for one is open."""
    return FOR_SESSION


def _range(number: int) -> Fields:
    """Each byte twice: what comes again is what a table is for."""
    byte = number // 2
    return {":method": "GET", **TO_SERVER, ":path": GENERATED_PATH, "range": f"bytes={byte}-{byte}"}


class _Asker:
    """Speaks no more of HTTP/3 than the server has to hear."""

    def __init__(self, stranger: Stranger) -> None:
        self._stranger = stranger
        self._encoder = pylsqpack.Encoder()
        self._asked = 0
        settings: dict[int, int] = {Setting.QPACK_MAX_TABLE_CAPACITY: OFFERED, Setting.QPACK_BLOCKED_STREAMS: OFFERED}
        control = encode_uint_var(StreamType.CONTROL) + encode_frame(FrameType.SETTINGS, encode_settings(settings))
        connection = stranger.connection
        connection.send_stream_data(connection.get_next_available_stream_id(is_unidirectional=True), control)

    async def open_session(self) -> None:
        """Its stream stays open."""
        self._send(FOR_SESSION, is_last=False)
        self._stranger.heard.clear()
        self._stranger.transmit()
        await self._stranger.heard.wait()

    async def ask(self, fields_of: Callable[[int], Fields], requests: int) -> None:
        """Raises AttackError where an answer does not come to its end."""
        stranger = self._stranger
        for _ in range(requests // AT_ONCE):
            ended = stranger.streams_ended + AT_ONCE
            for _ in range(AT_ONCE):
                self._send(fields_of(self._asked))
                self._asked += 1
            stranger.transmit()
            try:
                async with asyncio.timeout(ANSWER_LIMIT_S):
                    while stranger.streams_ended < ended:
                        stranger.heard.clear()
                        await stranger.heard.wait()
            except TimeoutError as error:
                raise AttackError("header-tables: a request was not answered") from error

    def _send(self, fields: Fields, *, is_last: bool = True) -> None:
        connection = self._stranger.connection
        stream_id = connection.get_next_available_stream_id()
        _, section = self._encoder.encode(
            stream_id, [(name.encode(), value.encode()) for name, value in fields.items()]
        )
        connection.send_stream_data(stream_id, encode_frame(FrameType.HEADERS, section), end_stream=is_last)


ATTACK = Attack(
    name="header-tables",
    summary=f"Offers {OFFERED} bytes for header fields, asks {2 * REQUESTS} times, and acknowledges no section.",
    limits=(KEPT,),
    measure=measure,
)
