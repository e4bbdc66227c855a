from __future__ import annotations

import re
from pathlib import Path

import pytest

from e2e.laboratory.matrix.options import parse_options
from e2e.laboratory.matrix.values import OptionError
from e2e.laboratory.plan import PlayerPlan
from e2e.laboratory.request import SELF, FlowTemplate, LinkChoice, MatrixRequest, SchemeChoice


def parse(line: str) -> MatrixRequest:
    return parse_options(line.split())


def test_what_is_not_said_is_the_default() -> None:
    request = parse("--schemes nuwa,cubic --jobs 3")
    assert request == MatrixRequest(
        schemes=(SchemeChoice("nuwa", "on-demand"), SchemeChoice("cubic", "on-demand")),
        links=(LinkChoice("24mbit", 20, 300, "droptail", 0.0),),
        places=("simulation",),
        seeds=5,
        flows=(FlowTemplate(SELF, None),),
        flows_text="1",
        preset="on-demand",
        duration_s=30.0,
        spreads_starts=True,
        acks="chromium",
        baseline=None,
        player=PlayerPlan("nuwa", "receiver"),
        qlog=False,
        jobs=3,
        cluster=None,
        output=None,
    )
    assert parse("--schemes nuwa").jobs >= 1


def test_a_link_has_settings_of_its_own_besides_those_of_all() -> None:
    request = parse("--schemes nuwa --links 24mbit,lte-like:queue=none:delay=40,C:\\trace:loss=0.01 --queue 100")
    assert request.links == (
        LinkChoice("24mbit", 20, 100, "droptail", 0.0),
        LinkChoice("lte-like", 40, None, "droptail", 0.0),
        LinkChoice("C:\\trace", 20, 100, "droptail", 0.01),
    )


def test_a_directory_is_found_from_anywhere() -> None:
    assert parse("--schemes nuwa --output here").output == str(Path.cwd() / "here")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--schemes nuwa,,cubic", "--schemes nuwa,,cubic: an entry is empty"),
        ("--schemes nuwa,nuwa", "--schemes nuwa,nuwa: nuwa is there twice"),
        ("--links 24mbit", "--schemes: name at least one scheme, or let --flows name all of them"),
        ("--schemes nuwa --flows cubic,nuwa@5", "--flows names every scheme: leave --schemes out, or write self"),
        ("--schemes nuwa --on moon", "--on moon: choose one of simulation, relay, mahimahi, browser"),
        ("--schemes nuwa --seeds 0", "--seeds 0: give a number from 1 to 1000"),
        ("--schemes nuwa --jobs 0", "--jobs 0: give a number from 1 to 1000"),
        ("--schemes nuwa --seeds 1.5", "--seeds 1.5: give a whole number"),
        ("--schemes nuwa --seconds nan", "--seconds nan: give a number from 1 to 3600"),
        ("--schemes nuwa --queue many", "--queue many: give a number from 1 to 20000"),
        ("--schemes nuwa --links 24mbit:queue=0", "--links 24mbit:queue 0: give a number from 1 to 20000"),
        ("--flows nuwa,cubic:preset=live", "preset=live: cubic has none, only receiver-driven schemes do: "),
        ("--schemes nuwa --links a:rtt=3", '"rtt" is no setting here; there is delay, queue, discipline, loss'),
        (
            "--schemes nuwa --links 24mbit,3mbit:discipline=abc --on simulation,mahimahi",
            "--discipline abc: mahimahi has droptail, codel, pie only",
        ),
        (
            "--schemes nuwa --flows self*2:rtt=80 --discipline abc --on simulation,relay",
            "--discipline abc: on relay flows cannot have an rtt of their own, which marks do not survive",
        ),
        (
            "--schemes nuwa --acks every-packet --on mahimahi",
            "--acks every-packet: receivers on mahimahi acknowledge as Chromium does",
        ),
        ("--schemes nuwa --links 24mbit:queue=5:queue=6", "--links 24mbit:queue=5:queue=6: queue is there twice"),
        ("--schemes nuwa --rule bola", "--rule bola: without --on browser nothing plays a film; in simulation"),
        (
            "--schemes nuwa --estimator dashjs --on relay",
            "--estimator dashjs: without --on browser nothing plays a film",
        ),
        ("--schemes nuwa --qlog", "--qlog: only runs on relay or mahimahi have a server that writes one"),
        ("--schemes nuwa --on browser --flows 2", "--flows 2: a browser plays one film, from the beginning"),
        ("--schemes nuwa --on browser --queue none", "--links 24mbit: in the browser a link has a droptail queue"),
        ("--schemes nuwa --preset fast", "--preset fast: choose one of "),
    ],
)
def test_a_line_is_refused(line: str, message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        parse(line)


def test_an_unknown_option_is_refused_with_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse("--schemes nuwa --frobnicate")
    said = capsys.readouterr().err
    assert "unrecognized arguments: --frobnicate; see python -m e2e.laboratory --help" in said
    assert said.count("\n") == 1
