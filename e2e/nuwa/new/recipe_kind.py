"""Skeleton of a recipe: a policy for another's scheme and links, with a reward of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from cc.registry import ENTRIES, SCHEMES
from e2e.nuwa.new.cc_kinds import registered, scheme_row, taken_scheme
from e2e.nuwa.new.receiver_kind import with_vectors
from e2e.nuwa.new.skeleton import Name, NewError, Skeleton, filled, read, with_line_after_last, with_sorted_line

DEFAULT_BASE = "bbr-fit"
GONE_WITH_THE_REWARD = ("episode_reward", "judge", "judge_text", "reference", "online_value")


def recipe_skeleton(name: Name, root: Path, of: str | None) -> Skeleton:
    """A variant of a policy: its recipe, a scheme that asks for it, their lines and rows, and a test."""
    from models import recipes  # noqa: PLC0415 - the other kinds need no onnxruntime

    try:
        base = recipes.recipe(of or DEFAULT_BASE)
    except recipes.UnknownRecipeError as error:
        raise NewError(f"--of: {error}") from error
    if base.expert is not None:
        raise NewError(f"--of: {base.name} imitates an expert, and learns from no reward: take another policy")
    if hasattr(recipes, name.spellings["constant"]) and not hasattr(recipes, name.module):
        raise NewError(f"models/recipes/__init__.py has a {name.spellings['constant']} already: choose another name")
    listed = read(root, "models/recipes/__init__.py")
    constant = next(key for key, value in vars(recipes).items() if value is base)
    found = re.search(rf"^from models\.recipes\.(\w+) import .*\b{constant}\b", listed, re.MULTILINE)
    if found is None:
        raise NewError(f"models/recipes/__init__.py imports no {constant}, from which the recipe would be made")
    entry = _entry(base.name)
    values = {
        **name.spellings,
        "base_module": found[1],
        "base_constant": constant,
        "base_title": base.scheme.title,
        **_rival(root, base.name, constant),
        "overrides": "".join(f"\n    {each}=None," for each in GONE_WITH_THE_REWARD if getattr(base, each)),
    }
    own_words = values["words"].removeprefix(f"{base.name.replace('-', ' ')} ")
    title = f"{base.scheme.title}, {own_words}"
    summary = f"{base.scheme.title} with a policy that was rewarded otherwise; not the paper's."
    scheme_file = f"cc/{entry.partition(':')[0].replace('.', '/')}.py"
    row = scheme_row(name.name, title, base.scheme.family, summary, base.scheme.source)
    policy_row = f"| `{name.name}` | {title} | {base.algorithm} | no |{'  |' * 6}"
    return Skeleton(
        files={
            f"models/recipes/{name.module}.py": filled("recipe.py", {**values, "title": title}),
            f"models/tests/test_{name.module}.py": filled("test_recipe.py", {**values, "title": title}),
        },
        edits={
            scheme_file: _with_variant(read(root, scheme_file), entry.partition(":")[2], values, title, summary),
            "models/recipes/__init__.py": _listed(listed, values),
            "models/README.md": with_line_after_last(
                read(root, "models/README.md"), rf"^\| `{re.escape(recipes.RECIPES[-1].name)}` \|", policy_row
            ),
            **(_received(root, base.name, name.name) if base.scheme.control == "receiver" else {}),
            **registered(root, name, f"{entry.partition(':')[0]}:{values['constant']}", row),
        },
        advice=f"npm run train -- --policy {name.name} --seed 1; npm test -- models {name.module}",
        taken=taken_scheme(name, title),
    )


def _rival(root: Path, base: str, constant: str) -> Mapping[str, str]:
    """The original among the rivals, where it has a policy to be compared with."""
    if not (root / "models" / "policies" / f"{base}.json").is_file():
        return {"rival_import": "", "rivals": ""}
    rivals = f'\n    rivals=(*{constant}.rivals, by_policy("{base}")),'
    return {"rival_import": "\nfrom models.scenarios.rival import by_policy", "rivals": rivals}


def _entry(scheme_name: str) -> str:
    """Where the scheme's entry stands."""
    return next(entry for entry, each in zip(ENTRIES, SCHEMES, strict=True) if each.name == scheme_name)


def _with_variant(text: str, base: str, values: Mapping[str, str], title: str, summary: str) -> str:
    """The scheme's file with a copy of an entry, under the variant's name and for its policy."""
    if re.search(rf"^{values['constant']}\b", text, re.MULTILINE):
        raise NewError(f"the scheme's file has a {values['constant']} already: choose another name")
    found = re.search(rf"^{base} = Scheme\(\n(.*?)^\)\n", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise NewError(f"no entry {base} = Scheme(...) was found to make the variant's of")
    changed = {"name": values["name"], "title": title, "summary": summary, "policy": values["name"]}
    block = found[1]
    for field, value in changed.items():
        block, count = re.subn(rf'^    {field}=".*",$', f'    {field}="{value}",', block, flags=re.MULTILINE)
        if count != 1:
            raise NewError(f"the entry {base} has no line {field}=... of its own to make the variant's of")
    return f"{text.rstrip()}\n\n{values['constant']} = Scheme(\n{block})\n"


def _received(root: Path, base: str, name: str) -> Mapping[str, str]:
    """The browser's list of receivers, with the base's once more under the variant's name, and its vectors."""
    path = "cc/receiver/registry.ts"
    text = read(root, path)
    found = re.search(rf'^  "?{re.escape(base)}"?: (.+),$', text, re.MULTILINE)
    if found is None:
        raise NewError(f"{path} has no line of {base}, from which the variant's would be made")
    key = f'"{name}"' if "-" in name else name
    lines = f"{found[0]}\n  {key}: {found[1]},"
    return {path: text.replace(found[0], lines), **with_vectors(root, name, whose=base)}


def _listed(text: str, values: Mapping[str, str]) -> str:
    line = f"from models.recipes.{values['module']} import {values['constant']}"
    with_import = with_sorted_line(text, r"^from models\.recipes\.", line)
    return with_line_after_last(with_import, r"^    [A-Z][A-Z0-9_]*,$", f"    {values['constant']},")
