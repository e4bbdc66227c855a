"""Hellos of many entries are refused before aioquic has read them all; `e2e.abuse` sends them to a real server."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from aioquic.quic.connection import QuicConnectionError
from aioquic.quic.packet import QuicErrorCode
from aioquic.tls import AlertDescription, ExtensionType

from transport.aioquic_adapter.hello_limits import MOST_HELLO_READS, MOST_TRANSPORT_PARAMETERS_BYTES
from transport.tests.conversation import Conversation, new_reno
from transport.tests.test_peer_limits import half_open, receive_crypto

CLIENT_HELLO = 1
HANDSHAKE = b"\x03\x03" + bytes(32) + b"\0" + b"\0\2\x13\1" + b"\1\0"
"""Version, random, no session, one cipher suite, no compression (RFC 8446 section 4.1.2)."""
READS_OF_OTHERS = 20


def extension(kind: int, content: bytes) -> bytes:
    return kind.to_bytes(2, "big") + counted(content)


def counted(content: bytes) -> bytes:
    return len(content).to_bytes(2, "big") + content


def hello(extensions: bytes) -> bytes:
    body = HANDSHAKE + counted(extensions)
    return bytes([CLIENT_HELLO]) + len(body).to_bytes(3, "big") + body


MANY: dict[str, Callable[[int], bytes]] = {
    "names of protocols": lambda count: extension(ExtensionType.ALPN, counted(bytes(count))),
    "names in no ASCII": lambda count: extension(ExtensionType.ALPN, counted(b"\1\xff" * count)),
    "binders": lambda count: extension(ExtensionType.PRE_SHARED_KEY, counted(b"") + counted(bytes(count))),
    "key shares": lambda count: extension(ExtensionType.KEY_SHARE, counted(b"\xff\xff\0\0" * count)),
    "extensions": lambda count: extension(0xFFFE, b"") * count,
    "algorithms": lambda count: extension(ExtensionType.SIGNATURE_ALGORITHMS, counted(b"\xff\xff" * count)),
}


def refusal_of(extensions: bytes) -> QuicConnectionError:
    quic, _ = half_open()
    with pytest.raises(QuicConnectionError) as refusal:
        receive_crypto(quic, 0, hello(extensions))
    return refusal.value


@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_a_hello_of_many_entries_is_not_read_to_its_end(many: Callable[[int], bytes]) -> None:
    refusal = refusal_of(many(MOST_HELLO_READS))
    assert refusal.error_code == QuicErrorCode.CRYPTO_ERROR + AlertDescription.decode_error
    assert f"at most {MOST_HELLO_READS} entries" in refusal.reason_phrase


def test_a_hello_of_fewer_is_refused_for_what_it_lacks() -> None:
    refusal = refusal_of(MANY["algorithms"](MOST_HELLO_READS - READS_OF_OTHERS))
    assert refusal.error_code == QuicErrorCode.CRYPTO_ERROR + AlertDescription.handshake_failure


def test_transport_parameters_are_short() -> None:
    refusal = refusal_of(extension(ExtensionType.QUIC_TRANSPORT_PARAMETERS, bytes(MOST_TRANSPORT_PARAMETERS_BYTES + 1)))
    assert f"at most {MOST_TRANSPORT_PARAMETERS_BYTES} bytes" in refusal.reason_phrase


def test_an_honest_hello_is_read() -> None:
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    assert conversation.end is None
