"""What a measurement was made by: the clone's sources and the machine's processor."""

from __future__ import annotations

import json
import platform
import subprocess
from pathlib import Path

from cc.command_line.clone import ROOT

NO_SOURCES: tuple[str, ...] = tuple(json.loads(Path(__file__).with_name("no-sources.json").read_text(encoding="utf-8")))
"""Pathspecs of git: pages, pictures, kept figures and tests make no figure."""


def commit(root: Path = ROOT) -> str:
    """That is checked out, or `unknown`."""
    return _git(root, "rev-parse", "HEAD") or "unknown"


def has_local_changes(root: Path = ROOT) -> bool:
    """Whether sources differ from the commit."""
    return bool(_git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", *NO_SOURCES))


def shortened(commit: str, *, has_local_changes: bool) -> str:
    """As the line below a figure has it."""
    return f"{commit[:7]} with local changes" if has_local_changes else commit[:7]


def processor() -> str:
    """As Linux calls it, or Python."""
    file = Path("/proc/cpuinfo")
    if file.is_file():
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _git(root: Path, *arguments: str) -> str:
    """What git says of the clone; nothing where there is no clone, or no git.

    An installed copy may lie within a repository of its user's, whose commit says nothing of these sources.
    """
    if not (root / ".git").exists():
        return ""
    try:
        said = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return said.stdout.strip()
