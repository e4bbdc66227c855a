"""Skeleton of a study: a benchmark of the laboratory that takes no browser."""

from __future__ import annotations

from pathlib import Path

from e2e.laboratory.__main__ import PAGES
from e2e.laboratory.benchmarks import benchmarks
from e2e.nuwa.new.skeleton import Name, NewError, Skeleton, filled, read

BENCHMARKS = "e2e/laboratory/benchmarks.json"
LAST = "\n  }\n]\n"
"""How the list of benchmarks ends."""
ENTRY = """\
  {{
    "name": "{name}",
    "study": "{module}",
    "repeats": 3,
    "summary": "{words}: the queue of one scheme beside another's",
    "rests_on": ["cc", "models"]
  }}
]
"""


def study_skeleton(name: Name, root: Path, _of: str | None) -> Skeleton:
    """A study: its file, and its entry in the list of benchmarks."""
    listed = read(root, BENCHMARKS)
    if not listed.endswith(LAST):
        raise NewError(f"{BENCHMARKS} does not end in an entry, behind which {name.name!r} would be put")
    known = {PAGES, *(word for each in benchmarks() for word in (each.name, each.group))}
    return Skeleton(
        files={f"e2e/laboratory/studies/{name.module}.py": filled("study.py", name.spellings)},
        edits={BENCHMARKS: listed.removesuffix("\n]\n") + ",\n" + ENTRY.format_map(name.spellings)},
        advice=f"npm run bench -- {name.name}",
        taken=f"a benchmark is called {name.name} already: choose another name" if name.name in known else None,
    )
