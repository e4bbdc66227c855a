"""The responses that a client of the media server waits for: a head of one line, and bytes."""

from __future__ import annotations

import json
from asyncio import Future
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MAX_HEAD_BYTES = 4096
"""As the browser's receiver takes (`player/src/session/worker/segment-download.ts`)."""


class MalformedResponseError(ValueError):
    """What came on a request's stream is no response; the message is one sentence."""


@dataclass(slots=True)
class Download:
    """A response as it arrives."""

    on_data: Callable[[bytes], None]
    done: Future[None]
    head: dict[str, Any] | None = None
    unread: bytes = b""
    """Of a head that is not whole."""


class ClientDownloads:
    """By the numbers of their streams."""

    def __init__(self) -> None:
        self._of_stream: dict[int, Download] = {}

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._of_stream)

    def begin(self, stream_id: int, download: Download) -> None:
        """Wait for what comes on this stream."""
        self._of_stream[stream_id] = download

    def forget(self, stream_id: int) -> None:
        """Wait no more."""
        del self._of_stream[stream_id]

    def on_data(self, stream_id: int, data: bytes, *, is_ended: bool) -> None:
        """Hand over what came on a stream; raises MalformedResponseError."""
        download = self._of_stream.get(stream_id)
        if download is None or download.done.done():
            return
        if download.head is None:
            line, newline, data = (download.unread + data).partition(b"\n")
            if len(line) > MAX_HEAD_BYTES:
                raise MalformedResponseError(f"a response's head has more than {MAX_HEAD_BYTES} bytes")
            if not newline and is_ended:
                raise MalformedResponseError(f"a response ended in its head, after {len(line)} bytes")
            if newline:
                download.head, download.unread = parse_head(line), b""
            else:
                download.unread = line
        if download.head is not None and data:
            download.on_data(data)
        if is_ended:
            download.done.set_result(None)

    def fail(self, stream_id: int, error: ConnectionError) -> None:
        """This one is given up; whoever waits for it gets the error."""
        download = self._of_stream.get(stream_id)
        if download is not None and not download.done.done():
            download.done.set_exception(error)

    def fail_all(self, error: ConnectionError) -> None:
        """The session is over."""
        for stream_id in self._of_stream:
            self.fail(stream_id, error)


def parse_head(line: bytes) -> dict[str, Any]:
    """The JSON object before a response's bytes; raises MalformedResponseError."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MalformedResponseError(f"a response's head is no JSON: {line[:40]!r}") from error
    if not isinstance(head, dict):
        raise MalformedResponseError(f"a response's head is no JSON object: {line[:40]!r}")
    return head


def printable(text: str) -> str:
    """What a server says, for a terminal: control characters as Python escapes them."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
