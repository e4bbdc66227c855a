"""Request lines: what is understood, and the sentence for what is not."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.wire_format.requests import (
    DEFAULT_PRIORITY,
    MalformedRequestError,
    SegmentRequest,
    generated_length,
    parse_request,
    response_head,
)


def test_a_request_with_everything() -> None:
    line = b'{"path":"seg-3-00007.m4s","range":[0,65535],"priority":12}\n'
    assert parse_request(line) == SegmentRequest("seg-3-00007.m4s", (0, 65_535), 12)


def test_range_and_priority_may_be_left_out() -> None:
    assert parse_request(b'{"path":"manifest.mpd"}') == SegmentRequest("manifest.mpd", None, DEFAULT_PRIORITY)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "one line of JSON"),
        (b"GET / HTTP/1.1", "one line of JSON"),
        (b"[" * 2000, "one line of JSON"),
        (b"[]", "JSON object"),
        (b"{}", "needs a path"),
        (b'{"path":""}', "needs a path"),
        (b'{"path":7}', "needs a path"),
        (b'{"path":"a","colour":1}', "no field 'colour'"),
        (b'{"path":"a","range":[1]}', "two integers"),
        (b'{"path":"a","range":[0,true]}', "two integers"),
        (b'{"path":"a","range":[5,4]}', "not ordered"),
        (b'{"path":"a","range":[-1,4]}', "not ordered"),
        (b'{"path":"a","priority":-1}', "priority"),
        (b'{"path":"a","priority":2147483648}', "priority"),
        (b'{"path":"a","priority":1.5}', "priority"),
        (b'{"path":"a","priority":true}', "priority"),
        (b'{"path":"' + b"a" * 2048 + b'"}', "at most 2048 bytes"),
    ],
)
def test_malformed_requests_are_refused_with_their_reason(line: bytes, reason: str) -> None:
    with pytest.raises(MalformedRequestError, match=reason):
        parse_request(line)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_request_or_malformed(line: bytes) -> None:
    with contextlib.suppress(MalformedRequestError):
        assert parse_request(line).path


def test_generated_content_has_its_length_in_its_path() -> None:
    assert generated_length("generated/30000000") == 30_000_000
    assert generated_length("generated/x") is None
    assert generated_length("seg-1-00001.m4s") is None
    with pytest.raises(MalformedRequestError, match="at most"):
        generated_length("generated/1000000000001")


def test_the_head_is_one_line_of_json() -> None:
    head = response_head(status=206, length_bytes=10, total_bytes=100, content_type="video/mp4")
    assert head.endswith(b"\n")
    assert json.loads(head) == {"status": 206, "length": 10, "total": 100, "type": "video/mp4"}
