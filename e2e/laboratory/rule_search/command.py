"""`nuwa bench rule-search`: the constants of NuwaRule, searched on training links."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser, count, existing_folder, whole_within
from cc.command_line.cores import usable_cores

if TYPE_CHECKING:
    from e2e.laboratory.rule_search.judge import FilmWorth

DESCRIPTION = (
    "Plays whole films by the page's own player over simulated flows on training links, and moves NuwaRule's constants "
    "uphill. Prints each generation, and then what was found beside what is chosen, RobustMPC and BBA, over generated "
    "links of another seed and over other places of the recorded ones."
)
COMPARED_SEED = 1_000_000
"""Far behind those of the search: other places of each trace."""


def main(arguments: Sequence[str], *, prog: str = "nuwa bench rule-search") -> int:
    """0 with constants; 1 where a film broke off; 2 for links or a film that are not there."""
    options = make_parser(prog).parse_args(arguments)
    from cc.links.catalogue import UnknownLinkError  # noqa: PLC0415 - help
    from e2e.laboratory.films.make import FilmFailure  # noqa: PLC0415
    from e2e.laboratory.matrix.values import OptionError  # noqa: PLC0415

    try:
        _search(options)
    except (UnknownLinkError, OptionError) as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    except FilmFailure as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return 1
    return 0


def _search(options: argparse.Namespace) -> None:
    from e2e.laboratory.films.expand import demo_film, playable_films  # noqa: PLC0415
    from e2e.laboratory.rule_search.judge import Candidate, Judge  # noqa: PLC0415
    from e2e.laboratory.rule_search.links import training_links  # noqa: PLC0415
    from e2e.laboratory.rule_search.search import search  # noqa: PLC0415

    folder = options.film or demo_film()
    known = playable_films([folder])
    rungs = [rung.bits_per_second for rung in known.films[0].rungs]
    links, other_links = training_links(seed=options.seed), training_links(seed=options.seed + 1)

    def tell(generation: int, films: FilmWorth, middle: Mapping[str, float]) -> None:
        _say(f"generation {generation}", films)
        sys.stdout.write(f"{json.dumps(middle)}\n")

    found: Mapping[str, float] = {}
    if options.generations > 0:
        judge = Judge(folder, rungs, links, options.jobs)
        found = search(judge, known.nuwa_constants, generations=options.generations, seed=options.seed, tell=tell)
    arms = {"NuwaRule": Candidate(), "RobustMPC": Candidate("robust-mpc"), "BBA": Candidate("bba")}
    if found:
        arms = {"found": Candidate(constants=found), **arms}
    seeds = range(COMPARED_SEED, COMPARED_SEED + options.starts)
    compared = Judge(folder, rungs, other_links, options.jobs).judge(list(arms.values()), seeds)
    sys.stdout.write("Over generated links of another seed, and other places of the recorded ones:\n")
    for name, films in zip(arms, compared, strict=True):
        _say(name, films)


def _say(name: str, films: FilmWorth) -> None:
    sys.stdout.write(
        f"{name:<14} worth {films.worth:.4f}  QoE_lin {films.qoe_per_segment:.3f}  "
        f"QoE_log {films.qoe_log_per_segment:.3f}  stalled {films.stalled_s:.2f} s\n"
    )
    sys.stdout.flush()


def make_parser(prog: str) -> argparse.ArgumentParser:
    """With its defaults: half an hour on two cores where cc is compiled."""
    parser = OneSentenceParser(prog=prog, description=DESCRIPTION, allow_abbrev=False)
    parser.add_argument(
        "--generations",
        type=whole_within(0, 1000, "generations"),
        default=12,
        help="of the search; 0 compares alone (%(default)s)",
    )
    parser.add_argument(
        "--starts",
        type=whole_within(1, 100, "starts"),
        default=2,
        help="of the comparison, in each link's trace (%(default)s)",
    )
    parser.add_argument("--seed", type=whole_within(1, 1000, "seeds"), default=1, help="(%(default)s)")
    parser.add_argument(
        "--film", metavar="FOLDER", type=existing_folder, help="a packaged film (the longest demo film)"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=count, default=usable_cores(), help="films side by side (the cores)"
    )
    return parser
