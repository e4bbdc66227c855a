"""Receivers whose feedback lies: what a guard must not take for granted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from cc.core.receiver_base import Feedback
from e2e.abuse.drawing import feedback_attack
from transport.wire_format.wire import FEEDBACK, FEEDBACK_TYPE

FLOOD = 40


def asks_all(honest: Feedback) -> Feedback:
    """The largest window that the wire can say."""
    return replace(honest, window_bytes=2**32 - 1)


def huge_window(honest: Feedback, rng: random.Random) -> Sequence[Feedback]:
    """More than any path takes."""
    return [asks_all(honest)]


def flood(honest: Feedback, rng: random.Random) -> Sequence[Feedback]:
    """Each costs the server time."""
    sequences = range(FLOOD * honest.sequence, FLOOD * (honest.sequence + 1))
    return [replace(asks_all(honest), sequence=each) for each in sequences]


def random_bits(honest: Feedback, rng: random.Random) -> Sequence[bytes]:
    """One that is nearly feedback, NaNs among them, and one that is anything."""
    head = bytes([FEEDBACK_TYPE, 0])
    return [head + rng.randbytes(FEEDBACK.size - len(head)), rng.randbytes(rng.randrange(1, 1000))]


ATTACKS = (
    feedback_attack("feedback-huge-window", "Asks for a window of 4 GB in each feedback.", huge_window),
    # less than a packet: the window must grow again and again
    feedback_attack(
        "feedback-tiny-window",
        "Asks for a window of one byte.",
        lambda honest, rng: [replace(honest, window_bytes=1)],
    ),
    feedback_attack(
        "feedback-random-window",
        "Asks for random windows, from a byte to 4 GB.",
        lambda honest, rng: [replace(honest, window_bytes=int(2 ** rng.uniform(0, 32)))],
    ),
    # a window that is granted slowly must not swing with it
    feedback_attack(
        "feedback-swinging-window",
        "Asks for 4 GB and for one byte by turns.",
        lambda honest, rng: [asks_all(honest) if honest.sequence % 2 else replace(honest, window_bytes=1)],
    ),
    # every feedback is the first, which later ones must not follow
    feedback_attack(
        "feedback-stale-sequence",
        "Asks for 4 GB under the same sequence each time.",
        lambda honest, rng: [replace(asks_all(honest), sequence=0)],
    ),
    # old and new change places (mod 2^32)
    feedback_attack(
        "feedback-jumping-sequence",
        "Asks for 4 GB under sequences that leap by up to half their range.",
        lambda honest, rng: [replace(asks_all(honest), sequence=rng.getrandbits(32))],
    ),
    # that the sender has not begun, or has left
    feedback_attack(
        "feedback-other-epoch",
        "Asks for 4 GB in random epochs.",
        lambda honest, rng: [replace(asks_all(honest), epoch=rng.getrandbits(16))],
    ),
    feedback_attack(
        "feedback-future-stamp",
        "Asks for 4 GB by stamps that are yet to come.",
        lambda honest, rng: [replace(asks_all(honest), last_stamp_sequence=honest.last_stamp_sequence + 1000)],
    ),
    # all that follows from such an estimate is too much
    feedback_attack(
        "feedback-fast-link",
        "Claims 9 Pbit/s without queueing delay, and a window to match.",
        lambda honest, rng: [replace(asks_all(honest), bandwidth_bits_per_s=2**53 - 1, queueing_delay_s=0.0)],
    ),
    # a guard might work something out of them
    feedback_attack(
        "feedback-wild-parameters",
        "Claims k = 9 and a target delay of 70 minutes.",
        lambda honest, rng: [replace(asks_all(honest), k=9.0, target_delay_s=4294.0)],
    ),
    # a sender that waits for its receiver must fall back
    feedback_attack("feedback-silent", "Sends no feedback at all.", lambda honest, rng: []),
    # a grant must not outlive who asked for it
    feedback_attack(
        "feedback-once",
        "Asks for 4 GB once, then sends no feedback.",
        lambda honest, rng: [asks_all(honest)] if honest.sequence == 0 else [],
    ),
    feedback_attack("feedback-flood", f"Sends {FLOOD} feedbacks each 4 ms, for 4 GB.", flood),
    feedback_attack(
        "feedback-random-bits",
        "Sends datagrams of random bits, of feedback's type and length and of others.",
        random_bits,
    ),
)
