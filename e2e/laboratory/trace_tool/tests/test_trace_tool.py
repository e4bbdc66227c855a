"""`nuwa trace`: every verb by its command line, and errors with file and line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cc.links.catalogue import LinkCatalogue, UnknownLinkError
from cc.links.traces import trace
from cc.links.traces.opportunity_trace import OpportunityTrace
from cc.links.traces.rate_trace import RateTrace
from e2e.laboratory.trace_tool import picture
from e2e.laboratory.trace_tool.chart import chart_of
from e2e.laboratory.trace_tool.command import main
from e2e.laboratory.trace_tool.source import Source

UCC = """Timestamp,DL_bitrate,State
2020.02.14_13.21.26,8000,D
2020.02.14_13.21.27,0,D
2020.02.14_13.21.28,-,D
2020.02.14_13.21.29,4000,D
"""
LONG = "b" * 300
"""Longer than a file's name may be."""


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("walk.csv").write_text(UCC)
    Path("mine.down").write_text("5\n10\n10\n1000\n")
    return tmp_path


def run(*arguments: str) -> int:
    return main(list(arguments))


def test_shows_figures_and_what_was_decided(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "walk.csv", "--bin", "1") == 0
    # 8 Mbit/s for 1 s, none for 2, 4 for 1
    assert capsys.readouterr().out == (
        "walk.csv: CSV\n"
        "  duration  4 s\n"
        "  rate      mean 3, p5 0, median 4, p95 8, from 0 to 8 Mbit/s (in bins of 1 s)\n"
        "  outages   1, the longest of 2 s, 50 % of the time\n"
        "  note      DL_bitrate in kbit/s by Timestamp\n"
        "  note      1 rows without a rate, first in line 4: skipped\n"
    )


def test_where_there_is_no_outage_it_says_how_long_one_would_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "12mbit") == 0
    assert "outages   none of 0.1 s or more\n" in capsys.readouterr().out
    # one opportunity of 12,032 bits in 93 ms
    Path("slow.down").write_text("".join(f"{93 * index}\n" for index in range(1, 21)))
    assert run("show", "slow.down") == 0
    assert "outages   none of 0.93 s or more\n" in capsys.readouterr().out


def test_shows_links_with_names_and_rates(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "steps") == 0
    assert "duration  60 s\n  rate      mean 13.6, p5 2, median 12" in capsys.readouterr().out
    assert run("show", "steps", "--uplink") == 0
    assert capsys.readouterr().out.startswith("steps: Steps, uplink\n  duration  60 s\n  rate      mean 6,")
    assert run("show", "12mbit") == 0
    assert "mean 12" in capsys.readouterr().out


def test_converts_by_the_names_of_the_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", "walk.csv", "walk.pensieve") == 0
    assert Path("walk.pensieve").read_text() == "0\t8\n1\t8\n3\t0\n4\t4\n"
    assert run("convert", "walk.pensieve", "walk.down") == 0
    assert run("convert", "walk.down", "walk.json", "--bin", "1") == 0
    assert run("convert", "walk.json", "again.txt", "--format", "csv") == 0
    out = capsys.readouterr().out
    assert "walk.csv: 1 rows without a rate, first in line 4: skipped\n" in out
    assert out.endswith("wrote again.txt: 4 s, mean 3 Mbit/s, csv\n")
    lines = Path("again.txt").read_text().splitlines()
    # 12 Mbit are 997.34 opportunities; the first of 998 is ahead of its time by the part that makes them whole
    assert lines[0] == "start_s,end_s,bits_per_s"
    assert [line.split(",")[:2] for line in lines[1:]] == [["0", "1"], ["1", "2"], ["2", "3"], ["3", "4"]]
    assert float(lines[1].split(",")[2]) == pytest.approx(8e6, abs=12_032)
    assert sum(float(line.split(",")[2]) for line in lines[1:]) == 998 * 12_032


