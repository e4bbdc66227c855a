"""The relay's log, line by line as mahimahi writes it."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from transport.relay.log import LinkLog, LogWriter, repeat


def make_log(path: Path) -> LinkLog:
    return LinkLog(LogWriter(path), queue="droptail [packets=2]", zero_s=100.0, zero_at_ms=1_795_255_475_000)


def test_writes_what_mahimahi_writes(tmp_path: Path) -> None:
    log = make_log(tmp_path / "log")
    log.follow([2, 6, 10], name="walk", started_s=100.0)
    log.arrived(1232, at_s=100.0012)
    log.arrived(1232, at_s=100.0019)
    log.dropped(1232, at_s=100.0019)
    log.departed(1232, entered_s=100.0012, at_s=100.002)
    log.flush(until_s=100.007)
    log.arrived(84, at_s=100.0061)
    log.departed(84, entered_s=100.0061, at_s=100.010)
    log.flush(until_s=100.013)
    log.close()
    assert (tmp_path / "log").read_text("ascii").splitlines() == [
        "# nuwa-stream relay (Downlink)",
        "# queue: droptail [packets=2]",
        "# init timestamp: 1795255475000",
        "# base timestamp: 0",
        "# link: walk, its time 0 is 0",
        "1 + 1232",
        "1 + 1232",
        "1 d 1 1232",
        "2 # 1504",
        "2 - 1232 1",
        "6 # 1504",
        "6 + 84",
        "10 # 1504",
        "10 - 84 4",
        "12 # 1504",
    ]


def test_what_is_dropped_at_an_opportunity_is_dropped_in_its_millisecond(tmp_path: Path) -> None:
    log = make_log(tmp_path / "log")
    log.follow([2], name="walk", started_s=100.0)
    assert (100.002 - 100.0) * 1000 < 2  # in floats
    log.dropped(1232, at_s=100.002)
    log.flush(until_s=100.003)
    log.close()
    assert (tmp_path / "log").read_text("ascii").splitlines()[5:] == ["2 # 1504", "2 d 1 1232"]


def test_follows_another_link_from_its_beginning(tmp_path: Path) -> None:
    log = make_log(tmp_path / "log")
    log.follow([4], name="slow", started_s=100.0)
    log.flush(until_s=100.0095)
    log.follow([1], name="fast", started_s=100.0095)
    log.departed(84, entered_s=100.0012, at_s=100.0105)
    log.flush(until_s=100.012)
    log.follow(None, name="none", started_s=100.012)
    log.flush(until_s=100.020)
    log.close()
    lines = (tmp_path / "log").read_text("ascii").splitlines()[4:]
    assert lines == [
        "# link: slow, its time 0 is 0",
        "4 # 1504",
        "8 # 1504",
        "# link: fast, its time 0 is 9",
        "10 # 1504",
        "10 - 84 9",
        "11 # 1504",
        "# link: none, its time 0 is 12",
    ]


def test_a_link_whose_files_name_is_not_ascii_is_logged_as_others_are(tmp_path: Path) -> None:
    log = make_log(tmp_path / "log")
    log.follow([2], name="über\udcff", started_s=100.0)
    log.flush(until_s=100.003)
    log.close()
    lines = (tmp_path / "log").read_text("ascii").splitlines()[4:]
    assert lines == [r"# link: \xfcber\udcff, its time 0 is 0", "2 # 1504"]


def test_a_trace_repeats() -> None:
    times = repeat([0, 3, 5], 10)
    assert [next(times) for _ in range(7)] == [10, 13, 15, 15, 18, 20, 20]


def test_a_file_that_cannot_be_opened_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        LogWriter(tmp_path / "missing" / "log")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /dev/full")
def test_a_full_disk_is_said_when_it_is_noticed() -> None:
    writer = LogWriter(Path("/dev/full"))
    writer.write("1 # 1504\n")
    with pytest.raises(OSError, match="log /dev/full cannot be written") as caught:
        writer.close()
    assert caught.value.errno == errno.ENOSPC


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in the file system")
def test_a_disk_that_is_stuck_never_holds_the_relay_up(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    writer = LogWriter(pipe)
    text = "x" * 1_000_000  # more than the pipe takes, so the writing thread hangs in it

    def write_on() -> None:
        for _ in range(2000):
            writer.write(text)

    with pytest.raises(OSError, match="cannot be written fast enough"):
        write_on()
    os.close(reader)
    with pytest.raises(OSError, match="cannot be written"):
        writer.close()
