"""`nuwa bench rule-search`: the constants of NuwaRule, searched on training links."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, whole_within

DESCRIPTION = (
    "Plays thousands of quick films over training links (a buffer, the rule as it is, the link's rate; no congestion "
    "control) and moves the rule's constants uphill. Prints each find, and then the constants beside those that are "
    "chosen, and RobustMPC and BBA, over links and places of another seed."
)


def main(arguments: Sequence[str], *, prog: str = "nuwa bench rule-search") -> int:
    """0 with constants; 1 where the search broke off; 2 for links that are not there."""
    options = make_parser(prog).parse_args(arguments)
    import msgspec  # noqa: PLC0415 - help

    from cc.command_line.clone import ROOT  # noqa: PLC0415
    from cc.links.catalogue import UnknownLinkError  # noqa: PLC0415
    from e2e.laboratory.rule_search.links import training_links  # noqa: PLC0415

    try:
        links, other_links = training_links(seed=options.seed), training_links(seed=options.seed + 1)
    except UnknownLinkError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    request = {
        "links": links,
        "otherLinks": other_links,
        "rounds": options.rounds,
        "starts": options.starts,
        "seed": options.seed,
    }
    program = str(ROOT / "e2e" / "rule-search" / "main.ts")
    ran = subprocess.run(
        ["node", "--import", "tsx", program], cwd=ROOT, input=msgspec.json.encode(request), check=False
    )
    return 0 if ran.returncode == 0 else 1


def make_parser(prog: str) -> argparse.ArgumentParser:
    """With its defaults: about ten minutes."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument(
        "--rounds",
        type=whole_within(0, 10_000, "rounds"),
        default=150,
        help="of the search; 0 compares alone (%(default)s)",
    )
    parser.add_argument(
        "--starts", type=whole_within(1, 100, "starts"), default=2, help="in each link's trace (%(default)s)"
    )
    parser.add_argument("--seed", type=whole_within(1, 1000, "seeds"), default=1, help="(%(default)s)")
    return parser
