"""Plain GETs of one connection: any player's, without a receiver of ours. The sender's scheme is in control."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from transport.aioquic_adapter.connection import ControlledConnection
from transport.aioquic_adapter.session_http import SessionHttp
from transport.media_server.content import ForeignPathError, ServedFolder, UnknownContentError
from transport.media_server.responses import Response
from transport.media_server.session_base import MAX_OPEN_REQUESTS, Session
from transport.wire_format.plain_requests import (
    ACCEPT_RANGES,
    Field,
    Fields,
    PlainRequest,
    cmsd_dynamic,
    parse_plain_request,
    response_fields,
)
from transport.wire_format.requests import MalformedRequestError
from transport.wire_format.stream_codes import PLAIN_CODES, StreamCode

logger = logging.getLogger(__name__)


class PlainSession(Session):
    """Answers GETs, and says with each what the path carries."""

    def __init__(self, *, http: SessionHttp, connection: ControlledConnection, content: ServedFolder) -> None:
        super().__init__(who="plain requests", http=http, connection=connection)
        self._content = content
        connection.watch_throughput()

    def http3_code(self, code: StreamCode) -> int:
        return PLAIN_CODES[code]

    def answer(self, stream_id: int, fields: Fields, *, origin: bytes | None) -> None:
        """Answer a GET or HEAD. `origin`: of the page that asks, which may read the answer."""
        try:
            request = parse_plain_request(fields)
            if len(self._responses) >= MAX_OPEN_REQUESTS:
                self._refuse(stream_id, 429, origin)
            else:
                self._serve(stream_id, request, origin)
        except MalformedRequestError:
            self._refuse(stream_id, 400, origin)
        except ForeignPathError:  # a client that came by Alt-Svc asks the origin itself (RFC 7838 section 6)
            self._refuse(stream_id, 421, origin)
        except UnknownContentError:
            self._refuse(stream_id, 404, origin)
        except OSError as error:  # a file that may not be read, or none left to open
            logger.error("%s: stream %d: %s", self._who, stream_id, error)
            self._reset(stream_id, StreamCode.SERVER_FAULT)

    def _serve(self, stream_id: int, request: PlainRequest, origin: bytes | None) -> None:
        content = self._content.open(request.path)
        total_bytes = content.length_bytes
        first = request.first_byte
        last = total_bytes - 1 if request.last_byte is None else min(request.last_byte, total_bytes - 1)
        if first > last and request.is_partial:
            content.close()
            self._refuse(stream_id, 416, origin, [(b"content-range", f"bytes */{total_bytes}".encode())])
            return
        status = 206 if request.is_partial else 200
        fields = response_fields(status=status, length_bytes=last + 1 - first, origin=origin, unix_s=time.time())
        fields += [(b"content-type", content.content_type.encode()), ACCEPT_RANGES]
        if request.is_partial:
            fields.append((b"content-range", f"bytes {first}-{last}/{total_bytes}".encode()))
        rtt = self._connection.rtt
        fields += cmsd_dynamic(
            throughput_bytes_per_s=self._connection.throughput_bytes_per_s,
            rtt_s=None if rtt is None else rtt.smoothed_s,
        )
        body_bytes = 0 if request.is_head else last + 1 - first
        self._write(
            stream_id, self._http.response_head(stream_id, fields, body_bytes=body_bytes), is_last=body_bytes == 0
        )
        if body_bytes == 0:
            content.close()
        else:
            self._responses.add(
                Response(
                    stream_id=stream_id, priority=request.urgency, content=content, offset=first, end_offset=last + 1
                )
            )

    def _refuse(self, stream_id: int, status: int, origin: bytes | None, more: Sequence[Field] = ()) -> None:
        fields = [*response_fields(status=status, length_bytes=0, origin=origin, unix_s=time.time()), *more]
        self._write(stream_id, self._http.response_head(stream_id, fields, body_bytes=0), is_last=True)
