"""Traces by name, and that no trace serves two purposes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise, permutations
from typing import get_args

import pytest

from cc.links.traces.capacity import offered_bytes
from models import command
from models.scenarios import splits
from models.scenarios.splits import SPLITS_FILE, OtherTraceError, Split, split_traces
from models.scenarios.traces import UnknownTraceError, family_of, opportunities_ms, rotated, trace_hash

RECORDED = json.loads(SPLITS_FILE.read_text(encoding="utf-8"))


def test_no_trace_is_in_two_splits() -> None:
    assert list(RECORDED) == list(get_args(Split))
    names = [name for split in RECORDED.values() for name in split]
    hashes = [digest for split in RECORDED.values() for digest in split.values()]
    assert len(names) == len(set(names)) == len(set(hashes))


def test_no_recording_is_a_stretch_of_one_in_another_split() -> None:
    """Of those that are installed. Gaps, since a stretch may begin anywhere."""
    recorded = {
        name: (split, " ".join(str(later - earlier) for earlier, later in pairwise(opportunities_ms(name))))
        for split in get_args(Split)
        for name in split_traces(split)
        if "LTE-" in name
    }
    shared = [
        (short, long)
        for (short, (split, gaps)), (long, (other, all_gaps)) in permutations(recorded.items(), 2)
        if split != other and f" {gaps} " in f" {all_gaps} "
    ]
    assert shared == []


@pytest.mark.parametrize("split", get_args(Split))
def test_generated_traces_are_those_recorded(split: Split) -> None:
    for name in split_traces(split):
        if "/" in name or family_of(name) == "rate":
            assert trace_hash(opportunities_ms(name)) == RECORDED[split][name], name


@pytest.fixture
def other_trace(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every trace is another than the recorded one."""
    split_traces.cache_clear()
    monkeypatch.setattr(splits, "trace_hash", lambda _times_ms: "ab12")
    yield
    split_traces.cache_clear()


def test_another_trace_than_the_recorded_one_is_named(other_trace: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OtherTraceError, match=r"trace 2mbit here has SHA-256 ab12, and splits\.json says"):
        split_traces("training")
    assert command.main(["evaluate", "bbr-fit"]) == 2
    assert capsys.readouterr().err.endswith("put that of the package mahimahi-traces in its place, or remove it\n")


def test_what_the_benches_use_is_for_tests() -> None:
    benches = {"lte-like", "5g-like", "wifi-like", "steps", "12mbit", "24mbit", "Verizon-LTE-short"}
    assert benches <= set(RECORDED["test"])
    for split in ("training", "validation"):
        assert not any(name.startswith(("Verizon", "steps")) for name in RECORDED[split])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nr-like/5mbit/1", "known families: lte-like, 5g-like, wifi-like"),
        ("lte-like/fast/1", "is no FAMILY/MEANmbit/SEED"),
        ("lte-like/xmbit/3", "'lte-like/xmbit/3' has no mean above 0: .* as in lte-like/5mbit/3"),
        ("lte-like/0mbit/3", "'lte-like/0mbit/3' has no mean above 0"),
        ("5g-like/-5mbit/3", "'5g-like/-5mbit/3' has no mean above 0"),
        ("wifi-like/nanmbit/3", "'wifi-like/nanmbit/3' has no mean above 0"),
        ("wifi-like/infmbit/3", "'wifi-like/infmbit/3' has no mean above 0"),
        ("nowhere", "link 'nowhere' is neither .* families: lte-like, 5g-like, wifi-like"),
        ("none", "is no link that could be emulated"),
    ],
)
def test_an_unknown_trace_names_those_there_are(name: str, message: str) -> None:
    with pytest.raises(UnknownTraceError, match=message):
        opportunities_ms(name)


def test_rotation_keeps_what_is_carried() -> None:
    assert rotated((2, 5, 10), 0) == [2, 5, 10]
    assert rotated((2, 5, 10), 2) == [3, 8, 10]
    assert rotated((2, 5, 10), 13) == [2, 7, 9, 10]  # the end is kept by an opportunity more
    times_ms = opportunities_ms("lte-like/5mbit/1000")
    moved = rotated(times_ms, 12_345)
    assert offered_bytes(moved, 60.0) in (offered_bytes(times_ms, 60.0), offered_bytes(times_ms, 60.0) + 1504)
    assert offered_bytes(moved, 10.0) == pytest.approx(
        offered_bytes(times_ms, 22.345) - offered_bytes(times_ms, 12.345), abs=2 * 1504
    )
