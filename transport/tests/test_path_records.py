"""What the server keeps of its clients' paths, and that the next session begins with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cc.core.path_record import PathRecord
from cc.receiver.observer import Observer
from transport.headless.client import open_session
from transport.media_server.path_records import LIFETIME_S, MOST_RECORDS, PathRecords
from transport.media_server.server import start_server
from transport.tests.serving import ORIGIN, options_for, run, until

RECORD = PathRecord(bandwidth_bytes_per_s=1e6, bdp_bytes=40_000)
OTHER = PathRecord(bandwidth_bytes_per_s=2e6, bdp_bytes=80_000)
INITIAL_BYTES = 12_000


class Clock:
    """Moved by hand."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def records(clock: Clock) -> PathRecords:
    return PathRecords(clock)


def test_a_record_is_its_addresss_own_and_the_latest_counts(records: PathRecords) -> None:
    records.keep("192.0.2.1", RECORD)
    assert (records.find("192.0.2.1"), records.find("192.0.2.2")) == (RECORD, None)
    records.keep("192.0.2.1", OTHER)
    assert records.find("192.0.2.1") is OTHER


def test_a_record_lasts_ten_minutes(records: PathRecords, clock: Clock) -> None:
    records.keep("192.0.2.1", RECORD)
    clock.now_s += LIFETIME_S - 1
    assert records.find("192.0.2.1") is RECORD
    clock.now_s += 1
    assert records.find("192.0.2.1") is None


def test_a_record_that_is_handed_back_becomes_no_younger(records: PathRecords, clock: Clock) -> None:
    records.keep("192.0.2.1", RECORD)
    clock.now_s += LIFETIME_S - 1
    records.keep("192.0.2.1", RECORD)
    clock.now_s += 1
    assert records.find("192.0.2.1") is None


def test_only_so_many_are_kept_and_the_oldest_go_first(records: PathRecords) -> None:
    for number in range(MOST_RECORDS):
        records.keep(str(number), RECORD)
    records.keep("0", OTHER)
    records.keep("new", RECORD)
    assert len(records) == MOST_RECORDS
    assert (records.find("1"), records.find("0"), records.find("new")) == (None, OTHER, RECORD)


def test_the_next_session_begins_where_the_last_one_ended(film: Path) -> None:
    async def first_window_bytes(url: str) -> int:
        windows_bytes: list[int] = []
        async with open_session(f"{url}/v1/stateful-bbr", origin=ORIGIN, receiver=Observer()) as client:
            client.stamp_observer = lambda stamp, now_s: windows_bytes.append(stamp.cwnd_bytes)
            await client.download("generated/4000000", on_data=lambda data: None)
        return windows_bytes[0]

    async def whole() -> None:
        server = await start_server(options_for(film))
        url = f"https://127.0.0.1:{server.port}"
        records = server._service.records
        assert await first_window_bytes(url) < 2 * INITIAL_BYTES  # a few packets have been acknowledged
        await until(lambda: records.find("127.0.0.1") is not None)  # the session's end is under way
        records.keep("127.0.0.1", OTHER)  # on loopback a bandwidth-delay product is but a few packets
        assert await first_window_bytes(url) >= OTHER.bdp_bytes
        await server.stop()

    run(whole())
