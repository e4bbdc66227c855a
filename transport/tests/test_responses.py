"""The order in which open responses are written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from transport.media_server.content import GeneratedContent
from transport.media_server.responses import Response, ResponseQueue

PIECE_BYTES = 1000


def response(stream_id: int, priority: int, length_bytes: int) -> Response:
    """A whole generated content."""
    return Response(
        stream_id=stream_id,
        priority=priority,
        content=GeneratedContent(length_bytes),
        offset=0,
        end_offset=length_bytes,
    )


def drain(queue: ResponseQueue) -> list[tuple[int, int, bool]]:
    """(stream, bytes, last) of all pieces."""
    pieces = []
    while len(queue):
        first = queue.in_order()[0]
        data, is_last = queue.next_piece(first, most_bytes=PIECE_BYTES)
        pieces.append((first.stream_id, len(data), is_last))
    return pieces


def test_the_lowest_priority_number_goes_first_and_equal_ones_in_order_of_arrival() -> None:
    queue = ResponseQueue()
    for stream_id, priority in ((4, 5), (8, 1), (12, 5), (16, 1)):
        queue.add(response(stream_id, priority, 10))
    assert [piece[0] for piece in drain(queue)] == [8, 16, 4, 12]


def test_a_more_urgent_response_overtakes_between_two_pieces() -> None:
    queue = ResponseQueue()
    queue.add(response(4, 9, 2 * PIECE_BYTES))
    queue.next_piece(queue.in_order()[0], most_bytes=PIECE_BYTES)
    queue.add(response(8, 1, 10))
    assert drain(queue) == [(8, 10, True), (4, PIECE_BYTES, True)]


def test_an_empty_response_ends_its_stream() -> None:
    queue = ResponseQueue()
    queue.add(response(4, 1, 0))
    assert drain(queue) == [(4, 0, True)]


def test_a_cancelled_response_is_not_written() -> None:
    queue = ResponseQueue()
    queue.add(response(4, 1, 10))
    assert queue.cancel(4)
    assert not queue.cancel(4)
    assert drain(queue) == []


def test_no_more_is_taken_than_the_client_takes() -> None:
    queue = ResponseQueue()
    queue.add(response(4, 1, 10))
    (first,) = queue.in_order()
    assert queue.next_piece(first, most_bytes=7) == (bytes(range(7)), False)
    assert drain(queue) == [(4, 3, True)]


class Closable(GeneratedContent):
    """Knows whether it was closed."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize("end", [drain, lambda queue: queue.cancel(4), ResponseQueue.clear])
def test_a_response_that_is_over_is_closed(end: Callable[[ResponseQueue], object]) -> None:
    queue = ResponseQueue()
    content = Closable(10)
    queue.add(Response(stream_id=4, priority=1, content=content, offset=0, end_offset=10))
    assert not content.is_closed
    end(queue)
    assert content.is_closed
