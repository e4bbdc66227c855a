"""Forged acknowledgements, worked out by hand."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from aioquic.quic.rangeset import RangeSet

from cc.core.base import Phase
from cc.core.receiver_base import Stamp
from e2e.abuse.client.acks import (
    HONEST_PACKETS,
    AcksAhead,
    Delays,
    Forger,
    HidesBetrayedLosses,
    HidesLosses,
    HidesLossesLate,
    HidesSomeLosses,
    Never,
    OneByOne,
    Sparse,
    Withholds,
)

RECEIVED = (range(30, 35), range(40, 42))
FORGERS = (
    Forger(),
    AcksAhead(4),
    HidesLosses(),
    HidesLossesLate(40),
    HidesSomeLosses(1.0, random.Random(1)),
    HidesBetrayedLosses(),
    Never(),
    OneByOne(),
    Sparse(4),
    Withholds(1.0),
    Delays(1.0),
)


def stamp(packets_sent: int) -> Stamp:
    return Stamp(
        sequence=0,
        epoch=0,
        phase=Phase.SLOW_START,
        send_time_s=0.0,
        bytes_sent=1200 * packets_sent,
        packets_sent=packets_sent,
        smoothed_rtt_s=None,
        min_rtt_s=None,
        cwnd_bytes=12_000,
        max_datagram_bytes=1200,
        is_app_limited=False,
    )


@pytest.mark.parametrize("forger", FORGERS, ids=lambda forger: type(forger).__name__)
def test_all_are_honest_at_first(forger: Forger) -> None:
    received = [range(0, 3), range(5, HONEST_PACKETS)]
    assert forger.acknowledged(received, now_s=9.0) == received
    assert forger.acknowledged([], now_s=9.0) == []


@pytest.mark.parametrize(
    ("forger", "acknowledged"),
    [
        (Forger(), [*RECEIVED]),
        (AcksAhead(4), [range(30, 35), range(40, 46)]),
        (HidesLosses(), [range(0, 42)]),
        (Never(), []),
        (Sparse(4), [range(32, 33), range(40, 41)]),
        (Delays(1.0), [*RECEIVED]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_each_acknowledges(forger: Forger, acknowledged: Sequence[range]) -> None:
    forged = forger.acknowledged(RECEIVED, now_s=0.0)
    assert list(forged) == acknowledged
    assert list(RangeSet(forged)) == acknowledged


@pytest.mark.parametrize(
    ("packets_sent", "acknowledged"),
    [(38, [range(30, 42)]), (37, [*RECEIVED])],
    ids=["no number was skipped", "one was skipped"],
)
def test_losses_between_stamps_are_hidden_where_nothing_was_skipped(
    packets_sent: int, acknowledged: Sequence[range]
) -> None:
    forger = HidesBetrayedLosses()
    forger.on_stamp(stamp(packets_sent), 40)
    forger.on_stamp(stamp(30), 32)
    assert forger.acknowledged(RECEIVED, now_s=0.0) == acknowledged


def test_what_is_withheld_is_told_at_once_then() -> None:
    forger = Withholds(0.5)
    told = [forger.acknowledged(RECEIVED, now_s=now_s) for now_s in (10.0, 10.4, 10.5, 10.9)]
    assert told == [RECEIVED, [], RECEIVED, []]


def test_hidden_late_is_hidden_once_enough_has_come() -> None:
    assert HidesLossesLate(42).acknowledged(RECEIVED, now_s=1.0) == RECEIVED
    assert HidesLossesLate(41).acknowledged(RECEIVED, now_s=1.0) == [range(0, 42)]


def test_a_gap_that_is_hidden_stays_hidden() -> None:
    gaps = [range(number, number + 1) for number in range(0, 400, 2)]
    forger = HidesSomeLosses(0.5, random.Random(1))
    claimed = forger.acknowledged(gaps, now_s=1.0)
    assert 70 < len(claimed) < 130
    assert forger.acknowledged(gaps, now_s=2.0) == claimed


def test_one_by_one_goes_on_with_what_arrived_when_it_is_told_to() -> None:
    forger = OneByOne()
    acknowledged: list[range] = []
    for is_due in (False, True, True, True, True, True, True, False, True):
        forger.is_due |= is_due
        acknowledged += forger.acknowledged(RECEIVED, now_s=1.0)
    assert acknowledged == [range(number, number + 1) for number in (30, 31, 32, 33, 34, 40, 41)]
