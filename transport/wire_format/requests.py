"""The lines that open a segment stream: a request from the client, a head from the server (wire_format/PROTOCOL.md)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

MAX_REQUEST_LINE_BYTES = 2048
DEFAULT_PRIORITY = 2**30
MAX_PRIORITY = 2**31 - 1
MAX_GENERATED_BYTES = 10**12
GENERATED = re.compile(r"generated/(\d{1,13})")


class MalformedRequestError(ValueError):
    """A request line that is not of the protocol's form."""


@dataclass(frozen=True, slots=True)
class SegmentRequest:
    """What a client asks for."""

    path: str
    byte_range: tuple[int, int] | None
    """First and last byte, both inclusive."""
    priority: int


def parse_request(line: bytes) -> SegmentRequest:
    """A request from its line, with or without the newline; raises MalformedRequestError."""
    if len(line) > MAX_REQUEST_LINE_BYTES:
        raise MalformedRequestError(f"a request line has at most {MAX_REQUEST_LINE_BYTES} bytes")
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MalformedRequestError("a request is one line of JSON") from error
    if not isinstance(fields, dict):
        raise MalformedRequestError("a request is a JSON object")
    unknown = sorted(set(fields) - {"path", "range", "priority"})
    if unknown:
        raise MalformedRequestError(f"a request has no field {unknown[0]!r}")
    path = fields.get("path")
    if not isinstance(path, str) or not path:
        raise MalformedRequestError("a request needs a path")
    return SegmentRequest(path, _byte_range(fields.get("range")), _priority(fields.get("priority", DEFAULT_PRIORITY)))


def generated_length(path: str) -> int | None:
    """N for `generated/N`, None for any other path; raises MalformedRequestError for one too large."""
    match = GENERATED.fullmatch(path)
    if match is None:
        return None
    length_bytes = int(match.group(1))
    if length_bytes > MAX_GENERATED_BYTES:
        raise MalformedRequestError(f"generated/N gives at most {MAX_GENERATED_BYTES} bytes")
    return length_bytes


def response_head(
    *,
    status: int,
    length_bytes: int,
    total_bytes: int | None = None,
    content_type: str | None = None,
    reason: str | None = None,
) -> bytes:
    """The line before a response's bytes."""
    head: dict[str, int | str] = {"status": status, "length": length_bytes}
    if total_bytes is not None:
        head["total"] = total_bytes
    if content_type is not None:
        head["type"] = content_type
    if reason is not None:
        head["reason"] = reason
    return json.dumps(head, separators=(",", ":")).encode() + b"\n"


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _byte_range(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2 or not all(_is_integer(bound) for bound in value):
        raise MalformedRequestError("a range is [first, last], two integers")
    first, last = value
    if not 0 <= first <= last:
        raise MalformedRequestError(f"the range [{first}, {last}] is not ordered")
    return first, last


def _priority(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_PRIORITY:
        raise MalformedRequestError(f"a priority is an integer from 0 to {MAX_PRIORITY}")
    return value
