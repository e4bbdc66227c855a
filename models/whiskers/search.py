"""Remy's search (section 4.3): improve the whisker that is used most, until none gets better; then split it.

Deviations, all for a budget of minutes in place of Remy's CPU-weeks:

- Alternatives move one of a whisker's three numbers at a time, by three steps to either side; Remy tries all
  combinations.
- All alternatives are played over a part of the scenarios, and the best of them over all.
- A generation ends, and the most used whisker is split, when each used whisker was improved once; Remy takes four
  rounds. Scenarios stay the same; Remy draws new ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from cc.sender.tao.whiskers import CHILDREN, Signals, Split, Tree, Whisker, side_of
from models.scenarios.scenario import Scenario
from models.whiskers.objective import Played, play

FIRST = Whisker(multiple=1.0, increment=1.0, intersend_ms=0.25)
STEPS = {"multiple": (0.01, 0.05, 0.25), "increment": (0.25, 1.0, 4.0), "intersend_ms": (0.05, 0.25, 1.0)}
RANGES = {"multiple": (0.0, 1.2), "increment": (-16.0, 32.0), "intersend_ms": (0.05, 10.0)}
KEPT = 3
"""Alternatives that are played over all scenarios."""
SCREENED = 4
"""One scenario in so many is played with every alternative."""
LEAST_GAIN = 1e-3
LEAST_USES = 0.01
"""A whisker that is asked less often than this share is left as it is."""

Path = tuple[int, ...]
"""Indices of children, from the root."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best tree, and what it took."""

    tree: Tree
    objective: float
    trees_played: int
    generations: int


class Search:
    """One search; `is_over` is asked before each tree is played."""

    def __init__(
        self,
        scenarios: Sequence[Scenario],
        is_over: Callable[[], bool],
        report: Callable[[str], None],
        *,
        play_tree: Callable[[Tree, Sequence[Scenario]], Played] = play,
    ) -> None:
        self._scenarios = scenarios
        self._screen = scenarios[::SCREENED]
        self._is_over = is_over
        self._report = report
        self._play = play_tree
        self._trees_played = 0

    def run(self, tree: Tree = FIRST) -> Found:
        """Until it is over."""
        best = self._played(tree)
        generation = 0
        while not self._is_over():
            generation += 1
            improved: set[Path] = set()
            while not self._is_over():
                path = next((each for each in most_used(tree, best.asked) if each not in improved), None)
                if path is None:
                    break
                tree, best = self._improve(tree, path, best)
                improved.add(path)
                self._report(f"generation {generation}, {leaves(tree)} whiskers: {best.objective:.4f}")
            if not self._is_over():
                tree = split_most_used(tree, best.asked)
        return Found(tree, best.objective, self._trees_played, generation)

    def _improve(self, tree: Tree, path: Path, best: Played) -> tuple[Tree, Played]:
        while not self._is_over():
            candidates = [with_whisker(tree, path, each) for each in alternatives(whisker_at(tree, path))]
            if len(self._screen) < len(self._scenarios):
                screened = [(self._played(each, self._screen).objective, each) for each in self._while_time(candidates)]
                screened.sort(key=lambda pair: pair[0], reverse=True)
                candidates = [each for _, each in screened[:KEPT]]
            played = [(self._played(each), each) for each in self._while_time(candidates)]
            found, candidate = max(played, key=lambda pair: pair[0].objective, default=(best, tree))
            if found.objective <= best.objective + LEAST_GAIN:
                break
            tree, best = candidate, found
        return tree, best

    def _while_time(self, trees: Sequence[Tree]) -> Iterator[Tree]:
        for tree in trees:
            if self._is_over():
                return
            yield tree

    def _played(self, tree: Tree, scenarios: Sequence[Scenario] | None = None) -> Played:
        self._trees_played += 1
        return self._play(tree, self._scenarios if scenarios is None else scenarios)


def alternatives(whisker: Whisker) -> Iterator[Whisker]:
    """Those around one, within the ranges."""
    for name, steps in STEPS.items():
        low, high = RANGES[name]
        value = getattr(whisker, name)
        for step in (*(-step for step in reversed(steps)), *steps):
            moved = round(min(max(value + step, low), high), 4)
            if moved != value:
                yield replace(whisker, **{name: moved})


def most_used(tree: Tree, asked: Sequence[Signals]) -> list[Path]:
    """The whiskers that are asked often enough, most used first."""
    uses = Counter(path_of(tree, signals) for signals in asked)
    return [path for path, count in uses.most_common() if count >= LEAST_USES * len(asked)]


def split_most_used(tree: Tree, asked: Sequence[Signals]) -> Tree:
    """At the medians of what it is asked; the tree itself where that separates nothing."""
    path = most_used(tree, asked)[0]
    here = [signals for signals in asked if path_of(tree, signals) == path]
    at = tuple(round(median(values), 4) for values in zip(*here, strict=True))
    whisker = whisker_at(tree, path)
    split = Split((at[0], at[1], at[2]), (whisker,) * CHILDREN)
    sides = {side_of(split.at, signals) for signals in here}
    return tree if len(sides) < 2 else with_whisker(tree, path, split)


def path_of(tree: Tree, signals: Signals) -> Path:
    """Where the signals lead."""
    path: list[int] = []
    while isinstance(tree, Split):
        path.append(side_of(tree.at, signals))
        tree = tree.children[path[-1]]
    return tuple(path)


def whisker_at(tree: Tree, path: Path) -> Whisker:
    """The one at the end of the path."""
    for index in path:
        assert isinstance(tree, Split)
        tree = tree.children[index]
    assert isinstance(tree, Whisker)
    return tree


def with_whisker(tree: Tree, path: Path, end: Tree) -> Tree:
    """The same tree with something else at the end of the path."""
    if not path:
        return end
    assert isinstance(tree, Split)
    children = list(tree.children)
    children[path[0]] = with_whisker(children[path[0]], path[1:], end)
    return Split(tree.at, tuple(children))


def leaves(tree: Tree) -> int:
    """How many whiskers it has."""
    return 1 if isinstance(tree, Whisker) else sum(leaves(child) for child in tree.children)
