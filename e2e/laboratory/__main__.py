"""The laboratory: schemes, policies and players measured against each other.

Imports the standard library alone until it is known what is asked for.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path

from cc.command_line.arguments import EXIT_USAGE
from cc.command_line.command_table import run_module
from cc.command_line.nearest import did_you_mean
from e2e.laboratory.benchmarks import Benchmark, benchmarks
from e2e.laboratory.interruption import ended, interrupt_on_signals
from e2e.laboratory.typescript import NODE

ROOT = Path(__file__).parents[2]
PROGRAM = "python -m e2e.laboratory"
BROWSER = (*NODE, "e2e/browser/bench.ts")
PAGES = "pages"
HELP = {"-h", "--help"}
WIDTH = 16
"""Of names in the help."""
DESCRIPTION = "Runs benchmarks: arms side by side, several times; figures, and whether they reach what they are to."


def main(given: Sequence[str], *, prog: str = PROGRAM) -> int:
    """The command's exit status."""
    if not given or given[0] in HELP:
        sys.stdout.write(_overview(prog))
        return 0 if given else EXIT_USAGE
    if given[0].startswith("--"):
        return _call("runs.command", given, prog=prog)
    if given[0] == PAGES:
        return _call("figures.command", given[1:], prog=f"{prog} {PAGES}")
    try:
        return _run_benchmarks(given, prog)
    except BenchmarkError as error:
        sys.stderr.write(f"{prog}: {error}; see {prog} --help\n")
        return EXIT_USAGE


def _run_benchmarks(given: Sequence[str], prog: str) -> int:
    """Raises BenchmarkError."""
    (first, *_) = _named(given[0])
    if first.suite is not None:
        return _run_suite(first, first.suite, given[1:], prog=f"{prog} {first.name}")
    if first.program is not None:
        return _run_program(first.name, given)
    names = list(takewhile(lambda word: not word.startswith("-"), given))
    chosen = [benchmark for name in names for benchmark in _named(name)]
    suites = [each.name for each in chosen if each.suite is not None]
    if suites:
        raise BenchmarkError(f"{suites[0]} has a command line of its own: run it by itself")
    programs = [each.name for each in chosen if each.program is not None]
    if programs:
        raise BenchmarkError(f"{programs[0]} takes a browser: run it by itself")
    return _run_studies(names, chosen, given[len(names) :], prog=f"{prog} {' '.join(names)}")


def _run_program(name: str, given: Sequence[str]) -> int:
    """The words after its name are its own: bench.ts knows them."""
    if not (ROOT / BROWSER[-1]).is_file():
        raise BenchmarkError(f"{name} takes a browser, and a clone of nuwa-stream: run it there")
    interrupt_on_signals()
    with subprocess.Popen([*BROWSER, *given], cwd=ROOT) as program:
        return ended(program)


def _run_suite(suite: Benchmark, module: str, options: Sequence[str], *, prog: str) -> int:
    """Where the package is installed those run whose sources came with it. Raises BenchmarkError."""
    if not all((ROOT / folder).is_dir() for folder in suite.rests_on):
        raise BenchmarkError(f"{suite.name} takes a clone of nuwa-stream: run it there")
    status: int = import_module(module).main(options, prog=prog)
    return status


def _run_studies(names: Sequence[str], chosen: Sequence[Benchmark], options: Sequence[str], *, prog: str) -> int:
    if HELP.intersection(options):
        import_module("e2e.laboratory.studies.options").make_parser(prog, chosen).print_help()
        return 0
    return _call("studies.command", names, chosen, options, prog=prog)


def _call(command: str, *arguments: object, **options: object) -> int:
    """Imported when it is asked for."""
    status: int = import_module(f"e2e.laboratory.{command}").main(*arguments, **options)
    return status


class BenchmarkError(Exception):
    """Benchmarks that cannot be run; the message is a sentence."""


def _named(name: str) -> list[Benchmark]:
    """One, or those of a group. Raises BenchmarkError."""
    found = [each for each in benchmarks() if name in (each.name, each.group)]
    if found:
        return found
    known = [*dict.fromkeys(known for each in benchmarks() for known in (each.name, each.group) if known), PAGES]
    meant = did_you_mean(name, known)
    raise BenchmarkError(f"{name!r} is no benchmark" + ("" if meant is None else f"; {meant}"))


def _overview(prog: str) -> str:
    known = benchmarks()
    groups = {each.group: [one.name for one in known if one.group == each.group] for each in known if each.group}
    lines = [
        *(f"  {each.name:{WIDTH}} {each.summary} ({_times(each)})" for each in known),
        *(f"  {name:{WIDTH}} {', '.join(own)}: on one page" for name, own in groups.items()),
        f"  {PAGES:{WIDTH}} keep what benchmarks measured, and write it into the pages",
    ]
    matrix = import_module("e2e.laboratory.matrix.options").make_parser(prog).format_help()
    listed = "\n".join(lines)
    return f"usage: {prog} NAME... [--repeats N] [--preset NAME] [--help]\n\n{DESCRIPTION}\n\n{listed}\n\n{matrix}"


def _times(each: Benchmark) -> str:
    """How often its arms are run, where that is told by --repeats."""
    return "options of its own" if each.suite is not None else f"{each.repeats} times"


if __name__ == "__main__":
    sys.exit(run_module("e2e.laboratory.__main__", sys.argv[1:], prog=PROGRAM))