def test_cuts_scales_and_repeats() -> None:
    assert run("cut", "mine.down", "part.down", "--to", "0.5") == 0
    assert Path("part.down").read_text() == "5\n10\n500\n"
    assert run("cut", "walk.csv", "part.csv", "--from", "0.5", "--to", "3.5") == 0
    assert Path("part.csv").read_text() == "start_s,end_s,bits_per_s\n0,0.5,8000000\n0.5,2.5,0\n2.5,3,4000000\n"
    assert run("scale", "walk.csv", "slow.csv", "--mean", "1500kbit", "--cap", "3mbit") == 0
    assert Path("slow.csv").read_text() == "start_s,end_s,bits_per_s\n0,1,3000000\n1,3,0\n3,4,2000000\n"
    assert run("scale", "mine.down", "double.down", "--factor", "2") == 0
    assert Path("double.down").read_text() == "5\n5\n10\n10\n10\n10\n1000\n1000\n"
    assert run("repeat", "mine.down", "long.down", "--for", "1.01") == 0
    assert Path("long.down").read_text() == "5\n10\n10\n1000\n1005\n1010\n1010\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("show nowhere", "link 'nowhere' is neither a rate (24mbit), a file, nor one of none, lte-like, "),
        ("show none", "link none has no trace"),
        ("show mine.down --uplink", "mine.down: --uplink is for links with names"),
        ("show mine.down --column x", "mine.down: is no table but mahimahi, and has no columns to choose"),
        (
            "show walk.csv --column x",
            "walk.csv:1: has no column 'x' for --column; there are Timestamp, DL_bitrate, State",
        ),
        (
            "show steps --column x",
            "steps: is read by its name without options of tables and measurements; name its file",
        ),
        (f"show {LONG}", f"link '{LONG}' is neither a rate (24mbit), a file, nor one of none, lte-like, "),
        ("show .", ".: cannot be read: Is a directory"),
        (
            "convert walk.csv out.txt",
            "out.txt: of what format? Let the name end in one of .down, .pensieve, .json, .csv",
        ),
        ("convert walk.csv walk.csv", "walk.csv: is the trace that is read; write another file"),
        ("convert walk.csv no/out.csv", "no/out.csv: cannot be written: No such file or directory"),
        ("convert walk.csv mine.down/out.csv", "mine.down/out.csv: cannot be written: Not a directory"),
        (f"convert walk.csv {LONG}.csv", f"{LONG}.csv: cannot be written: File name too long"),
        ("cut walk.csv out.csv --to 9", "walk.csv: 0 to 9 s is no part of a trace of 4 s"),
        ("cut walk.csv out.csv --from 1 --to 3", "walk.csv: nothing is delivered from 1 to 3 s"),
        ("scale walk.csv out.csv", "scale to what? Give --mean RATE, --factor N or --cap RATE"),
        ("scale walk.csv out.csv --factor 0", "walk.csv: a trace cannot be scaled by 0"),
        ("repeat walk.csv out.csv --for 1e9", "walk.csv: a trace cannot last 1e+09 s; at most 604800, a week"),
        ("scale walk.csv out.down --mean 90gbit", "walk.csv: the trace would have 30 million delivery opportunities"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments.split()) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"nuwa trace: {message}")
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert sorted(path.name for path in Path().iterdir()) == ["mine.down", "walk.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("scale walk.csv out.csv --mean 90", "'90' is not a rate such as 24mbit"),
        ("scale walk.csv out.csv --factor x", "'x' is no number of at least 0"),
        ("show walk.csv --where State", "'State' is not a condition such as run_num=1"),
        ("show walk.csv --bin 0", "'0' is too short; at least 0.001 s"),
        ("show walk.csv --unit mbps", "invalid choice: 'mbps'"),
        ("draw walk.csv", "invalid choice: 'draw'"),
    ],
)
def test_arguments_that_make_no_sense(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(*arguments.split())
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_validates_every_file_and_says_where_one_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.csv").write_text(UCC.replace("8000", "fast"))
    Path("film.mp4").write_bytes(b"1\n2\n\xff\xd8\n")
    assert run("validate", "mine.down", "bad.csv", "film.mp4", "walk.csv") == 1
    output = capsys.readouterr()
    assert output.out == "mine.down: 1 s, mean 0.0481 Mbit/s, mahimahi\nwalk.csv: 4 s, mean 3 Mbit/s, CSV\n"
    assert output.err == (
        "bad.csv:2: has 'fast' for DL_bitrate, which is not a number\nfilm.mp4:3: is no text: byte 4 is not UTF-8\n"
    )
    assert run("validate", "mine.down", "walk.csv") == 0


def test_a_trace_too_large_for_a_link_is_valid_but_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    Path("fast.pensieve").write_text("0 600\n800 600\n")
    assert run("validate", "fast.pensieve") == 0
    assert "; too large for a link, with 40 million packets (at most 20): cut or scale it" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["show steps", "plot steps out.svg", "convert steps out.csv"])
