"""The shared vectors, which the player's tests read too, and what random bytes do."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cc.core.base import Phase
from cc.core.receiver_base import Feedback, Stamp
from transport.wire_format.wire import (
    MalformedDatagramError,
    decode_feedback,
    decode_ping,
    decode_pong,
    decode_stamp,
    encode_feedback,
    encode_ping,
    encode_pong,
    encode_stamp,
)

TESTDATA = Path(__file__).parents[1] / "wire_format" / "testdata"


def vectors(name: str) -> list[Any]:
    """Vectors as pytest parameters."""
    return [pytest.param(vector, id=vector["name"]) for vector in json.loads((TESTDATA / name).read_text())]


def stamp_of(fields: dict[str, Any]) -> Stamp:
    """A vector's fields in seconds."""
    return Stamp(
        sequence=fields["sequence"],
        epoch=fields["epoch"],
        phase=Phase(fields["phase"]),
        send_time_s=fields["send_time_us"] / 1e6,
        bytes_sent=fields["bytes_sent"],
        packets_sent=fields["packets_sent"],
        smoothed_rtt_s=None if fields["smoothed_rtt_us"] is None else fields["smoothed_rtt_us"] / 1e6,
        min_rtt_s=None if fields["min_rtt_us"] is None else fields["min_rtt_us"] / 1e6,
        cwnd_bytes=fields["cwnd_bytes"],
        max_datagram_bytes=fields["max_datagram_bytes"],
        is_app_limited=fields["is_app_limited"],
    )


def feedback_of(fields: dict[str, Any]) -> Feedback:
    """A vector's fields in seconds."""
    return Feedback(
        sequence=fields["sequence"],
        epoch=fields["epoch"],
        last_stamp_sequence=fields["last_stamp_sequence"],
        window_bytes=fields["window_bytes"],
        end_slow_start=fields["end_slow_start"],
        bandwidth_bits_per_s=fields["bandwidth_bits_per_s"],
        queueing_delay_s=fields["queueing_delay_us"] / 1e6,
        k=None if fields["k_milli"] is None else fields["k_milli"] / 1000,
        target_delay_s=None if fields["target_delay_us"] is None else fields["target_delay_us"] / 1e6,
    )


@pytest.mark.parametrize("vector", vectors("stamps.json"))
def test_stamp_vectors(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    if vector["fields"] is None:
        with pytest.raises(MalformedDatagramError):
            decode_stamp(data)
    else:
        assert decode_stamp(data) == stamp_of(vector["fields"])
        assert encode_stamp(stamp_of(vector["fields"])) == data


@pytest.mark.parametrize("vector", vectors("feedback.json"))
def test_feedback_vectors(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    if vector["fields"] is None:
        with pytest.raises(MalformedDatagramError):
            decode_feedback(data)
    else:
        assert decode_feedback(data) == feedback_of(vector["fields"])
        assert encode_feedback(feedback_of(vector["fields"])) == data


@pytest.mark.parametrize(
    ("vector", "encode", "decode"),
    [
        pytest.param(vector, encode, decode, id=f"{file}: {vector['name']}")
        for file, encode, decode in [("pings", encode_ping, decode_ping), ("pongs", encode_pong, decode_pong)]
        for vector in json.loads((TESTDATA / f"{file}.json").read_text())
    ],
)
def test_heartbeat_vectors(
    vector: dict[str, Any], encode: Callable[[int], bytes], decode: Callable[[bytes], int]
) -> None:
    data = bytes.fromhex(vector["hex"])
    if vector["fields"] is None:
        with pytest.raises(MalformedDatagramError):
            decode(data)
    else:
        assert decode(data) == vector["fields"]["sequence"]
        assert encode(vector["fields"]["sequence"]) == data


@given(
    st.binary(max_size=64)
    | st.binary(min_size=8, max_size=8)
    | st.binary(min_size=34, max_size=34)
    | st.binary(min_size=42, max_size=42)
)
def test_any_bytes_are_decoded_or_refused_and_what_is_decoded_is_encoded_the_same(data: bytes) -> None:
    with contextlib.suppress(MalformedDatagramError):
        assert encode_feedback(decode_feedback(data)) == data
    with contextlib.suppress(MalformedDatagramError):
        assert encode_ping(decode_ping(data)) == data
    try:
        stamp = decode_stamp(data)
    except MalformedDatagramError:
        return
    assert decode_stamp(encode_stamp(stamp)) == stamp


def test_values_beyond_the_fields_are_cut_not_wrapped() -> None:
    vector = json.loads((TESTDATA / "feedback.json").read_text())[1]["fields"]
    wide = Feedback(**{**_as_dict(feedback_of(vector)), "window_bytes": 2**40, "queueing_delay_s": 1e9})
    decoded = decode_feedback(encode_feedback(wide))
    assert decoded.window_bytes == 2**32 - 1
    assert decoded.queueing_delay_s == (2**32 - 1) / 1e6


def test_a_target_of_no_time_is_one_and_no_target_is_none() -> None:
    vector = json.loads((TESTDATA / "feedback.json").read_text())[1]["fields"]
    told = [
        decode_feedback(encode_feedback(replace(feedback_of(vector), target_delay_s=target_s))).target_delay_s
        for target_s in (0.0, None)
    ]
    assert told == [1e-6, None]


def test_packets_are_counted_on_beyond_what_their_field_holds() -> None:
    vector = json.loads((TESTDATA / "stamps.json").read_text())[1]["fields"]
    stamp = replace(stamp_of(vector), packets_sent=2**32 + 5)
    assert decode_stamp(encode_stamp(stamp)).packets_sent == 5


def _as_dict(feedback: Feedback) -> dict[str, Any]:
    return {name: getattr(feedback, name) for name in Feedback.__dataclass_fields__}
