"""The command that a reader types for figures."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

ELSEWHERE = ("--output", "--figures")
"""Where files go: no figure is another one by them."""


def bench_command(*words: str) -> str:
    """`npm run bench -- ...`, without the options that say nothing of the figures."""
    return f"npm run bench -- {shlex.join(_told(words))}"


def _told(words: Sequence[str]) -> Iterator[str]:
    is_value = False
    for word in words:
        if is_value:
            is_value = False
        elif word in ELSEWHERE:
            is_value = True
        elif not word.startswith(tuple(f"{option}=" for option in ELSEWHERE)):
            yield word
