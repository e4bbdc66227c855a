"""Names that a source uses, in Python or TypeScript: neither those in comments nor those in strings."""

from __future__ import annotations

import builtins
import re
import tokenize
from collections.abc import Iterator
from io import StringIO

TYPESCRIPT_TEXT = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?P<template>(?:\\.|[^`\\])*)`""",
    re.DOTALL | re.VERBOSE,
)
"""A comment, a string or a template, whichever begins first."""


def identifiers(source: str, language: str) -> frozenset[str]:
    """Of a source in `py` or `ts`; in Python with what is there without an import."""
    if language == "ts":
        return frozenset(re.findall(r"[A-Za-z_]\w*", TYPESCRIPT_TEXT.sub(_code, source)))
    return frozenset(_python_names(source)) | frozenset(vars(builtins))


def _code(text: re.Match[str]) -> str:
    """What a template works out; a blank for anything else."""
    return " ".join(["", *re.findall(r"\$\{([^}]*)\}", text["template"] or ""), ""])


def _python_names(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield token.string
