"""The options of `nuwa bench films`; values that need lists of the project are looked at in `expand`."""

from __future__ import annotations

import argparse

from cc.command_line.arguments import OneSentenceParser, count, existing_folder, file_to_write, whole_within
from cc.command_line.cores import usable_cores
from cc.links.defaults import DEEP_QUEUE_PACKETS, DELAY_MS

MOST_SEEDS = 1000
DESCRIPTION = (
    "Plays packaged films by the page's own player (dash.js, our rules) over simulated flows, or in a real browser "
    "over an emulated link: every scheme with every rule and every estimator over every link, each seed from another "
    "place in the link's trace. Prints what viewers met, and leaves rows. The same command goes on where it was "
    "stopped."
)


def make_parser(prog: str) -> argparse.ArgumentParser:
    """Checks what needs no list of the project."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)

    option = parser.add_text

    option("--schemes", "LIST", "nuwa,cubic", "schemes; nuwa:preset=live chooses the receiver's preset")
    option("--rules", "LIST", "nuwa,dynamic", "adaptation rules")
    option("--estimators", "LIST", "receiver,dashjs", "whose estimate of the bandwidth rules see; truth knows the link")
    option(
        "--links",
        "LIST",
        "lte-like",
        "names of `nuwa links`, rates such as 24mbit, files; 24mbit:queue=100:delay=40 differs from the options below",
    )
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=whole_within(1, MOST_SEEDS, "seeds"),
        default=3,
        help="how often each is played, from another place in the trace each time (%(default)s)",
    )
    parser.add_argument(
        "--film",
        metavar="FOLDER",
        type=existing_folder,
        action="append",
        help="a packaged film (the longest demo film); give it several times for several films",
    )
    option(
        "--flows",
        "FLOWS",
        "1",
        "players on the link, or a list: self,cubic@10-40 is a player and a download beside it from 10 to 40 s",
    )
    option(
        "--seeks",
        "LIST",
        None,
        "such as 20:80,50:10: 20 s after the first frame each viewer goes to 80 s of the film, 50 s after it to 10 s",
    )
    option(
        "--on",
        "LIST",
        "simulation",
        "where: simulation, browser (a real one, over the relay), browser-mahimahi (under mahimahi); one at a time",
    )
    option("--delay", "MS", f"{DELAY_MS}", "of the link, each way")
    option("--queue", "PACKETS", f"{DEEP_QUEUE_PACKETS}", "of the link")
    option("--discipline", "NAME", "droptail", "of the link's queue")
    option("--loss", "RATIO", "0", "of the link, behind the queue")
    parser.add_argument(
        "--rows",
        type=file_to_write(".parquet", ".csv"),
        metavar="FILE",
        help="write a row a film there, too: .parquet, .csv",
    )
    option("--output", "DIR", None, "(.build/e2e/films/NAME; the same arguments find it again and go on)")
    parser.add_argument("--jobs", type=count, default=usable_cores(), help="side by side (one a core: %(default)s)")
    return parser
