"""Stamps are dated when their flight leaves, however long its bytes took to read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cc.core.receiver_base import Stamp
from transport.headless.client import ClientProtocol
from transport.media_server.content import GeneratedContent
from transport.media_server.media_protocol import MediaProtocol
from transport.tests.serving import with_both_ends
from transport.wire_format.wire import encode_stamp

SLOW_S = 0.05


class SkewedLoop:
    """A loop in which reading takes time, though nobody waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._real = loop
        self.skew_s = 0.0
        self.skew_at_s: dict[float, float] = {}
        """By the times that it told."""

    def time(self) -> float:
        """The time as it would be."""
        now_s = self._real.time() + self.skew_s
        self.skew_at_s[now_s] = self.skew_s
        return now_s

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def test_a_stamp_is_dated_after_its_flight_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = GeneratedContent.read
    read_after_s: list[float] = []

    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        loop = SkewedLoop(connection._loop)
        connection._loop = loop  # type: ignore[assignment]

        def read_slowly(self: GeneratedContent, offset: int, size_bytes: int) -> bytes:
            loop.skew_s += SLOW_S
            return read(self, offset, size_bytes)

        def note_date(stamp: Stamp) -> bytes:
            read_after_s.append(loop.skew_s - loop.skew_at_s[stamp.send_time_s])
            return encode_stamp(stamp)

        monkeypatch.setattr(GeneratedContent, "read", read_slowly)
        monkeypatch.setattr("transport.media_server.media_session.encode_stamp", note_date)
        await client.download("generated/1000000", on_data=lambda data: None)
        assert loop.skew_s > 0
        assert read_after_s
        assert set(read_after_s) == {0.0}

    with_both_ends(tmp_path, scenario)
