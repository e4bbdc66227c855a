"""Stateless resets, buckets and the log of newcomers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.core.token_bucket import TokenBucket
from transport.keyed_buckets import KeyedBuckets
from transport.media_server.admission.resets import KEY_BYTES, LEAST_RESET_BYTES, Resets
from transport.media_server.admission.wave_log import WaveLog

KEY = bytes(range(KEY_BYTES))
ID = b"12345678"


def resets(key: bytes = KEY, *, per_s: float = 10.0, burst: int = 5) -> Resets:
    """With randomness that is none."""
    return Resets(key, bucket=TokenBucket(per_s=per_s, burst=burst), random_bytes=lambda size: b"\xff" * size)


def test_a_token_follows_from_key_and_connection_id() -> None:
    assert resets().token_of(ID) == resets().token_of(ID)
    assert resets().token_of(ID) != resets().token_of(b"87654321")
    assert resets().token_of(ID) != resets(bytes(KEY_BYTES)).token_of(ID)


@given(packet_bytes=st.integers(min_value=0, max_value=2000))
@settings(derandomize=True)
def test_a_reset_looks_like_a_packet_and_is_shorter_than_what_it_answers(packet_bytes: int) -> None:
    answer = resets().answer(ID, packet_bytes=packet_bytes, now_s=0.0)
    assert (answer is not None) == (packet_bytes > LEAST_RESET_BYTES)
    if answer is not None:
        assert LEAST_RESET_BYTES <= len(answer) < packet_bytes
        assert len(answer) <= 42
        assert answer[0] & 0xC0 == 0x40
        assert answer[-16:] == resets().token_of(ID)


def test_two_that_answer_each_others_resets_fall_silent() -> None:
    size_bytes, rounds = 1200, 0
    while (answer := resets().answer(ID, packet_bytes=size_bytes, now_s=0.0)) is not None:
        size_bytes, rounds = len(answer), rounds + 1
    assert rounds == 22


def test_resets_are_few() -> None:
    server = resets()
    answers = [server.answer(ID, packet_bytes=100, now_s=n / 1000) for n in range(1000)]
    assert sum(answer is not None for answer in answers) == 5 + 9


def test_a_key_has_its_length() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        resets(b"abc")


def test_a_bucket_holds_its_burst_and_refills() -> None:
    bucket = TokenBucket(per_s=2.0, burst=3)
    assert [bucket.take(now_s=5.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(now_s=5.25)
    assert bucket.take(now_s=5.5)
    assert not bucket.is_full(now_s=5.5)
    assert bucket.is_full(now_s=7.0)


def test_a_clock_that_stands_or_steps_back_gives_nothing() -> None:
    bucket = TokenBucket(per_s=2.0, burst=1)
    assert bucket.take(now_s=5.0)
    assert not bucket.take(now_s=1.0)


def test_buckets_are_forgotten_when_full_and_never_more_than_they_may_be() -> None:
    buckets = KeyedBuckets(per_s=1.0, burst=2)
    for key in range(KeyedBuckets.MOST_KEYS):
        buckets.take(key, now_s=0.0)
    assert buckets.take("one more", now_s=0.0)
    assert len(buckets) == KeyedBuckets.MOST_KEYS
    assert buckets.take("later", now_s=10.0)
    assert len(buckets) == 1


class ManualTimer:
    """Calls back when told to."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[], None]] = []

    def call_later(self, delay_s: float, callback: Callable[[], None]) -> None:
        """Remembered."""
        assert delay_s == 1.0
        self.callbacks.append(callback)

    def pass_a_second(self) -> None:
        """Whatever was to be called is."""
        callbacks, self.callbacks = self.callbacks, []
        for callback in callbacks:
            callback()


def test_a_wave_is_a_line_a_second_with_every_newcomer_counted() -> None:
    lines: list[str] = []
    timer = ManualTimer()
    log = WaveLog(lines.append, timer.call_later)
    log.count("sent back for a token")
    for _ in range(500):
        log.count("sent back for a token")
        log.count("dropped")
    timer.pass_a_second()
    log.count("dropped")
    timer.pass_a_second()
    timer.pass_a_second()
    assert timer.callbacks == []
    assert lines == ["1 sent back for a token", "500 dropped, 500 sent back for a token", "1 dropped"]
