"""Challenges on paths that are not in use: an answer is thirty times as large as what asks for it."""

from __future__ import annotations

import random

from aioquic.quic.connection import QuicNetworkPath

from transport.aioquic_adapter.path_answers import ANSWERS_BURST, ANSWERS_PER_S
from transport.tests.conversation import Conversation, new_reno

ELSEWHERE, SILENT = ("192.0.2.9", 7777), ("192.0.2.10", 7777)


def test_a_validated_path_is_answered_now_and_then_however_often_it_asks() -> None:
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    quic = conversation.quic
    path = QuicNetworkPath(ELSEWHERE, is_validated=True)
    path.peer_cid = quic._peer_cid_available.pop(0)
    quic._network_paths.append(path)
    began_s, answers = conversation.now_s, 0
    for step in range(1000):
        path.remote_challenges.append(bytes(8))
        datagrams = quic.datagrams_to_send(now=began_s + 0.01 * step)
        answers += sum(address == ELSEWHERE for _, address in datagrams)
        assert not path.remote_challenges
    assert ANSWERS_BURST <= answers <= ANSWERS_BURST + 10 * ANSWERS_PER_S + 1


def test_what_cannot_be_sent_spends_nothing() -> None:
    conversation = Conversation(new_reno, rng=random.Random(7))
    conversation.run(1)
    quic = conversation.quic
    silent = QuicNetworkPath(SILENT)  # has sent nothing, and so gets nothing
    asking = QuicNetworkPath(ELSEWHERE, is_validated=True)
    for path in (silent, asking):
        path.peer_cid = quic._peer_cid_available.pop(0)
        quic._network_paths.append(path)
    for _ in range(100):
        assert quic.datagrams_to_send(now=conversation.now_s) == []
    asking.remote_challenges.append(bytes(8))
    assert [address for _, address in quic.datagrams_to_send(now=conversation.now_s)] == [ELSEWHERE]
