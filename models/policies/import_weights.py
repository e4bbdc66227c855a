"""`models import SYSTEM FILE...`: weights that a user brings become a policy that serves, with a card that says whence.

Two forms are taken, neither of which needs TensorFlow:

- `.npz` files of numpy, an array for each variable under its name. Where TensorFlow is, a checkpoint becomes one by
  `r = tf.train.load_checkpoint(PATH)`, `np.savez("weights.npz", **{n: r.get_tensor(n) for n in
  r.get_variable_to_shape_map()})`.
- Indigo's `model.data-00000-of-00001` as it is published: a step counter, then the arrays in order of their names.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from cc.registry import scheme
from models.policies.card import Card, Training
from models.policies.onnx_file import OPSET
from models.policies.policy import PolicyError, load_policy, policy_space
from models.policies.published import SYSTEMS, Array, Published, Wanted

INDIGO_ORDER = ("score bias", "score kernel", "lstm bias", "lstm kernel")
COUNTER_VALUES = 1
NUMBERS = "fiu"
"""Kinds of numpy's types that weights may have."""
ARCHIVE_ERRORS = (OSError, ValueError, EOFError, RuntimeError, zlib.error, zipfile.BadZipFile)
"""What reading an archive raises that is damaged, encrypted, or none of arrays."""


class WeightsError(ValueError):
    """Weights that cannot be used; the message is one sentence that says what is wrong."""


def run(options: argparse.Namespace) -> int:
    """0 if the policy was written, 2 if not."""
    try:
        card = import_weights(options.system, options.files, options.folder / options.system)
    except (WeightsError, PolicyError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    folder = options.folder / options.system
    sys.stdout.write(f"{folder}/{card.name}.onnx, .json\n")
    sys.stdout.write(f"try it: npm run nuwa -- simulate {card.scheme} cubic --link lte-like --policies {folder}\n")
    return 0


def import_weights(system: str, files: Sequence[Path], folder: Path) -> Card:
    """Write model and card into the folder. Raises WeightsError, and PolicyError for what does not serve."""
    published = SYSTEMS[system]
    arrays = _arrays(system, published, files)
    with np.errstate(invalid="ignore", over="ignore"):
        graph = published.graph(arrays)
    if not all(np.isfinite(each).all() for each in graph.constants.values()):
        raise WeightsError(f"the weights of {system} hold, or come to, a value that is no finite number")
    model = graph.model()
    brought = ", ".join(f"{file.name} (SHA-256 {sha256(file.read_bytes()).hexdigest()})" for file in files)
    card = Card(
        name=system,
        scheme=system,
        source=published.source,
        space=policy_space(scheme(system)),
        sha256=sha256(model).hexdigest(),
        opset=OPSET,
        recurrent_units=published.recurrent_units,
        training=Training(
            command=f"nuwa models import {system} {' '.join(file.name for file in files)}",
            algorithm="imported",
            steps=0,
            seed=0,
            commit="none",
            versions={"numpy": np.__version__},
            parameters={},
            reward="the authors'",
            scenarios={},
            splits_sha256="none",
        ),
        notes=(
            f"Made of {brought}, which a user brought. Nothing of it was trained here, and it is not for this "
            "project's repository.",
        ),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{system}.onnx").write_bytes(model)
        (folder / f"{system}.json").write_text(card.as_json() + "\n", encoding="utf-8")
    except OSError as error:
        raise WeightsError(f"{folder} cannot be written: {error.strerror}; give another --folder") from error
    load_policy(system, folder)
    return card


def _arrays(system: str, published: Published, files: Sequence[Path]) -> Mapping[str, Array]:
    named: dict[str, NDArray[np.generic]] = {}
    for file in files:
        if system == "indigo" and ".data-" in file.name:
            return _indigo_data(file, published)
        named.update(_npz(file))
    return {name: _found(name, wanted, named) for name, wanted in published.wanted.items()}


def _npz(file: Path) -> Mapping[str, NDArray[np.generic]]:
    if not file.is_file():
        raise WeightsError(f"there is no file {file}")
    if not zipfile.is_zipfile(file):
        raise WeightsError(f"{file} is no .npz file of numpy: see nuwa models import --help")
    try:
        with np.load(file, allow_pickle=False) as archive:
            return {name: _array(archive, name) for name in archive.files}
    except ARCHIVE_ERRORS as error:
        raise WeightsError(f"{file} is no .npz file of numpy ({error}): see nuwa models import --help") from error


def _array(archive: NpzFile, name: str) -> NDArray[np.generic]:
    """Raises ValueError for a member that is none, of which numpy gives the bytes: archives hold other things, too."""
    member: object = archive[name]
    if not isinstance(member, np.ndarray):
        raise ValueError(f"{name} in it is no array")
    return member


def _found(name: str, wanted: Wanted, named: Mapping[str, NDArray[np.generic]]) -> Array:
    numbers = {key: values for key, values in named.items() if values.dtype.kind in NUMBERS}
    fitting = [
        key
        for key, values in numbers.items()
        if values.shape == wanted.shape and wanted.word in f"/{key.split(':')[0]}/"
    ]
    if len(fitting) != 1:
        having = f" with {wanted.word!r} in its name" if wanted.word else ""
        found = ", ".join(fitting) or "none"
        raise WeightsError(
            f"one array of numbers of shape {wanted.shape}{having} is needed for the {name}; found: {found}"
        )
    with np.errstate(over="ignore"):  # beyond float32 is infinite, and refused as that
        return numbers[fitting[0]].astype(np.float32)


def _indigo_data(file: Path, published: Published) -> Mapping[str, Array]:
    try:
        values = np.frombuffer(file.read_bytes(), dtype="<f4")
    except (OSError, ValueError) as error:
        raise WeightsError(f"{file} cannot be read as Indigo's weights: {error}") from error
    sizes = [int(np.prod(published.wanted[name].shape)) for name in INDIGO_ORDER]
    if len(values) != COUNTER_VALUES + sum(sizes):
        raise WeightsError(
            f"{file} has {4 * len(values)} bytes, and Indigo's published weights have "
            f"{4 * (COUNTER_VALUES + sum(sizes))}: bring them as .npz"
        )
    parts = np.split(values[COUNTER_VALUES:], np.cumsum(sizes)[:-1])
    return {
        name: part.reshape(published.wanted[name].shape).astype(np.float32)
        for name, part in zip(INDIGO_ORDER, parts, strict=True)
    }
