"""Plain GETs over HTTP/3: what a request's fields ask for, and the fields of its answer, CMSD (CTA-5006) among them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import formatdate
from urllib.parse import unquote_to_bytes

from transport.wire_format.requests import MalformedRequestError

Field = tuple[bytes, bytes]
Fields = list[Field]

BYTE_RANGE = re.compile(rb"bytes=(\d{1,13})-(\d{1,13})?", re.IGNORECASE)
URGENCY = re.compile(rb"(?:^|,) *u=([0-7])")
DEFAULT_URGENCY = 3  # RFC 9218 section 4.1
SERVER_NAME = "nuwa-stream"
METHODS = b"GET, HEAD, OPTIONS"
ALLOW: Fields = [(b"allow", METHODS)]
ACCEPT_RANGES: Field = (b"accept-ranges", b"bytes")
RETRY_AFTER: Fields = [(b"retry-after", b"5")]
"""Seconds in which a place may be free, or the server no longer late."""


@dataclass(frozen=True, slots=True)
class PlainRequest:
    """What a GET asks for."""

    path: str
    """Relative, without the query."""
    first_byte: int
    last_byte: int | None
    """Inclusive; None is the file's last."""
    is_partial: bool
    is_head: bool
    """Whether only the head of the answer is asked for."""
    urgency: int
    """0 to 7; lower ones go first (RFC 9218)."""


def parse_plain_request(fields: Fields) -> PlainRequest:
    """A GET or HEAD from its fields; raises MalformedRequestError.

    A range of another form than one from a first byte on is ignored (RFC 9110 section 14.2), as is one that ends before
    it begins (section 14.1.1), one beside `If-Range`, since answers have no validator (section 13.1.5), and each of a
    HEAD.
    """
    values = dict(fields)
    target = values.get(b":path", b"").partition(b"?")[0]
    try:
        path = unquote_to_bytes(target).decode().removeprefix("/")
    except UnicodeDecodeError as error:
        raise MalformedRequestError("a path is UTF-8") from error
    is_head = values.get(b":method") == b"HEAD"
    asked = None if is_head or b"if-range" in values else BYTE_RANGE.fullmatch(values.get(b"range", b""))
    first_byte = 0 if asked is None else int(asked[1])
    last_byte = None if asked is None or asked[2] is None else int(asked[2])
    if last_byte is not None and last_byte < first_byte:
        asked, first_byte, last_byte = None, 0, None
    urgency = URGENCY.search(values.get(b"priority", b""))
    return PlainRequest(
        path=path,
        first_byte=first_byte,
        last_byte=last_byte,
        is_partial=asked is not None,
        is_head=is_head,
        urgency=DEFAULT_URGENCY if urgency is None else int(urgency[1]),
    )


def response_fields(*, status: int, length_bytes: int, origin: bytes | None, unix_s: float) -> Fields:
    """Of every answer. `origin`: of the page of another origin that may read it; None where there is none.

    By the date players of live films set their clock (RFC 9110 section 6.6.1).
    """
    fields = [
        (b":status", str(status).encode()),
        _date(unix_s),
        (b"content-length", str(length_bytes).encode()),
        (b"cache-control", b"no-store"),  # an answer says how fast the path is now
        (b"vary", b"origin"),
    ]
    if origin is not None:
        fields += [
            (b"access-control-allow-origin", origin),
            (b"access-control-expose-headers", b"CMSD-Dynamic, Content-Length, Content-Range, Date"),
            (b"timing-allow-origin", origin),
            (b"cross-origin-resource-policy", b"cross-origin"),
        ]
    return fields


def preflight_fields(origin: bytes | None, *, unix_s: float) -> Fields:
    """Of the answer to OPTIONS: what a page of that origin may ask for (Fetch standard, CORS preflight)."""
    fields = [(b":status", b"204"), _date(unix_s), (b"vary", b"origin"), *ALLOW]
    if origin is not None:
        fields += [
            (b"access-control-allow-origin", origin),
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", b"*"),  # CMCD's among them; no credentials are taken
            (b"access-control-max-age", b"86400"),
        ]
    return fields


def cmsd_dynamic(*, throughput_bytes_per_s: float | None, rtt_s: float | None) -> Fields:
    """The field `CMSD-Dynamic`: `etp` in kbit/s and `rtt` in ms, as far as they are known; none where neither is."""
    keys = []
    if throughput_bytes_per_s is not None:
        keys.append(f";etp={round(throughput_bytes_per_s * 8 / 1000)}")
    if rtt_s is not None:
        keys.append(f";rtt={round(1000 * rtt_s)}")
    return [(b"cmsd-dynamic", f'"{SERVER_NAME}"{"".join(keys)}'.encode())] if keys else []


def _date(unix_s: float) -> Field:
    return b"date", formatdate(unix_s, usegmt=True).encode()
