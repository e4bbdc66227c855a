"""`nuwa COMMAND`: one tool for all that the Python folders do. commands.json lists the commands.

`environment` says what must be installed to run one (not for its `--help`, which needs Python alone): none, base
(pyproject.toml's dependencies), or extras: laboratory, cluster, train, test. `environment_of_verb` has the exceptions
by the argument after the command. What `simulates` takes cc from the build of its sources, if there is one.
The list is JSON so that `npm run nuwa` reads it before Python is found.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE
from cc.command_line.command_table import HELP, Command, run_command
from e2e.nuwa.compiled.use import use_build

COMMANDS_FILE = Path(__file__).with_name("commands.json")
DESCRIPTION = "Video streaming in which the receiver controls congestion: servers, links, experiments, training."

EXIT_STOPPED = 1

OURS = ("cc", "transport", "models", "e2e")


def commands() -> tuple[Command, ...]:
    """In the order of the list."""
    entries = json.loads(COMMANDS_FILE.read_text(encoding="utf-8"))
    return tuple(Command(entry["word"], entry["module"], entry["summary"]) for entry in entries)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command's exit code; 2 where a package is missing that it needs, 1 where it was stopped."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        if _simulates(given):
            use_build(sys.stderr)
        return run_command(commands(), given, prog="nuwa", description=DESCRIPTION)
    except KeyboardInterrupt:
        sys.stderr.write(f"nuwa {given[0]}: stopped\n")
        return EXIT_STOPPED
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in OURS:
            raise
        sys.stderr.write(f"nuwa {given[0]}: the package {missing} is missing; in the clone: {_installation(given)}\n")
        return EXIT_USAGE


def _simulates(given: Sequence[str]) -> bool:
    """Whether it is faster where cc is compiled."""
    if not given or any(word in HELP for word in given):
        return False
    entries = json.loads(COMMANDS_FILE.read_text(encoding="utf-8"))
    return any(entry["word"] == given[0] and entry.get("simulates", False) for entry in entries)


def _installation(given: Sequence[str]) -> str:
    """What brings the packages of a command: no index has them."""
    entries = json.loads(COMMANDS_FILE.read_text(encoding="utf-8"))
    entry = next(entry for entry in entries if entry["word"] == given[0])
    verb = given[1] if len(given) > 1 else ""
    environment = entry.get("environment_of_verb", {}).get(verb, entry["environment"])
    return "pip install ." if environment in ("none", "base") else f"pip install '.[{environment}]'"
