from __future__ import annotations

import pytest

from e2e.laboratory.places.link_log import LinkLogError, parse_link_log, read_start_s

INIT_MS = 1_795_255_475_000
LOG = f"""# mahimahi mm-link (Downlink) [down.trace] > down.log
# queue: droptail [packets=2]
# init timestamp: {INIT_MS}
# base timestamp: 37
38 # 1504
40 + 1232
40 + 1232
40 + 1232
42 # 1504
42 - 1232 2
46 # 1504
46 - 1232 6
50 + 84
52 # 1504
52 - 84 2
60 + 84
"""
"""As mahimahi 0.98-1.1 writes it. A queue of two packets: the third arrival of ms 40 finds it full."""


def drops_ms(log: str) -> list[int]:
    return [at_ms - INIT_MS for at_ms in parse_link_log(log).drops.at_ms]


def test_events_have_epoch_times_from_the_headers_init_timestamp() -> None:
    log = parse_link_log(LOG)
    assert [at_ms - INIT_MS for at_ms in log.opportunities.at_ms] == [38, 42, 46, 52]
    assert [at_ms - INIT_MS for at_ms in log.departures.at_ms] == [42, 46, 52]
    assert (log.departures.wire_bytes, log.delays_ms) == ([1232, 1232, 84], [2, 6, 2])


def test_the_trace_begins_at_the_base_timestamp() -> None:
    assert read_start_s(LOG) == (INIT_MS + 37) / 1000


def test_a_packet_that_never_departed_was_dropped_unless_it_may_still_be_queued() -> None:
    assert drops_ms(LOG) == [40]


def test_an_opportunity_that_nothing_used_shows_that_the_queue_was_empty() -> None:
    assert drops_ms(f"{LOG}64 # 1504\n") == [40, 60]


def test_logged_drops_are_taken_as_they_are() -> None:
    log = parse_link_log(f"{LOG}61 d 2 2464\n")
    assert (log.drops.at_ms, log.drops.wire_bytes) == ([INIT_MS + 61] * 2, [1232, 1232])


def test_a_last_line_cut_off_in_writing_is_left_out() -> None:
    assert len(parse_link_log(f"{LOG}62 - 1").departures.at_ms) == 3


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (f"{LOG}62 ? 1\n", 'line 17: "62 [?] 1" is no event'),
        (f"{LOG}62 - 1232\n", 'line 17: "62 - 1232" is no event'),
        ("38 # 1504\n", "has no `# init timestamp` line"),
    ],
)
def test_any_other_odd_line_is_a_failure(log: str, message: str) -> None:
    with pytest.raises(LinkLogError, match=message):
        parse_link_log(log)
