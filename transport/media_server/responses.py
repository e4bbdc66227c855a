"""The open responses, in the order in which they are written, and the next bytes of each."""

from __future__ import annotations

from dataclasses import dataclass, field

from transport.media_server.content import Content


@dataclass(slots=True)
class Response:
    """A segment on its way to a stream."""

    stream_id: int
    priority: int
    content: Content
    offset: int
    """Next byte of the content to write."""
    end_offset: int
    """One past the last byte to write."""
    arrival: int = field(default=0)

    @property
    def left_bytes(self) -> int:
        """What has not been written."""
        return self.end_offset - self.offset


class ResponseQueue:
    """Open responses by priority, equal ones in order of arrival.

    Only a little is handed to the connection ahead of time, so that a more urgent request or a cancellation takes
    effect at once.
    """

    def __init__(self) -> None:
        self._open: dict[int, Response] = {}
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._open)

    def __contains__(self, stream_id: int) -> bool:
        return stream_id in self._open

    def add(self, response: Response) -> None:
        """Take over a response."""
        response.arrival = self._arrivals
        self._arrivals += 1
        self._open[response.stream_id] = response

    def cancel(self, stream_id: int) -> bool:
        """Forget a response, and close its content; whether there was one."""
        response = self._open.pop(stream_id, None)
        if response is not None:
            response.content.close()
        return response is not None

    def clear(self) -> None:
        """Forget them all."""
        for stream_id in list(self._open):
            self.cancel(stream_id)

    def in_order(self) -> list[Response]:
        """All of them, the one to write from first before the others."""
        return sorted(self._open.values(), key=lambda response: (response.priority, response.arrival))

    def next_piece(self, response: Response, *, most_bytes: int) -> tuple[bytes, bool]:
        """The next bytes of an open response, and whether they are its last; it is forgotten then.

        Raises OSError or EOFError, naming the file, if its content has gone; the response is still open then.
        """
        size_bytes = min(most_bytes, response.left_bytes)
        data = response.content.read(response.offset, size_bytes) if size_bytes > 0 else b""
        response.offset += len(data)
        is_last = response.left_bytes <= 0
        if is_last:
            self.cancel(response.stream_id)
        return data, is_last
