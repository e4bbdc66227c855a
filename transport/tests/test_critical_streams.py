"""HTTP/3's own streams, which a peer may not stop."""

from __future__ import annotations

import pytest
from aioquic.buffer import encode_uint_var
from aioquic.quic.connection import QuicConnectionError
from aioquic.quic.packet import QuicErrorCode, QuicFrameType

from transport.aioquic_adapter.payloads import receive_payload
from transport.aioquic_adapter.session_http import SessionHttp
from transport.tests.conversation import Conversation


def stop(conversation: Conversation, stream_id: int) -> None:
    """The client takes no more of a stream."""
    frame = bytes([QuicFrameType.STOP_SENDING]) + encode_uint_var(stream_id) + encode_uint_var(0)
    receive_payload(conversation.quic, frame, now_s=conversation.now_s)


def test_who_stops_a_stream_that_http_writes_to_later_is_sent_away(conversation: Conversation) -> None:
    conversation.run(1)
    http = SessionHttp(conversation.quic)
    own = [http._local_control_stream_id, http._local_encoder_stream_id, http._local_decoder_stream_id]
    for stream_id in own:
        assert stream_id is not None
        with pytest.raises(QuicConnectionError) as refusal:
            stop(conversation, stream_id)
        assert refusal.value.error_code == QuicErrorCode.PROTOCOL_VIOLATION


def test_an_answer_may_be_stopped(conversation: Conversation) -> None:
    conversation.run(1)
    stop(conversation, 0)
    with pytest.raises(RuntimeError):
        conversation.quic.send_stream_data(0, b"too late")
