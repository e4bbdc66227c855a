"""`new KIND NAME`: the skeleton of something that the house takes by a file and a line; its test where it needs one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser
from cc.command_line.clone import ROOT, is_clone
from e2e.nuwa.new.attack_kind import attack_skeleton
from e2e.nuwa.new.cc_kinds import scheme_skeleton, trace_skeleton
from e2e.nuwa.new.receiver_kind import receiver_skeleton
from e2e.nuwa.new.recipe_kind import recipe_skeleton
from e2e.nuwa.new.skeleton import Name, NewError, Skeleton, write
from e2e.nuwa.new.study_kind import study_skeleton
from e2e.nuwa.new.typescript_kinds import fault_skeleton, rule_skeleton

KINDS: Mapping[str, tuple[Callable[[Name, Path, str | None], Skeleton], str]] = {
    "scheme": (scheme_skeleton, "a sender's congestion control (cc/sender)"),
    "receiver-scheme": (receiver_skeleton, "a receiver's congestion control, in Python and TypeScript (cc/receiver)"),
    "rule": (rule_skeleton, "bitrate adaptation (player/src/rules)"),
    "fault": (fault_skeleton, "something that goes wrong while a film plays (e2e/browser/faults)"),
    "recipe": (recipe_skeleton, "a policy that is trained otherwise than another, --of (models/recipes)"),
    "attack": (attack_skeleton, "what a hostile client does to the servers (e2e/abuse/attacks)"),
    "trace": (trace_skeleton, "a family of links (cc/links/traces)"),
    "study": (study_skeleton, "a question with figures, asked of simulated flows (e2e/laboratory/studies)"),
}


def main(arguments: Sequence[str], *, prog: str = "nuwa new") -> int:
    """Write it, and say what; 2 for what cannot be, and then nothing is written."""
    parser = OneSentenceParser(
        prog=prog,
        description="Write the skeleton of something new and, where it needs one, its test. They pass as written.",
    )
    kinds = "; ".join(f"{kind}: {what}" for kind, (_, what) in KINDS.items())
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=kinds)
    parser.add_argument("name", metavar="NAME", help="lower case, digits, hyphens, as in my-scheme")
    parser.add_argument("--of", metavar="RECIPE", help="of a recipe: whose variant it is (default: bbr-fit)")
    options = parser.parse_args(arguments)
    try:
        if options.of is not None and options.kind != "recipe":
            raise NewError(f"--of is for recipes; a {options.kind} is of nothing")
        if not is_clone():
            raise NewError(f"new writes into a clone, and {ROOT} is none; in the clone: npm run nuwa -- new KIND NAME")
        skeleton = KINDS[options.kind][0](Name(options.name), ROOT, options.of)
        written = write(skeleton, ROOT)
    except NewError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    sys.stdout.write("".join(f"wrote {path}\n" for path in written))
    sys.stdout.write(f"next: {skeleton.advice}\n")
    return 0