def test_more_bins_than_memory_holds_are_refused(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trace, "LARGEST", 1000)
    assert run(*verb.split(), "--bin", "0.01") == 2
    assert capsys.readouterr().err == (
        "nuwa trace: steps: bins of 0.01 s are 6e+03 in a trace of 60 s, at most 1000: take longer ones\n"
    )


def test_the_chart_has_bins_that_fit_the_trace() -> None:
    chart = chart_of(Source("a/walk.down", "mahimahi", OpportunityTrace((*range(1, 1000), 1600, 2000))), bin_s=None)
    assert (chart.title, chart.fine_bin_s, chart.coarse_bin_s) == ("walk", 0.1, 1.0)
    # 100 opportunities in 0.1 s are 12.032 Mbit/s
    assert chart.fine[:2] == [(0.0, 12.032), (0.1, 12.032)]
    assert chart.fine[-1] == (2.0, chart.fine[-2][1])
    assert chart.outages_s == [(0.999, 1.6), (1.6, 2.0)]
    seconds = RateTrace(tuple(range(1, 4001)), tuple([1e6, 2e6] * 2000))
    assert [chart_of(Source("s", "CSV", seconds), bin_s=b).fine_bin_s for b in (None, 5.0)] == [10.0, 5.0]
    assert chart_of(Source("s", "CSV", seconds.cut(0, 100)), bin_s=None).fine_bin_s == 1.0


def test_plots_as_svg_png_or_a_page_by_the_name_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("plot", "walk.csv") == 0
    svg = Path("walk.svg").read_text(encoding="utf-8")
    for words in ("walk.csv", "time, s", "rate, Mbit/s", "mean 3", "p5 0", "p95 8", "means of 1 s"):
        assert f">{words}<" in svg
    assert svg.count('fill="#cb181d"') == 2  # the outage, and its mark along the top
    assert run("plot", "walk.csv", "walk.png") == 0
    assert Path("walk.png").read_bytes().startswith(b"\x89PNG")
    assert run("plot", "walk.csv", "walk.html") == 0
    page = Path("walk.html").read_text(encoding="utf-8")
    assert "<html" in page
    assert "<script src=" not in page  # it needs no network
    assert capsys.readouterr().out == "wrote walk.svg\nwrote walk.png\nwrote walk.html\n"


def test_a_picture_of_another_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("plot", "walk.csv", "walk.jpg") == 2
    assert (
        capsys.readouterr().err == "nuwa trace: walk.jpg: of what kind? Let the name end in one of .svg, .png, .html\n"
    )
    assert not Path("walk.jpg").exists()


def test_names_of_lines_do_not_lie_on_each_other() -> None:
    chart = chart_of(Source("s", "CSV", RateTrace((10.0,), (5e6,))), bin_s=None)
    rates = [row["rate"] for row in picture.labels(chart, {"p5": 5.0, "mean": 5.0, "p95": 5.0})]
    assert rates == pytest.approx([5.0, 5 + 5 * 14 / 260, 5 + 10 * 14 / 260])  # 14 of the 260 pixels that 5 Mbit/s are


def test_a_link_takes_a_file_of_any_format() -> None:
    catalogue = LinkCatalogue([])
    found = catalogue.find("walk.csv", may_be_file=True)
    assert found.downlink_ms is not None
    assert (found.name, len(found.downlink_ms), found.downlink_ms[-1]) == ("walk.csv", 998, 4000)
    with pytest.raises(UnknownLinkError, match="is neither a rate"):
        catalogue.find("walk.csv", may_be_file=False)
    Path("two.csv").write_text("seq_num,a_mbps,b_mbps\n0,1,2\n1,1,2\n")
    with pytest.raises(UnknownLinkError) as caught:
        catalogue.find("two.csv", may_be_file=True)
    assert str(caught.value) == (
        "trace two.csv: line 1 names several columns of rates: choose one with --column among a_mbps, b_mbps "
        "(nuwa trace convert takes these options)"
    )


def test_names_come_before_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("steps").write_text("7\n")
    assert run("validate", "steps", f".{os.sep}steps") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "60 s" in first
    assert "0.007 s" in second
