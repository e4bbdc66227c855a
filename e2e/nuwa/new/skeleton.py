"""What `new` writes: files that are not there yet, and lines in files that are. All of it, or nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from pathlib import Path
from string import Template

from e2e.nuwa.new.identifiers import identifiers

NAMES = "player/src/options/names.ts"
"""The names of registries, for those who write pages in TypeScript."""
TEMPLATES = Path(__file__).parent / "templates"
DECLARED = ("class_name", "constant", "camel")
"""Spellings under which templates declare something."""
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST_NAME = 24  # so that no line that holds it becomes too long
RESERVED_IN_TYPESCRIPT = frozenset(
    re.findall(
        r"\w+",
        "arguments case catch const default delete do enum eval export extends function implements interface let new "
        "null package private protected public static super switch this throw typeof undefined var void",
    )
)


class NewError(ValueError):
    """What cannot be written; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name in all its spellings. Raises NewError for what is none."""

    name: str
    """As on command lines: `my-scheme`."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name) or len(self.name) > LONGEST_NAME or self._is_reserved:
            raise NewError(
                f"{self.name!r} is no name: take lower-case letters, digits and single hyphens between them, a letter "
                f"first, at most {LONGEST_NAME} characters, and no word of Python or TypeScript"
            )

    @property
    def spellings(self) -> dict[str, str]:
        """What templates may ask for."""
        parts = self.name.split("-")
        class_name = "".join(part.capitalize() for part in parts)
        words = " ".join(parts)
        return {
            "name": self.name,
            "module": self.module,
            "class_name": class_name,
            "constant": self.module.upper(),
            "camel": parts[0] + "".join(part.capitalize() for part in parts[1:]),
            "words": words,
            "title": words[0].upper() + words[1:],
        }

    @property
    def module(self) -> str:
        """`my_scheme`."""
        return self.name.replace("-", "_")

    @property
    def _is_reserved(self) -> bool:
        spelled = (self.module, self.spellings["class_name"], self.spellings["camel"])
        return any(iskeyword(each) or each in RESERVED_IN_TYPESCRIPT for each in spelled)


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Paths are below the clone."""

    files: Mapping[str, str]
    """New ones, with their text."""
    edits: Mapping[str, str]
    """Those that get a line more, with the whole of their new text."""
    advice: str
    """What to do next, for whoever typed the command."""
    taken: str | None = field(default=None)
    """Why the name cannot be had, if it cannot."""


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template's text. Raises NewError where a name that it gets is one that it uses for something else."""
    text = Template((TEMPLATES / f"{template}.template").read_text(encoding="utf-8"))
    others = text.substitute({**values, **dict.fromkeys(DECLARED, "filled_in")})
    for spelling in DECLARED:
        if spelling in text.get_identifiers():
            check_free(values[spelling], others, template)
    return text.substitute(values)


def check_free(name: str, text: str, file: str) -> None:
    """Raises NewError where this source, in the language that its name ends with, uses the name already."""
    if name in identifiers(text, file.rpartition(".")[2]):
        raise NewError(f"{name} means something else in {file}: choose another name")


def with_line_after_last(text: str, pattern: str, line: str) -> str:
    """The text with a line behind the last one that matches. Raises NewError where none does."""
    lines = text.splitlines(keepends=True)
    places = [place for place, each in enumerate(lines) if re.search(pattern, each)]
    if not places:
        raise NewError(f"a line like {pattern} was looked for to put {line.strip()!r} behind it, and there is none")
    lines.insert(places[-1] + 1, line + "\n")
    return "".join(lines)


def with_sorted_line(text: str, pattern: str, line: str) -> str:
    """The text with a line among those that match, which stand together, in their order. Raises NewError."""
    lines = text.splitlines(keepends=True)
    places = [place for place, each in enumerate(lines) if re.search(pattern, each)]
    if not places:
        raise NewError(f"lines like {pattern} were looked for to put {line.strip()!r} among them, and there are none")
    block = [*(lines[place] for place in places), line + "\n"]
    lines[places[0] : places[-1] + 1] = sorted(block, key=_module)
    return "".join(lines)


def _module(line: str) -> str:
    """What an import's line names, without an ending, as Biome and ruff sort by: `dead` before `dead-policy`."""
    found = re.search(r'from\s+"?([^" ]+)', line)
    assert found is not None, line
    return found[1].removesuffix(".ts")


def with_last_row(text: str, cells: Sequence[str]) -> str:
    """The text with a row more at the end of its one table, as `markdownTable` of e2e/browser writes it."""
    before, _, table = text.partition("\n| ")
    header, _, *rows = (_cells(line) for line in f"| {table}".splitlines())
    rows.append(list(cells))
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * max(3, width) for width in widths]
    lines = (
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (header, rule, *rows)
    )
    return f"{before}\n" + "".join(f"| {line} |\n" for line in lines)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("|").split(" | ")]


def with_name_in_union(text: str, union: str, name: str) -> str:
    """names.ts of the player's library with the name among the union's, as its test writes it. Raises NewError."""
    head, begin, tail = text.partition(f"export type {union} =\n")
    names, end, rest = tail.partition(";\n")
    if not begin or not end:
        raise NewError(f"the union {union} was looked for to put {name!r} into it, and there is none")
    lines = sorted([*names.splitlines(keepends=True), f'  | "{name}"\n'])
    return f"{head}{begin}{''.join(lines)}{end}{rest}"


def write(skeleton: Skeleton, root: Path) -> list[str]:
    """The paths that were written. Raises NewError, before anything is, where a file exists or the name is taken."""
    if skeleton.taken is not None:
        raise NewError(skeleton.taken)
    for path in skeleton.files:
        if (root / path).exists():
            raise NewError(f"{path} exists already: choose another name")
    written = {**skeleton.files, **skeleton.edits}
    parts = {path: (root / path).with_name(f".{Path(path).name}.{os.getpid()}.part") for path in written}
    try:
        for path, text in written.items():
            parts[path].write_text(text, encoding="utf-8", newline="\n")
        for path, part in parts.items():
            part.replace(root / path)
    except OSError as error:
        raise NewError(f"{error.filename}: cannot be written: {error.strerror}") from error
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return list(written)


def read(root: Path, path: str) -> str:
    """A file of the clone."""
    return (root / path).read_text(encoding="utf-8")
