"""What a model says of itself: `metadata_props` of ONNX, from its card, for tools that see the file alone.

They are appended to the serialised model, so that no weight is touched and no package for writing models is needed
(protobuf's encoding: protobuf.dev/programming-guides/encoding; onnx.proto: ModelProto, field 14).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

from models.policies.card import Card, CardError
from models.policies.card_page import LICENCE, card_page
from models.policies.folder import POLICIES
from models.policies.policy import VECTORS, PolicyError, known_policies, load_policy
from models.policies.protobuf import LENGTH_DELIMITED, delimited

METADATA_FIELD = 14
KEY_FIELD, VALUE_FIELD = 1, 2
VARINT, FIXED_64, FIXED_32 = 0, 1, 5


def metadata(card: Card) -> Mapping[str, str]:
    """Key and value of each property."""
    training = asdict(card.training)
    recipe = {name: training[name] for name in ("algorithm", "parameters", "reward", "scenarios", "splits_sha256")}
    return {
        "name": card.name,
        "scheme": card.scheme,
        "source": card.source,
        "license": LICENCE,
        "inputs": json.dumps([asdict(feature) for feature in card.space.features]),
        "history": str(card.space.history),
        "interval": card.space.interval,
        "output": f"{card.output}: {card.space.actions.meaning}",
        "recipe_sha256": sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest(),
    }


def with_metadata(model: bytes, card: Card) -> bytes:
    """The model with these properties instead of those that it had. Raises ValueError for what is no model."""
    kept = b"".join(field for number, field in fields_of(model) if number != METADATA_FIELD)
    added = b"".join(
        delimited(METADATA_FIELD, delimited(KEY_FIELD, key.encode()) + delimited(VALUE_FIELD, value.encode()))
        for key, value in metadata(card).items()
    )
    return kept + added


def describe(name: str, folder: Path = POLICIES) -> bool:
    """Write them into a shipped model, and its hash wherever that stands; whether anything changed.

    Raises PolicyError, and CardError where the card is no longer what it was.
    """
    card = load_policy(name, folder).card
    file = folder / f"{name}.onnx"
    before = file.read_bytes()
    model = with_metadata(before, card)
    if model == before:
        return False
    digest = sha256(model).hexdigest()
    page = card_page(replace(card, sha256=digest))
    for beside in (folder / f"{name}.json", folder / f"{name}{VECTORS}"):
        if beside.exists():
            text = beside.read_text(encoding="utf-8")
            if card.sha256 not in text:
                raise CardError(f"{beside} does not say which model it is about")
            beside.write_text(text.replace(card.sha256, digest), encoding="utf-8")
    file.write_bytes(model)
    (folder / f"{name}.md").write_text(page + "\n", encoding="utf-8")
    return True


def run(options: argparse.Namespace) -> int:
    """0 if all were written, 2 where there is no such policy."""
    folder = options.folder or POLICIES
    names = options.names or known_policies(folder)
    if not names:
        sys.stderr.write(f"{folder} has no policy to describe\n")
        return 2
    try:
        for name in names:
            sys.stdout.write(f"{name}: {'written' if describe(name, folder) else 'as it was'}\n")
    except (PolicyError, CardError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def fields_of(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and bytes, tag included, of each field of a message."""
    at = 0
    while at < len(message):
        start = at
        tag, at = _varint(message, at)
        number, kind = tag >> 3, tag & 7
        if kind == VARINT:
            _, at = _varint(message, at)
        elif kind == LENGTH_DELIMITED:
            length, at = _varint(message, at)
            at += length
        elif kind in {FIXED_64, FIXED_32}:
            at += 8 if kind == FIXED_64 else 4
        else:
            raise ValueError(f"the model has a field of the unknown wire type {kind}")
        if at > len(message):
            raise ValueError("the model ends within a field")
        yield number, message[start:at]


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = shift = 0
    while at < len(message):
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("the model ends within a number")
