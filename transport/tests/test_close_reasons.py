"""Ends whose reasons quote a peer at length: they are told in short, and the connection is gone at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from aioquic.h3.connection import ErrorCode
from aioquic.quic.packet import QuicErrorCode, QuicFrameType

from transport.aioquic_adapter.close_reasons import MOST_REASON_BYTES
from transport.headless.client import ClientProtocol, SessionClosedError
from transport.media_server import session_opening
from transport.media_server.media_protocol import MediaProtocol
from transport.tests.conversation import SERVER_ADDRESS, Conversation, new_reno
from transport.tests.serving import with_both_ends, with_session

WRONG_FIELD = (b"X" * 3000, b"")
"""Names have no capitals (RFC 9114 section 4.2); aioquic's reason has all of this one."""
BEGIN = "Header b'XXX"


def test_a_request_whose_field_has_a_long_wrong_name_ends_the_connection(film: Path) -> None:
    async def scenario(client: ClientProtocol, connection: MediaProtocol) -> None:
        assert client._http is not None
        get = [(b":method", b"GET"), (b":scheme", b"https"), (b":authority", b"here"), (b":path", b"/")]
        stream_id = client._quic.get_next_available_stream_id()
        client._http.send_headers(stream_id, [*get, WRONG_FIELD], end_stream=True)
        client.transmit()
        reason = await client.wait_session_closed()
        assert reason.startswith(BEGIN)
        assert len(reason) == MOST_REASON_BYTES
        await connection.wait_closed()
        assert not connection.is_dismissed, "it has ended by itself, without a fault of ours"

    with_both_ends(film, scenario)


def test_so_does_an_answer_of_such_a_server(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_opening, "DRAFT_HEADER", WRONG_FIELD)

    async def scenario(client: ClientProtocol) -> None:
        """It is not opened."""

    with pytest.raises(SessionClosedError, match=BEGIN):
        with_session(film, scenario)


def test_a_reason_fits_beside_those_of_a_handshakes_other_packets() -> None:
    talk = Conversation(new_reno, rng=random.Random(7))
    talk._send(talk.client, first=True)
    talk._step()
    assert not talk.quic._handshake_confirmed
    talk.quic.close(error_code=QuicErrorCode.INTERNAL_ERROR, frame_type=QuicFrameType.PADDING, reason_phrase="ü" * 5000)
    ((data, _),) = talk.server.take_flight(now_s=talk.now_s)
    talk.client.receive_datagram(data, SERVER_ADDRESS, talk.now_s)
    end = talk.client._close_event
    assert end is not None
    assert end.reason_phrase == "ü" * (MOST_REASON_BYTES // 2)


def test_a_short_reason_is_told_as_it_is() -> None:
    talk = Conversation(new_reno, rng=random.Random(7))
    talk.run(1)
    talk.quic.close(error_code=ErrorCode.H3_NO_ERROR, reason_phrase="bye")
    end = talk.quic._close_event
    assert end is not None
    assert (end.error_code, end.frame_type, end.reason_phrase) == (ErrorCode.H3_NO_ERROR, None, "bye")
