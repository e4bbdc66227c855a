"""Formats of traces: read, written, told apart, and refused with the line."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cc.links.traces.conversion import as_opportunities
from cc.links.traces.formats.base import ParsedTrace, Reading, TraceError
from cc.links.traces.formats.registry import (
    FORMATS,
    UnknownFormatError,
    format_named,
    format_of,
    format_of_name,
    parse,
)
from cc.links.traces.opportunity_trace import OpportunityTrace
from cc.links.traces.rate_trace import RateTrace
from cc.links.traces.trace import mean_bits_per_s

by_name = pytest.mark.parametrize("format_name", [f.name for f in FORMATS])
deterministic = settings(derandomize=True, max_examples=100)


def read(text: str, name: str = "trace", reading: Reading | None = None) -> ParsedTrace:
    return parse(text, name, reading)[1]


def rates_of(text: str, reading: Reading | None = None) -> tuple[list[float], list[float]]:
    """Ends in seconds, to the microsecond, and rates in Mbit/s."""
    trace = read(text, reading=reading).trace
    assert isinstance(trace, RateTrace)
    return [round(end_s, 6) for end_s in trace.ends_s], [rate / 1e6 for rate in trace.rates_bits_per_s]


# Pensieve


def test_a_line_of_pensieve_holds_from_the_time_of_the_line_before() -> None:
    assert rates_of("0 9.9\n1.5 2\n2 0.5\n") == ([1.5, 2.0], [2.0, 0.5])
    assert rates_of("380.0\t1\n385.0\t1.656664\n\n390.0\t1.25\n") == ([5.0, 10.0], [1.656664, 1.25])


# tables


def test_lumos5g_names_its_columns_and_counts_megabits() -> None:
    text = "run_num,seq_num,nrStatus,Throughput\n1,1,CONNECTED,20\n1,2,CONNECTED,0\n1,3,NOT,100.5\n2,1,CONNECTED,7\n"
    assert rates_of(text, Reading(where=(("run_num", "1"),))) == ([1.0, 2.0, 3.0], [20.0, 0.0, 100.5])
    with pytest.raises(TraceError) as caught:
        read(text)
    assert caught.value.at("l.csv") == (
        "l.csv:5: goes back in time, from 3 to 1 s; rows of one run are chosen with --where"
    )


def test_ucc_5g_has_dates_kilobits_doubled_and_missing_rows() -> None:
    text = (
        "Timestamp,Speed,DL_bitrate,UL_bitrate,State\n"
        "2020.02.29_23.59.58,0,2000,20,D\n"
        "2020.02.29_23.59.59,0,4000,20,D\n"
        "2020.02.29_23.59.59,0,6000,20,D\n"
        "2020.03.01_00.00.01,0,-,20,D\n"
        "2020.03.01_00.00.02,0,1000,20,I\n"
        "2020.03.01_00.00.03,0,3000,20,D\n"
    )
    # steps of 1, 3 and 1 s: a missing rate is bridged by the one before; the last row lasts the usual step
    parsed = read(text)
    assert rates_of(text) == ([1.0, 4.0, 5.0, 6.0], [2.0, 5.0, 1.0, 3.0])
    assert parsed.notes == (
        "DL_bitrate in kbit/s by Timestamp",
        "1 rows without a rate, first in line 5: skipped",
        "1 rows at the time of the one before, first in line 4: their mean",
    )


@pytest.mark.parametrize(
    ("gaps", "ends_s", "rates"),
    [
        ("close", [1.0, 2.0, 3.0, 4.0], [8.0, 6.0, 4.0, 2.0]),
        ("hold", [1.0, 2.0, 20.0, 21.0, 22.0], [8.0, 6.0, 6.0, 4.0, 2.0]),
        ("outage", [1.0, 2.0, 20.0, 21.0, 22.0], [8.0, 6.0, 0.0, 4.0, 2.0]),
    ],
)
def test_a_gap_is_left_out_held_or_an_outage(gaps: str, ends_s: list[float], rates: list[float]) -> None:
    text = "time_s,rx_mbps\n100,8\n101,6\n120,4\n121,2\n"
    reading = Reading(gaps=gaps)  # type: ignore[arg-type]  # the parameters are the type's values
    assert rates_of(text, reading) == (ends_s, rates)
    words = {"close": "left out", "hold": "filled with the rate before", "outage": "taken for outages"}[gaps]
    assert read(text, reading=reading).notes[1] == f"1 gaps, 18 s in all, first after line 3: {words}"


def test_rows_with_an_end_need_no_next_and_small_overlaps_are_jitter() -> None:
    text = "_start,_end,bits_per_second,Throughput\n0.0,1.01,8e6,8\n1.0,2.0,4e6,4\n2.0,3.0,2e6,2\n2.0,3.0,4e6,4\n"
    assert rates_of(text) == ([1.0, 2.0, 3.0], [8.0, 4.0, 3.0])


def test_columns_are_found_by_their_unit_or_as_told() -> None:
    # 5Gophers: a column for each carrier
    text = "seq_num,A_throughput_mbps,B_throughput_kbps\n0,1,5000\n1,2,6000\n"
    with pytest.raises(TraceError, match=re.escape("line 1 names several columns of rates: choose one with --column")):
        read(text)
    assert rates_of(text, Reading(column="b_throughput_KBPS"))[1] == [5.0, 6.0]
    assert rates_of("time_ms;bytes_per_s\n0;125000\n500;250000\n") == ([0.5, 1.0], [1.0, 2.0])
    assert rates_of("t\tload\n0\t1\n2\t2\n", Reading(column="load", unit="mbit", time_column="t"))[1] == [1.0, 2.0]
    assert rates_of("time,rate (Mbit/s)\n10:59:59.5,1\n11:00:00,2\n") == ([0.5, 1.0], [1.0, 2.0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1582123456", "1582123457"),
        ("1582123456.25", "1582123457.25"),
        ("1582123456250", "1582123457250"),
        ("1582123456250000", "1582123457250000"),
        ("1582123456250000000", "1582123457250000000"),
        ("99999999500", "100000000500"),
        ("99999999500000", "100000000500000"),
        ("99999999500000000", "100000000500000000"),
    ],
)
def test_times_since_1970_count_as_large_as_they_are(first: str, second: str) -> None:
    assert rates_of(f"timestamp,rx_mbps\n{first},1\n{second},2\n") == ([1.0, 2.0], [1.0, 2.0])


def test_a_table_without_a_header_has_numbers_for_names() -> None:
    text = "1,125000\n2,250000\n"
    with pytest.raises(
        TraceError, match=re.escape("choose with --column and --unit among 1 to 2, since it has no header")
    ):
        read(text)
    assert rates_of(text, Reading(column="2", time_column="1", unit="byte")) == ([1.0, 2.0], [1.0, 2.0])


# iperf3


def interval(start: float, end: float, bits_per_second: object, **more: object) -> dict[str, object]:
    return {"streams": [], "sum": {"start": start, "end": end, "bits_per_second": bits_per_second, **more}}


def test_a_report_of_iperf_is_the_sums_of_its_intervals() -> None:
    intervals = [
        interval(0, 1.0, 9e6, omitted=True),
        interval(0, 1.000077, 2e6, omitted=False),
        interval(1.00008, 2.0, 4e6, omitted=False),
        interval(2.0, 2.0, 0.0, omitted=False),
    ]
    document = {"start": {"test_start": {"protocol": "TCP"}}, "intervals": intervals, "end": {}}
    assert rates_of(json.dumps(document, indent=2)) == ([1.00008, 2.0], [2.0, 4.0])
    assert read(json.dumps(document)).notes == ("1 intervals that iperf3 omitted: left out",)


def test_a_stream_of_iperf_is_read_event_by_event() -> None:
    events = [{"event": "start", "data": {}}, *({"event": "interval", "data": i} for i in (interval(0, 1, 3e6),))]
    text = "\n".join(json.dumps(event) for event in [*events, {"event": "end", "data": {}}])
    assert rates_of(text) == ([1.0], [3.0])
    assert rates_of(json.dumps(events[1])) == ([1.0], [3.0])


def test_a_wrong_interval_is_told_by_the_line_on_which_it_begins() -> None:
    text = json.dumps({"intervals": [interval(0, 1, 2e6), interval(1, 2, "fast")]}, indent=1)
    line = 1 + text[: text.index('"fast"')].count("\n")
    with pytest.raises(TraceError, match="whose sum has 'fast' for bits_per_second") as caught:
        read(text)
    # {"streams": [], "sum": {start, end, bits...: five lines above the rate
    assert caught.value.line == line - 5
    assert text.splitlines()[line - 6].strip() == "{"


# all


@by_name
def test_what_is_written_is_read_again(format_name: str) -> None:
    found = format_named(format_name)
    trace = RateTrace((0.25, 1.5, 2.0), (2e6, 0.0, 31.4159e6))
    text = found.write(trace, 0.1)
    assert format_of(text, "trace.txt") is found
    again = found.parse(text, Reading()).trace
    assert as_opportunities(again) == as_opportunities(trace)
    assert again == trace or isinstance(again, OpportunityTrace)


@by_name
def test_opportunities_are_written_as_rates_in_bins(format_name: str) -> None:
    found = format_named(format_name)
    trace = OpportunityTrace((10, 20, 150, 250))
    again = found.parse(found.write(trace, 0.1), Reading()).trace
    assert [round(again.bits_before(s) / 12_032) for s in (0.1, 0.2, 0.25)] == [2, 3, 4]


@by_name
@given(
    found=st.lists(st.tuples(st.integers(1, 900), st.integers(0, 40_000)), min_size=1, max_size=20).filter(
        lambda pairs: any(kbit for _, kbit in pairs)
    )
)
@deterministic
def test_any_trace_survives_any_format(format_name: str, found: list[tuple[int, int]]) -> None:
    ends_s: list[float] = []
    for length_ms, _ in found:
        ends_s.append(round((ends_s[-1] if ends_s else 0.0) + length_ms / 1000, 3))
    trace = RateTrace(tuple(ends_s), tuple(kbit * 1e3 for _, kbit in found))
    chosen = format_named(format_name)
    again = chosen.parse(chosen.write(trace, 0.1), Reading()).trace
    assert as_opportunities(again).times_ms == as_opportunities(trace).times_ms


def test_a_name_says_more_than_the_first_line() -> None:
    assert [format_of_name(name) for name in ("a.down", "b.CSV", "c.jsonl", "d.log")] == [
        *(format_named(name) for name in ("mahimahi", "csv", "iperf-json")),
        None,
    ]
    assert format_of("0 1\n1 2\n", "trace").name == "pensieve"
    assert format_of("\n5\n", "trace").name == "mahimahi"
    assert format_of('{"start":', "trace").name == "iperf-json"
    assert format_of("a,b\n", "trace").name == "csv"
    with pytest.raises(UnknownFormatError, match="unknown format 'ns3': choose one of mahimahi, pensieve, iperf-json"):
        format_named("ns3")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a", "", "a:1: it is empty; give one delivery opportunity a line, in milliseconds, or another format"),
        ("a", "\nhello\n", "a:2: is 'hello', which begins none of the formats known (mahimahi: "),
        ("a.down", "0 1\n", "a.down:1: is '0 1', not a number of whole milliseconds"),
        ("a.down", "5\n4\n", "a.down:2: goes back in time, from 5 to 4 ms"),
        ("a", "0 1\n1 x\n", "a:2: has 'x' for the rate, which is not a number"),
        ("a", "0 1\n1 1e999\n", "a:2: has '1e999' for the rate, which is not a number"),
        ("a", "0 1\n1 ٣\n", "a:2: has '٣' for the rate, which is not a number"),
        ("a", "0 1\n1 -2\n", "a:2: has -2 for the rate; a rate lies between 0 and 1e+06"),
        ("a", "0 1\n1 2 3\n", "a:2: is '1 2 3', not a time in seconds and a rate in Mbit/s"),
        ("a", "0 1\n2 2\n1 3\n", "a:3: goes back in time, from 2 to 1 s"),
        ("a", "0 1\n2 2\n2 3\n", "a:3: stands still in time at 2 s"),
        ("a", "0 1\n2 0\n3 0\n", "a:3: is the last and still nothing is delivered: no rate is above 0"),
        ("a", "0 1\n", "a:1: it has one line; a rate holds from the time of the line before, so two are needed"),
        ("a", "0 1\n9e9 1\n", "a:2: is the last: a trace cannot last 9e+09 s; at most 604800, a week"),
        ("a.csv", "\n", "a.csv:1: it is empty; give a table with a header, a time and a rate a row"),
        ("a.csv", "x,y\n1,2\n", "a.csv:1: names no column of rates that is known: choose with --column and --unit"),
        ("a.csv", "x,y_mbps\n1,2\n", "a.csv:1: names no column of times that is known: choose one with --time-column"),
        ("a.csv", "time_s,y_mbps\n1,2\n", "a.csv:2: is the only measurement: a rate lasts until the next one"),
        ("a.csv", "time_s,y_mbps\n1\n", "a.csv:2: has 1 cells where 2 are needed"),
        ("a.csv", "time_s,y_mbps\n1,-\n", "a.csv:1: no row has a rate"),
        (
            "a.csv",
            "time_s,y_mbps\n1,2\nsoon,3\n",
            "a.csv:3: has 'soon' for time_s, which is neither seconds nor a time",
        ),
        ("a.csv", "time_s,y_mbps\n1,2\n1.2.3,3\n", "a.csv:3: has '1.2.3' for time_s"),
        ("a.csv", 'time_s,y_mbps\n1,"2\n', "a.csv:2: is no row of a table: unexpected end of data"),
        ("a.csv", "start_s,end_s,bits_per_s\n1,1,5\n", "a.csv:2: ends when it begins or before, 1 s to 1 s"),
        ("a.csv", "start_s,end_s,bits_per_s\n0,2,5\n1,3,5\n", "a.csv:3: goes back in time, from 2 to 1 s"),
        ("a.json", "[]", "a.json:1: has no intervals as iperf3 --json writes"),
        ("a.json", '{"intervals": []}', "a.json:1: it has no intervals; iperf3 --json with -i above 0 writes them"),
        ("a.json", '{"error": "unable to connect"}', "a.json:1: says that iperf3 failed: unable to connect"),
        ("a.json", '{"intervals": [\n{},]}', "a.json:2: is no JSON: "),
        ("a.json", '{"intervals": [\n\n{}]}', "a.json:3: begins an interval without a sum"),
        ("a.json", '\n{"x": {"intervals": [1]}, "intervals": [1, 2]}', "a.json:2: begins an interval without a sum"),
        ("a.json", '{"\\u0069ntervals": [1]}', "a.json:1: begins an interval without a sum"),
        ("a.json", '{"event": "start"}\n{"a": 1}', "a.json:2: is no event of iperf3 --json-stream"),
        ("a.json", '{"event": "start"}\n{"a', "a.json:2: is no JSON: "),
        ("a.json", '{"event": "error", "data": "busy"}', "a.json:1: says that iperf3 failed: busy"),
        ("a.json", '{"a":' + "[" * 100_000, "a.json:1: is no JSON: it is nested too deeply"),
        ("a.json", '{"intervals": [{"sum": {"start": 1' + "0" * 5000, "a.json:1: is no JSON: "),
        (
            "a.json",
            '{"intervals": [{"sum": {"start": 1' + "0" * 5000 + "}}]}",
            "a.json:1: begins an interval whose sum has inf for start, not a number",
        ),
    ],
)
def test_what_is_no_trace_is_told_with_file_and_line(name: str, text: str, message: str) -> None:
    with pytest.raises(TraceError) as caught:
        read(text, name)
    assert caught.value.at(name).startswith(message)


@pytest.mark.parametrize(
    ("reading", "message"),
    [
        (Reading(column="z"), "line 1 has no column 'z' for --column; there are time_s, y_mbps, load"),
        (Reading(column="load"), "line 1 has a column 'load' of unknown unit: say with --unit which of bit, kbit, "),
        (Reading(time_column="z"), "line 1 has no column 'z' for --time-column"),
        (Reading(where=(("z", "1"),)), "line 1 has no column 'z' for --where"),
        (Reading(where=(("load", "7"),)), "no row is of what --where asks for"),
    ],
)
def test_columns_that_there_are_not(reading: Reading, message: str) -> None:
    with pytest.raises(TraceError, match=re.escape(message)):
        read("time_s,y_mbps,load\n1,2,3\n2,2,3\n", reading=reading)


@given(
    name=st.sampled_from(["a", "a.down", "a.csv", "a.json", "a.pensieve"]),
    text=st.one_of(
        st.text(alphabet="0123456789 \n\r\t-.,xe", max_size=60),
        st.text(max_size=60),
        st.lists(st.sampled_from(["time_s", "bits_per_s", ",", "\n", "1", "2", "-", '"', "_end", "nan", "9e300"])).map(
            "".join
        ),
        st.recursive(st.one_of(st.none(), st.booleans(), st.floats(), st.text(max_size=5)), st.lists, max_leaves=5).map(
            lambda value: json.dumps({"intervals": value})
        ),
    ),
)
@settings(derandomize=True, max_examples=600)
def test_any_text_is_a_trace_or_refused_with_a_line_that_is_there(name: str, text: str) -> None:
    refused: TraceError | None = None
    try:
        trace = read(text, name).trace
    except TraceError as error:
        refused = error
    if refused is not None:
        assert refused.line is None or 1 <= refused.line <= max(1, len(text.splitlines()))
    elif mean_bits_per_s(trace) * trace.duration_s < 1e9:
        assert as_opportunities(trace).times_ms
