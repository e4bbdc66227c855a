from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from cc.links.catalogue import UnknownLinkError
from e2e.laboratory.condition import LoadedLink
from e2e.laboratory.matrix.links import family, load_link
from e2e.laboratory.request import LinkChoice


def load(trace: str, *directories: Path) -> LoadedLink:
    return load_link(LinkChoice(trace, 20, 300, "droptail", 0.0), directories)


def test_a_rate_has_evenly_spread_opportunities_and_ends_with_its_period() -> None:
    link = load("2.4064MBIT")  # 200 opportunities of 1504 bytes a second
    assert (link.name, link.downlink_ms) == ("2.4064mbit", link.uplink_ms)
    assert link.downlink_ms[:3] == (5, 10, 15)
    assert (len(link.downlink_ms), link.downlink_ms[-1]) == (2000, 10_000)


def test_a_file_goes_by_its_name_alone_and_brings_its_uplink(tmp_path: Path) -> None:
    (tmp_path / "train.down").write_text("1\n4\n")
    (tmp_path / "train.up").write_text("2\n")
    link = load(str(tmp_path / "train.down"))
    assert (link.name, link.downlink_ms, link.uplink_ms) == ("train", (1, 4), (2,))
    assert link.downlink_sha256 == hashlib.sha256(b"1\n4\n").hexdigest()


def test_recorded_traces_are_found_by_name(tmp_path: Path) -> None:
    (tmp_path / "train.down").write_text("1\n4\n")
    assert load("train", tmp_path).downlink_ms == (1, 4)


def test_a_family_with_its_mean_and_seed_makes_the_same_link_each_time() -> None:
    link = load("lte-like/5mbit/7")
    assert (link.name, link.downlink_ms) == ("lte-like/5mbit/7", link.uplink_ms)
    assert link == load("lte-like/5mbit/7")
    assert link.downlink_ms != load("lte-like/5mbit/8").downlink_ms


def test_a_links_family_is_its_generator_its_kind_or_a_files_folder(tmp_path: Path) -> None:
    file = tmp_path / "wifi" / "home.trace"
    file.parent.mkdir()
    file.write_text("1\n2\n")
    assert family("lte-like/5mbit/7") == "lte-like"
    assert {family(rate) for rate in ("12mbit", "12Mbit", "800kbit", "1gbit")} == {"rate"}
    assert family(str(file)) == "wifi"


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        ("lte-like/5mbit", "trace 'lte-like/5mbit' is no FAMILY/MEANmbit/SEED"),
        ("0.5kbit", "link '0.5kbit' is too slow: take at least 2kbit"),
        ("none", "link none has no trace"),
        ("nowhere", "link 'nowhere' is neither a rate"),
    ],
)
def test_a_link_is_refused(trace: str, message: str) -> None:
    with pytest.raises(UnknownLinkError, match=message):
        load(trace)
