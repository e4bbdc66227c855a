"""Files of traces, in every format."""

from __future__ import annotations

from cc.links.traces.formats.base import Gaps, Reading, TraceError
from cc.links.traces.formats.registry import FORMATS, parse
from cc.links.traces.trace import mean_bits_per_s
from e2e.fuzzing.target import Parser, Target

CSV = "time,Throughput\n1,20\n2,0\n3,100.5\n"
IPERF = '{"intervals":[{"sum":{"start":0,"end":1,"seconds":1,"bits_per_second":1e6}}]}'
GAPS: tuple[Gaps, ...] = ("close", "hold", "outage")


def read(data: bytes) -> None:
    """As `nuwa trace` does. The first byte says how the file is called and what becomes of gaps."""
    first = data[0] if data else 0
    ending = ("", *(suffix for each in FORMATS for suffix in each.suffixes[:1]))[first % 5]
    gaps = GAPS[first // 8 % 3]
    found, parsed = parse(data[1:].decode(errors="replace"), f"trace{ending}", Reading(gaps=gaps))
    if mean_bits_per_s(parsed.trace) < 0:
        raise ArithmeticError(f"a {found.name} trace of {mean_bits_per_s(parsed.trace)} bit/s")


TARGET = Target(
    "traces",
    "traces as mahimahi, Pensieve, iperf3 and tables write them",
    lambda: Parser(read, TraceError),
    lambda: [
        b"\x00" + b"1\n2\n2\n10\n",
        b"\x00" + b"0 9.9\n1.5 2\n2 0.5\n",
        b"\x08" + CSV.encode(),
        b"\x10" + CSV.replace(",", ";").encode(),
        b"\x00" + IPERF.encode(),
        *(bytes([number]) + text.encode() for number in range(5) for text in (CSV, IPERF, "1\n2\n", "0.5\t1\n1\t2\n")),
    ],
    tokens=(
        b"1e308",
        b"-1",
        b"1e-320",
        b"0x",
        b"NaN",
        b",",
        b";",
        b"\t",
        b"\n",
        b'"',
        b"bits_per_second",
        b"99999999999",
    ),
    largest_bytes=1000,
)
