"""A policy's card as a page of Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cc.decision import Choices
from models.card import Card


def card_page(card: Card) -> str:
    """`NAME.md`; written from the card alone."""
    space, training = card.space, card.training
    actions = space.actions
    choices = (
        f"one of {', '.join(f'{value:g}' for value in actions.values)}"
        if isinstance(actions, Choices)
        else (f"a number from {actions.low:g} to {actions.high:g}")
    )
    lines = [
        f"# {card.name}",
        "",
        f"Policy of the scheme `{card.scheme}`. Source: {card.source}.",
        "",
        f"A decision at the end of {space.interval}; {space.history} intervals are seen at a time, oldest first. "
        f"Action: {choices} ({actions.meaning}).",
        "",
        "| feature | unit | from | to | what it is |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {feature.name} | {feature.unit} | {feature.low:g} | {feature.high:g} | {feature.meaning} |"
            for feature in space.features
        ),
        "",
        f"Reward: {training.reward}.",
        "",
        f"Made by `{training.command}` at commit {training.commit} ({training.algorithm}, {training.steps} decisions, "
        f"seed {training.seed}); opset {card.opset}, SHA-256 `{card.sha256}`.",
        "",
        *(line for note in card.notes for line in (note, "")),
    ]
    results = card.results
    if results:
        lines += ["## Results", "", *_tables(results)]
    return "\n".join(lines).rstrip()


def _tables(results: Mapping[str, Any]) -> list[str]:
    lines: list[str] = [_verdict(results["test"]), ""]
    titles = {"test": "Test scenarios", "paper_setting": "The paper's setting", "validation": "Validation scenarios"}
    for key, title in titles.items():
        comparison = results.get(key)
        if comparison:
            lines += [f"{title}, policy / {comparison['rival']}:", "", *_table(comparison), ""]
    seeds = ", ".join(f"{reward:.4f} (seed {seed})" for seed, reward in results["test_reward_of_seeds"].items())
    spread = results["test_reward_spread"]
    lines.append(
        f"Reward of the trained seeds on the test scenarios: {seeds}; mean {spread['mean']:.4f}, standard deviation "
        f"{spread['standard_deviation']:.4f}."
    )
    return lines


def _verdict(test: Mapping[str, Any]) -> str:
    difference, rival = test["reward"]["difference"], test["rival"]
    if difference["low"] > 0:
        return f"On the test scenarios its reward is above that of `{rival}`."
    if difference["high"] < 0:
        return f"On the test scenarios its reward is below that of `{rival}`."
    return f"On the test scenarios its reward cannot be told from that of `{rival}`: the interval contains 0."


def _table(comparison: Mapping[str, Any]) -> list[str]:
    rows = {"all": comparison, **comparison["families"]}
    return [
        "| links | n | reward | difference (95 %) | utilisation | latency, ms | loss, % |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(_row(name, row) for name, row in rows.items()),
    ]


def _row(name: str, row: Mapping[str, Any]) -> str:
    difference = row["reward"]["difference"]
    cells = [
        _pair(row["reward"], 1, ".4f"),
        f"{difference['mean']:+.4f} ({difference['low']:+.4f} to {difference['high']:+.4f})",
        _pair(row["utilisation"], 1, ".3f"),
        _pair(row["latency_s"], 1000, ".1f"),
        _pair(row["loss_ratio"], 100, ".2f"),
    ]
    return f"| {name} | {row['scenarios']} | {' | '.join(cells)} |"


def _pair(pair: Mapping[str, float], factor: float, form: str) -> str:
    return f"{pair['policy'] * factor:{form}} / {pair['rival'] * factor:{form}}"
