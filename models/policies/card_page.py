"""A policy's card as a page of Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cc.core.decision import Choices
from models.groups import LEAST_RESAMPLED_GROUPS
from models.policies.card import Card, Training

LICENCE = "bsd-3-clause"
"""As model hubs write the one of this repository."""
TAGS = ("congestion-control", "reinforcement-learning", "quic", "video-streaming")
SEEDS_ARE_OLDER = "seeds_are_older"
"""Of results: what the trained seeds earned was measured before the rest."""
SPLITS = "models/scenarios/splits.json"
MISSING_TEST_TRACES = "missing_test_traces"
"""Of results: what was not installed when they were measured. Old cards do not say it, and lacked none."""


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
        *_front_matter(card),
        f"# {card.name}",
        "",
        f"Policy of the scheme `{card.scheme}`. Source: {card.source}.",
        "",
        f"- **Decides** at the end of {space.interval}.",
        f"- **Sees** {space.history} intervals at a time, oldest first.",
        f"- **Action:** {choices} ({actions.meaning}).",
        f"- **Reward:** {training.reward}.",
        f"- **Trained** by {training.algorithm}, {training.steps} decisions, seed {training.seed}.",
        *_practice(training.scenarios),
        f"- **Made by** `{training.command}` at commit {training.commit}.",
        f"- **Model:** opset {card.opset}, SHA-256 `{card.sha256}`.",
        *_resumptions(training),
        *_without(training.missing_traces, "Trained"),
        "",
        "| feature | unit | from | to | what it is |",
        "| --- | --- | --- | --- | --- |",
        *(
            f"| {feature.name} | {feature.unit} | {feature.low:g} | {feature.high:g} | {feature.meaning} |"
            for feature in space.features
        ),
        "",
        *(["## Choices", "", *(f"- {note}" for note in card.notes), ""] if card.notes else []),
    ]
    results = card.results
    if results:
        lines += ["## Results", "", *_tables(results)]
    return "\n".join(lines).rstrip()


def _front_matter(card: Card) -> list[str]:
    """What a model hub reads (huggingface.co/docs/hub/model-cards)."""
    tags = (f"- {tag}" for tag in (*TAGS, card.scheme))
    return [
        "---",
        f"license: {LICENCE}",
        "library_name: onnx",
        "pipeline_tag: reinforcement-learning",
        "tags:",
        *tags,
        "---",
        "",
    ]


def _practice(scenarios: Mapping[str, Any]) -> list[str]:
    """Nothing for weights that were trained elsewhere."""
    if not scenarios:
        return []
    return [
        f"- **Learned on** {_learned_on(scenarios)}.",
        f"- **Judged on** the validation and test traces of `{SPLITS}`, which no training has.",
    ]


def _learned_on(scenarios: Mapping[str, Any]) -> str:
    """Which traces, and what was drawn with them. Old cards name no traces where they had none of their own."""
    own = scenarios.get("traces") or scenarios.get("practised_traces")
    added = scenarios.get("added_traces")
    traces = ", ".join(own) if own else f"the training traces of `{SPLITS}`"
    besides = f", and on {', '.join(added)}" if added and not own else ""
    packets = scenarios["queue_packets"]
    low, high = packets or scenarios["queue_bdp"]
    queue = f"{low:g} to {high:g} {'packets' if packets else 'bandwidth-delay products'} of queue"
    least_ms, most_ms = (1000 * rtt_s for rtt_s in scenarios["base_rtt_s"])
    least, most = (100 * ratio for ratio in scenarios["loss_ratio"])
    share = scenarios["loss_share"]
    loss = f"{least:g} to {most:g} % random loss in {100 * share:g} of 100 episodes" if share else "no random loss"
    return (
        f"{traces}{besides}: round trips of {least_ms:g} to {most_ms:g} ms, {queue}, {loss}, "
        f"{scenarios['duration_s']:g} s each"
    )


def _resumptions(training: Training) -> list[str]:
    if not training.resumed_at_steps:
        return []
    places = ", ".join(str(steps) for steps in training.resumed_at_steps)
    return [
        f"- **Resumed** after {places} decisions: later scenarios are drawn anew; the command repeats what came before."
    ]


def _without(traces: Sequence[str], what: str) -> list[str]:
    if not traces:
        return []
    return [f"- **{what} without** {', '.join(traces)}, which were not installed: compare it with none that had them."]


def _tables(results: Mapping[str, Any]) -> list[str]:
    test = results["test"]
    lines: list[str] = [f"On the test scenarios its reward {_verdict(test)}.", ""]
    lines += [f"Differences over fewer than {LEAST_RESAMPLED_GROUPS} traces have no interval.", ""]
    missing = _without(results.get(MISSING_TEST_TRACES, ()), "Measured")
    lines += [*missing, ""] if missing else []
    titles = {"test": "Test scenarios", "paper_setting": "The paper's setting", "validation": "Validation scenarios"}
    for key, title in titles.items():
        comparison = results.get(key)
        if comparison:
            lines += [*comparison_page(title, comparison), ""]
    seeds = ", ".join(f"{reward:.4f} (seed {seed})" for seed, reward in results["test_reward_of_seeds"].items())
    spread = results["test_reward_spread"]
    when = ", as it was when the policy was shipped" if results.get(SEEDS_ARE_OLDER) else ""
    lines.append(
        f"Reward of the trained seeds on the test scenarios{when}: {seeds}; mean {spread['mean']:.4f}, standard "
        f"deviation {spread['standard_deviation']:.4f}."
    )
    return lines


def comparison_page(title: str, comparison: Mapping[str, Any]) -> list[str]:
    """Lines of Markdown: a table for the first rival, a line for each other. Old cards have no others."""
    lines = [f"{title}, policy / {comparison['rival']}:", "", *_table(comparison)]
    judge, others, left_out = (comparison.get(name) for name in ("judge", "others", "left_out"))
    if judge:
        lines += ["", f"The reward here: {judge}."]
    if "throughput_rank" in comparison:
        lines += ["", f"Beside `{comparison['rival']}`: {_ranks(comparison)}."]
    if others:
        lines += ["", "Other rivals, policy / rival:", "", *(f"- {_other(other)}" for other in others.values())]
    if left_out:
        lines += ["", f"Not compared, as their policies were not shipped: {', '.join(left_out)}."]
    return lines


def _other(other: Mapping[str, Any]) -> str:
    return (
        f"`{other['rival']}`: reward {_pair(other['reward'], 1, '.4f')}, difference {difference_text(other)}"
        f"{_interval(other)}; utilisation {_pair(other['utilisation'], 1, '.3f')}, latency "
        f"{_pair(other['latency_s'], 1000, '.1f')} ms, loss {_pair(other['loss_ratio'], 100, '.2f')} %"
        + (f", {_ranks(other)}" if "throughput_rank" in other else "")
    )


def _ranks(row: Mapping[str, Any]) -> str:
    throughput, delay = (_pair(row[name], 1, ".2f") for name in ("throughput_rank", "delay_rank"))
    return f"rank of throughput {throughput}, of delay {delay}"


def _interval(row: Mapping[str, Any]) -> str:
    if not _has_interval(row):
        return ""
    difference = row["reward"]["difference"]
    if difference["low"] > 0:
        return ": the interval lies above 0"
    return ": the interval lies below 0" if difference["high"] < 0 else ": the interval contains 0"


def _verdict(comparison: Mapping[str, Any]) -> str:
    difference, rival = comparison["reward"]["difference"], comparison["rival"]
    if not _has_interval(comparison):
        return f"cannot be told from that of `{rival}`: too few traces"
    if difference["low"] > 0:
        return f"is above that of `{rival}`"
    if difference["high"] < 0:
        return f"is below that of `{rival}`"
    return f"cannot be told from that of `{rival}`: the interval contains 0"


def difference_text(row: Mapping[str, Any]) -> str:
    """The policy's reward less its rival's, with the interval where there are traces enough for one."""
    difference = row["reward"]["difference"]
    mean = f"{difference['mean']:+.4f}"
    return f"{mean} ({difference['low']:+.4f} to {difference['high']:+.4f})" if _has_interval(row) else mean


def _has_interval(row: Mapping[str, Any]) -> bool:
    """Cards from before traces were drawn count episodes alone."""
    return bool(row.get("traces", row["scenarios"]) >= LEAST_RESAMPLED_GROUPS)


def _table(comparison: Mapping[str, Any]) -> list[str]:
    rows = {"all": comparison, **comparison["families"]}
    return [
        "| links | n | reward | difference (95 %) | utilisation | latency, ms | loss, % |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(_row(name, row) for name, row in rows.items()),
    ]


def _row(name: str, row: Mapping[str, Any]) -> str:
    cells = [
        _pair(row["reward"], 1, ".4f"),
        difference_text(row),
        _pair(row["utilisation"], 1, ".3f"),
        _pair(row["latency_s"], 1000, ".1f"),
        _pair(row["loss_ratio"], 100, ".2f"),
    ]
    return f"| {name} | {row['scenarios']} | {' | '.join(cells)} |"


def _pair(pair: Mapping[str, float], factor: float, form: str) -> str:
    return f"{pair['policy'] * factor:{form}} / {pair['rival'] * factor:{form}}"
