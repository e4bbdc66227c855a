"""A whisker tree: what to do with the window, by what the last ACKs were like (Remy, sections 4.2 and 4.3).

A tree is a whisker, or a split with a tree on each side of a point in each of the three signals. Its file is JSON: a
whisker is `{"multiple": m, "increment": b, "intersend_ms": r}`, a split `{"at": [x, y, z], "children": [eight trees]}`;
bit i of a child's index says that signal i is at least the point's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Signals = tuple[float, float, float]
"""Gap between ACKs and between the sending times that they report, both in ms and smoothed; RTT over the smallest."""

SIGNALS = 3
CHILDREN = 2**SIGNALS


class WhiskerError(ValueError):
    """A tree that cannot be used; the message says where it is wrong."""


@dataclass(frozen=True)
class Whisker:
    """The window becomes `multiple` times itself and `increment` packets, with each packet acknowledged."""

    multiple: float
    increment: float
    intersend_ms: float
    """The least time between two packets."""


@dataclass(frozen=True)
class Split:
    """Eight trees around a point."""

    at: Signals
    children: tuple[Split | Whisker, ...]


Tree = Split | Whisker


def whisker_for(tree: Tree, signals: Signals) -> Whisker:
    """The one whose region the signals lie in."""
    while isinstance(tree, Split):
        tree = tree.children[side_of(tree.at, signals)]
    return tree


def side_of(at: Signals, signals: Signals) -> int:
    """The index of the child."""
    return (signals[0] >= at[0]) + 2 * (signals[1] >= at[1]) + 4 * (signals[2] >= at[2])


def read_tree(text: Mapping[str, Any]) -> Tree:
    """The tree of a file's JSON. Raises WhiskerError."""
    if "children" not in text:
        try:
            whisker = Whisker(float(text["multiple"]), float(text["increment"]), float(text["intersend_ms"]))
        except (KeyError, TypeError, ValueError) as error:
            raise WhiskerError(f"whisker {dict(text)} needs the numbers multiple, increment, intersend_ms") from error
        if not (0 <= whisker.multiple <= 2 and abs(whisker.increment) <= 256 and 0 < whisker.intersend_ms <= 1000):
            raise WhiskerError(
                f"{whisker} is out of range: multiple 0 to 2, increment -256 to 256, intersend to 1000 ms"
            )
        return whisker
    at, children = text.get("at", ()), text["children"]
    if len(at) != SIGNALS or len(children) != CHILDREN:
        raise WhiskerError(
            f"a split at {at} with {len(children)} children needs {SIGNALS} numbers and {CHILDREN} trees"
        )
    return Split((float(at[0]), float(at[1]), float(at[2])), tuple(read_tree(child) for child in children))


def tree_json(tree: Tree) -> dict[str, Any]:
    """The tree as a file has it."""
    if isinstance(tree, Whisker):
        return {"multiple": tree.multiple, "increment": tree.increment, "intersend_ms": tree.intersend_ms}
    return {"at": list(tree.at), "children": [tree_json(child) for child in tree.children]}
