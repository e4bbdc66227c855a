"""Learning curves: what TensorBoard's logs of several seeds say of the reward over steps, as rows and as a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import vl_convert
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

REWARD = "episode/reward_per_decision"
BINS = 40
FINAL_SHARE = 0.2  # of a training; what is learned is the mean over its end
REACHED_SHARE = 0.9  # of the way from the first to the last, for the steps that it took

Points = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Curve:
    """Rewards of one variant over steps; the seeds' bins are the same."""

    steps: tuple[float, ...]
    """The bins' ends; those that no seed has anything of are left out."""
    mean: tuple[float, ...]
    low: tuple[float, ...]
    """Of the seeds."""
    high: tuple[float, ...]
    final: tuple[float, ...]
    """Of each seed, the mean over the last `FINAL_SHARE`."""

    @property
    def final_mean(self) -> float:
        """Over the seeds."""
        return fmean(self.final)

    @property
    def final_spread(self) -> float | None:
        """Standard deviation over the seeds; None of one."""
        return stdev(self.final) if len(self.final) > 1 else None

    @property
    def reached_steps(self) -> float | None:
        """When most of what was gained had been; None if nothing was."""
        gain = self.final_mean - self.mean[0]
        if gain <= 0:
            return None
        enough = self.mean[0] + REACHED_SHARE * gain
        return next((step for step, mean in zip(self.steps, self.mean, strict=True) if mean >= enough), None)


def read_points(folder: Path) -> list[tuple[int, float]]:
    """(steps, mean reward of a decision) as logged below the folder, resumptions included."""
    found: dict[int, float] = {}
    for log_folder in sorted({file.parent for file in folder.rglob("events.out.tfevents.*")}):
        events = EventAccumulator(str(log_folder), size_guidance={"scalars": 0}).Reload()
        if REWARD in events.Tags()["scalars"]:
            found.update((event.step, event.value) for event in events.Scalars(REWARD))
    return sorted(found.items())


def curve(seeds: Sequence[Points], steps: int) -> Curve | None:
    """One variant's; None while no seed has logged anything."""
    logged = [points for points in seeds if points]
    if not logged:
        return None
    width = steps / BINS
    binned = [_means(points, width) for points in logged]
    rows = [(index, [bins[index] for bins in binned if index in bins]) for index in range(BINS)]
    rows = [(index, values) for index, values in rows if values]
    return Curve(
        steps=tuple((index + 1) * width for index, _ in rows),
        mean=tuple(fmean(values) for _, values in rows),
        low=tuple(min(values) for _, values in rows),
        high=tuple(max(values) for _, values in rows),
        final=tuple(_final(points, steps) for points in logged),
    )


def _means(points: Points, width: float) -> dict[int, float]:
    values: dict[int, list[float]] = {}
    for step, value in points:
        values.setdefault(min(BINS - 1, int((step - 1) / width)), []).append(value)
    return {index: fmean(of_bin) for index, of_bin in values.items()}


def _final(points: Points, steps: int) -> float:
    last = [value for step, value in points if step > (1 - FINAL_SHARE) * steps]
    return fmean(last) if last else points[-1][1]


def chart(rows: Sequence[dict[str, Any]], *, title: str, has_panels: bool) -> dict[str, Any]:
    """A Vega-Lite specification of rows with `steps`, `reward`, `low`, `high`, `line` and, for panels, `panel`."""
    x = {"field": "steps", "type": "quantitative", "title": "decisions"}
    colour = {"field": "line", "type": "nominal", "title": None, "scale": {"scheme": "tableau10"}}
    reward = {"type": "quantitative", "title": "reward of a decision", "scale": {"zero": False}}
    view = {
        "width": 340,
        "height": 220,
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.15},
                "encoding": {"x": x, "y": {"field": "low", **reward}, "y2": {"field": "high"}, "color": colour},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"x": x, "y": {"field": "reward", **reward}, "color": colour},
            },
        ],
    }
    body = {"facet": {"field": "panel", "type": "nominal", "title": None}, "columns": 2, "spec": view}
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "title": title,
        "background": "white",
        "data": {"values": list(rows)},
        **(body if has_panels else view),
    }


def draw(specification: dict[str, Any], folder: Path, name: str) -> Path:
    """The picture as `NAME.svg`, beside the specification `NAME.vl.json`."""
    (folder / f"{name}.vl.json").write_text(json.dumps(specification), encoding="utf-8")
    picture = folder / f"{name}.svg"
    picture.write_text(vl_convert.vegalite_to_svg(specification), encoding="utf-8")
    return picture
