"""What several seeds came to, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.evaluation.student import mean_interval
from models.recipes.recipe import Recipe
from models.training.seeds import Trained


def seeds_table(chosen: Recipe, found: Mapping[int, Trained]) -> str:
    """A row a seed, on the validation scenarios; below them the means with Student's t interval over the seeds."""
    known = {seed: each.comparison for seed, each in found.items() if each.comparison is not None}
    if not known:
        return f"{chosen.name}: no seed was trained"
    first = next(iter(known.values()))
    header = ("seed", "reward", f"reward above {first['rival']}'s", "utilisation", "latency, ms")
    rows = [(str(seed), *(f"{value:.4f}" for value in _values(comparison))) for seed, comparison in known.items()]
    columns = list(zip(*map(_values, known.values()), strict=True))
    means = tuple(_mean(column) for column in columns)
    table = [header, *rows, ("mean", *means)]
    widths = [max(len(row[at]) for row in table) for at in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    scenarios = f"{chosen.name}, validation: {first['scenarios']} scenarios, 95 % intervals over {len(known)} seeds"
    return "\n".join((scenarios, *lines))


def _values(comparison: Mapping[str, Any]) -> tuple[float, float, float, float]:
    reward = comparison["reward"]
    utilisation, latency_s = comparison["utilisation"]["policy"], comparison["latency_s"]["policy"]
    return reward["policy"], reward["difference"]["mean"], utilisation, 1000 * latency_s


def _mean(values: tuple[float, ...]) -> str:
    interval = mean_interval(values)
    assert interval is not None
    if len(values) == 1:
        return f"{interval.value:.4f}"
    return f"{interval.value:.4f} ({interval.low:.4f} to {interval.high:.4f})"
