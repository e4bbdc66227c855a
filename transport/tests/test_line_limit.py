"""A peer that makes the server write lines fills no disk."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from transport.media_server.line_limit import LineLimit


class Lines(logging.Handler):
    """Keeps what is written; its clock stands until it is moved."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 100.0
        self.written: list[str] = []
        self.addFilter(LineLimit(lambda: self.now_s))

    def emit(self, record: logging.LogRecord) -> None:
        """Kept."""
        self.written.append(record.getMessage())


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Of the logger below."""
    handler = Lines()
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


logger = logging.getLogger("test of line limits")


def say(number: int) -> None:
    """One place in the code, whatever it says."""
    logger.warning("refused %d", number)


def test_a_flood_from_one_place_is_cut_and_counted(lines: Lines) -> None:
    for number in range(1000):
        say(number)
    assert lines.written == [f"refused {number}" for number in range(10)]
    lines.now_s += 1.0
    say(1000)
    say(1001)
    assert lines.written[10:] == ["refused 1000 (990 such lines before it were left out)"]


def test_other_places_are_heard_meanwhile(lines: Lines) -> None:
    for number in range(1000):
        say(number)
    logger.warning("a rare one: %s", "100 %")
    assert lines.written[-1] == "a rare one: 100 %"


def test_few_lines_are_left_as_they_are(lines: Lines) -> None:
    for number in range(30):
        say(number)
        lines.now_s += 1.0
    assert lines.written == [f"refused {number}" for number in range(30)]
