"""`nuwa compile`: a build of cc for what simulates; `--check` holds its answers against those of Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cc.command_line.arguments import EXIT_USAGE, OneSentenceParser

EXIT_DIFFERENT = 1


def main(arguments: Sequence[str], *, prog: str = "nuwa compile") -> int:
    """0 where there is a build, and its answers are the same; 1 where they differ, 2 where it cannot be made."""
    parser = OneSentenceParser(
        prog=prog,
        description="Compile cc by mypyc, below .build/compiled. simulate, models, train and bench use the build as "
        "long as cc's sources are those that it was made from. Needs a C compiler, and some minutes.",
    )
    parser.add_argument("--check", action="store_true", help="run all schemes both ways, and compare every byte")
    options = parser.parse_args(arguments)
    from e2e.nuwa.compiled.build import BuildError, make_build  # noqa: PLC0415 - help needs Python alone

    try:
        folder = make_build()
    except BuildError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    sys.stdout.write(f"{folder}\n")
    if not options.check:
        return 0
    from e2e.nuwa.compiled.check import compare  # noqa: PLC0415

    comparison = compare(folder)
    sys.stdout.write(f"{comparison}\n")
    return EXIT_DIFFERENT if comparison.different else 0
