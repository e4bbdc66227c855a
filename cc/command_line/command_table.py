"""A program of several words, as in `nuwa serve`: each word is a module, imported when it is asked for.

So the list is printed without a package but Python itself, and each word answers for its own options alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from cc.command_line.arguments import EXIT_USAGE
from cc.command_line.nearest import did_you_mean
from cc.command_line.scheme_file_error import SchemeFileError

HELP = ("-h", "--help")


@dataclass(frozen=True, slots=True)
class Command:
    """One word."""

    word: str
    module: str
    """Has `main(arguments, *, prog)`, which returns the exit code; its import needs the standard library alone."""
    summary: str
    """Its line in the list, without a full stop."""


def run_command(table: Sequence[Command], arguments: Sequence[str], *, prog: str, description: str) -> int:
    """The exit code of the word that comes first; 2 and one sentence for none, or for one that is not known."""
    if not arguments:
        sys.stderr.write(f"{prog}: which command? {_known(table)}; see {prog} --help\n")
        return EXIT_USAGE
    word, *rest = arguments
    if word in HELP:
        sys.stdout.write(_overview(table, prog, description))
        return 0
    for command in table:
        if command.word == word:
            return run_module(command.module, rest, prog=f"{prog} {word}")
    advice = did_you_mean(word, (command.word for command in table)) or f"the commands are {_known(table)}"
    sys.stderr.write(f"{prog}: {word!r} is no command; {advice}\n")
    return EXIT_USAGE


def run_module(module: str, arguments: Sequence[str], *, prog: str) -> int:
    """The exit code of its `main`; 2 and one sentence where a scheme's file is at fault that it loads."""
    try:
        code: int = import_module(module).main(arguments, prog=prog)
    except SchemeFileError as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return EXIT_USAGE
    return code


def _known(table: Sequence[Command]) -> str:
    return ", ".join(command.word for command in table)


def _overview(table: Sequence[Command], prog: str, description: str) -> str:
    width = max(len(command.word) for command in table)
    lines = [f"  {command.word:{width}}  {command.summary}\n" for command in table]
    return f"usage: {prog} COMMAND ...\n\n{description}\n\n{''.join(lines)}\n{prog} COMMAND --help says more of one.\n"
