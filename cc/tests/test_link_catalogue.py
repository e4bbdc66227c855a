"""Which links there are, how they are named, and what is said of those that there are not."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from cc.links.catalogue import (
    KNOWN_DIRECTORIES,
    LinkCatalogue,
    UnknownLinkError,
    parse_rate,
    title_of,
    trace_directories,
)
from cc.links.traces.formats.mahimahi import format_trace
from cc.links.traces.generated import GeneratedTrace
from cc.links.traces.registry import TRACES


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "City-LTE-short.down").write_text("1\n2\n2\n1000\n", "ascii")
    (tmp_path / "City-LTE-short.up").write_text("5\n", "ascii")
    (tmp_path / "mine").write_text("7\n9\n", "ascii")
    (tmp_path / "broken.down").write_text("7\n6\n9\n", "ascii")
    return tmp_path


def test_lists_generated_links_then_recorded_ones(directory: Path) -> None:
    entries = {entry.name: entry for entry in LinkCatalogue([directory]).entries()}
    assert list(entries) == [*(trace.name for trace in TRACES), "City-LTE-short", "broken"]
    assert entries["lte-like"].source == "generated"
    recorded = entries["City-LTE-short"]
    # 4 * 1504 * 8 bits in 1 s
    assert (recorded.title, recorded.source) == ("City LTE, short", "mahimahi")
    assert recorded.summary == "Recorded in a network: 1 s, mean 0.0 Mbit/s."


def test_a_folder_gives_links_of_every_format_and_a_sentence_for_what_is_none(tmp_path: Path) -> None:
    (tmp_path / "drive.down").write_text("1\n1000\n", "ascii")
    (tmp_path / "drive.up").write_text("5\n", "ascii")
    (tmp_path / "drive.pensieve").write_text("0 1\n9 1\n", "ascii")  # the same name: after mahimahi's
    (tmp_path / "flow.jsonl").write_text('{"event":"interval","data":{}}\n', "ascii")
    (tmp_path / "office.csv").write_text("time_s,x_mbps\n0,8\n1,4\n", "ascii")
    (tmp_path / "pens.pensieve").write_text("0 1\n2 3\n", "ascii")
    (tmp_path / "README.md").write_text("what they are", "ascii")
    (tmp_path / "folder.down").mkdir()
    (tmp_path / "words.down").write_text("hello\n", "ascii")
    (tmp_path / "results.csv").write_text("a,b\n1,2\n", "ascii")
    (tmp_path / "my trace.down").write_text("1\n", "ascii")
    (tmp_path / "24mbit.down").write_text("1\n", "ascii")
    (tmp_path / "steps.down").write_text("1\n", "ascii")
    catalogue = LinkCatalogue([tmp_path, tmp_path / "nowhere"])
    entries, notes = catalogue.entries_and_notes()
    assert [entry.name for entry in entries] == [*(trace.name for trace in TRACES), "drive", "flow", "office", "pens"]
    assert [entry.summary for entry in entries[-4:]] == [
        "Recorded in a network: 1 s, mean 0.0 Mbit/s.",
        "Recorded in a network: iperf3 JSON, 1 kB.",
        "Recorded in a network: CSV, 1 kB.",
        "Recorded in a network: Pensieve, 1 kB.",
    ]
    for entry in entries:
        if entry.name != "flow":
            assert catalogue.find(entry.name, may_be_file=False).downlink_ms is not None
    with pytest.raises(UnknownLinkError, match=r"flow\.jsonl: line 1 begins an interval without a sum"):
        catalogue.find("flow", may_be_file=False)
    beginnings = [note.removeprefix(f"{tmp_path}/") for note in notes]
    assert beginnings == [
        "24mbit.down has the name of another link: rename it",
        "folder.down is no file",
        "my trace.down is no link's name: take at most 64 letters, digits, dots, _ and -",
        "steps.down has the name of another link: rename it",
        f"drive.pensieve has the name of {tmp_path}/drive.down: rename it",
        "results.csv: line 1 names no column of rates that is known: choose with --column and --unit among a, b",
        "words.down: line 1 is 'hello', not a number of whole milliseconds",
    ]


def test_a_trace_that_cannot_be_read_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.down").write_text("1\n", "ascii")

    def refuse(_: Path, **_options: str) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    entries, notes = LinkCatalogue([tmp_path]).entries_and_notes()
    assert "secret" not in [entry.name for entry in entries]
    assert notes == [f"{tmp_path / 'secret.down'} cannot be read: Permission denied"]


def test_a_folder_that_cannot_be_read_costs_no_other_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "secret"
    for folder in (secret, tmp_path / "open"):
        folder.mkdir()
        (folder / f"{folder.name}.down").write_text("1\n", "ascii")
    list_folder = Path.iterdir

    def refuse(path: Path) -> Iterator[Path]:
        if path == secret:
            raise PermissionError(13, "Permission denied")
        return list_folder(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    catalogue = LinkCatalogue([secret, tmp_path / "open"])
    entries, notes = catalogue.entries_and_notes()
    assert [entry.name for entry in entries[len(TRACES) :]] == ["open"]
    assert notes == [f"{secret} cannot be read: Permission denied"]
    assert catalogue.find("steps", may_be_file=False).downlink_ms is not None


def test_of_files_with_one_name_the_first_that_looks_like_a_trace_gives_the_link(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (first / "run.json").write_text('{"operator": "x"}', "ascii")
    (first / "run.csv").write_text("time_s,x_mbps\n0,5\n1,6\n", "ascii")
    (first / "kept.down").write_text("1\n2\n", "ascii")
    (second / "kept.down").write_text("1\n2\n", "ascii")
    (second / "run.csv").write_text("time_s,x_mbps\n0,5\n1,6\n2,7\n", "ascii")
    catalogue = LinkCatalogue([first, second])
    entries, notes = catalogue.entries_and_notes()
    assert [entry.name for entry in entries[len(TRACES) :]] == ["kept", "run"]
    assert catalogue.find("run", may_be_file=False).downlink_ms is not None
    assert notes == [
        f"{first / 'run.json'}: line 1 has no intervals as iperf3 --json writes",
        f"{second / 'run.csv'} has the name of {first / 'run.csv'}: rename it",
    ]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("epoch.down", "1732000000000\n1732000000010\n", "ends at 1732000000010 ms, after more than a week: "),
        ("back.down", "9\n3\n5\n", "goes back in time, from 9 ms in its first line to 5 ms in its last"),
        ("silent.down", "0\n0\n", "its last line is no number of milliseconds above 0"),
        ("blank.down", "1\n\n", "its last line is no number of milliseconds above 0"),
        ("empty.down", "", "it is empty; give "),
        ("empty.pensieve", "\n", "it is empty; give "),
        ("words.pensieve", "\na b\n", "line 2 is 'a b', not a time in seconds and a rate in Mbit/s"),
        ("two.csv", "time_s,a_mbps,b_mbps\n", "line 1 names several columns of rates: "),
        ("meta.json", '{"city": "y"}', "line 1 has no intervals as iperf3 --json writes"),
    ],
)
def test_what_a_glance_tells_to_be_no_trace_is_not_offered(tmp_path: Path, name: str, text: str, fault: str) -> None:
    (tmp_path / name).write_text(text, "ascii")
    entries, notes = LinkCatalogue([tmp_path]).entries_and_notes()
    assert len(entries) == len(TRACES)
    assert [note.startswith(f"{tmp_path / name}: {fault}") for note in notes] == [True], notes


def test_a_trace_with_more_opportunities_than_a_link_holds_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cc.links.traces.trace.LARGEST", 2)
    (tmp_path / "long.down").write_text("1\n2\n3\n", "ascii")
    (tmp_path / "fits.down").write_text("1\r\n2", "ascii")
    entries, notes = LinkCatalogue([tmp_path]).entries_and_notes()
    assert [entry.name for entry in entries[len(TRACES) :]] == ["fits"]
    assert "delivery opportunities" in notes[0]


def test_the_list_reads_the_beginning_of_a_table_alone(tmp_path: Path) -> None:
    (tmp_path / "big.csv").write_text("time_s,x_mbps\n" + "0,5\n" * 100_000 + "never parsed\n", "ascii")
    entries, notes = LinkCatalogue([tmp_path]).entries_and_notes()
    assert (entries[-1].name, notes) == ("big", [])
    with pytest.raises(UnknownLinkError, match="line 100002 "):
        LinkCatalogue([tmp_path]).find("big", may_be_file=False)


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name)
def test_a_generated_link_is_the_pinned_one(trace: GeneratedTrace) -> None:
    found = LinkCatalogue([]).find(trace.name, may_be_file=False)
    assert found.downlink_ms is not None
    digest = hashlib.sha256(format_trace(found.downlink_ms).encode()).hexdigest()
    assert digest == trace.downlink_sha256


def test_a_recorded_link_brings_its_uplink_and_a_file_serves_both_directions(directory: Path) -> None:
    catalogue = LinkCatalogue([directory])
    recorded = catalogue.find("City-LTE-short", may_be_file=False)
    assert (recorded.downlink_ms, recorded.uplink_ms) == ((1, 2, 2, 1000), (5,))
    file = catalogue.find(str(directory / "mine"), may_be_file=True)
    assert (file.name, file.downlink_ms, file.uplink_ms) == ("mine", (7, 9), (7, 9))
    pair = LinkCatalogue([]).find(str(directory / "City-LTE-short.down"), may_be_file=True)
    assert (pair.name, pair.uplink_ms) == ("City-LTE-short", (5,))


def test_the_first_directory_wins(directory: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "City-LTE-short.down").write_text("3\n", "ascii")
    found = LinkCatalogue([other, directory]).find("City-LTE-short", may_be_file=False)
    assert found.downlink_ms == (3,)


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("City-LTE-shrt", "link 'City-LTE-shrt' is neither a rate (24mbit) nor one of none, lte-like, 5g-like, "),
        ("broken", "broken.down: line 2 goes back in time, from 7 to 6 ms"),
        ("0mbit", "link '0mbit': a link of 0.0 Mbit/s cannot be traced"),
        ("11gbit", "link '11gbit' is too fast to emulate"),
        ("mine", "link 'mine' is neither"),
    ],
)
def test_a_link_that_there_is_not(directory: Path, link: str, message: str) -> None:
    with pytest.raises(UnknownLinkError, match=re.escape(message)):
        LinkCatalogue([directory]).find(link, may_be_file=False)


def test_where_no_recorded_link_is_it_says_how_to_get_them(directory: Path) -> None:
    with pytest.raises(UnknownLinkError, match="recorded links are not here: npm run prepare-machine fetches them"):
        LinkCatalogue([]).find("City-LTE-short", may_be_file=True)
    with pytest.raises(UnknownLinkError, match=r"did you mean lte-like\?$"):
        LinkCatalogue([]).find("lte-lik", may_be_file=True)
    with pytest.raises(UnknownLinkError) as told:
        LinkCatalogue([directory]).find("nowhere", may_be_file=True)
    assert "recorded links are not here" not in str(told.value)


def test_over_the_control_channel_no_file_is_read(directory: Path) -> None:
    with pytest.raises(UnknownLinkError, match="is neither"):
        LinkCatalogue([]).find(str(directory / "mine"), may_be_file=False)


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "film.down").write_bytes(b"\xff\xd8\n")
    with pytest.raises(UnknownLinkError, match="byte 0 is not ASCII"):
        LinkCatalogue([tmp_path]).find("film", may_be_file=False)


@pytest.mark.parametrize(
    ("text", "mbit_per_s"),
    [
        ("24mbit", 24),
        ("1.5mbit", 1.5),
        ("24Mbit", 24),
        ("800kbit", 0.8),
        ("1gbit", 1000),
        ("24", None),
        ("24Mbps", None),
        ("٣mbit", None),
    ],
)
def test_rates(text: str, mbit_per_s: float | None) -> None:
    assert parse_rate(text) == mbit_per_s


def test_titles() -> None:
    assert title_of("Verizon-LTE-short") == "Verizon LTE, short"
    assert title_of("ATT-LTE-driving-2016") == "ATT LTE, driving 2016"
    assert title_of("mine") == "mine"


def test_traces_are_looked_for_where_one_says() -> None:
    named = trace_directories({"NUWA_TRACES": f"/a{os.pathsep}/b"}, [Path("/c")])
    assert named == [Path("/c"), Path("/a"), Path("/b"), *KNOWN_DIRECTORIES]
