"""Networks of Indigo, Aurora and Orca as their authors published them, from arrays to ONNX that serves here.

Each system says which arrays it has, by shape, and where one shape is not enough by a word of the array's name. What
the authors do to a state before the network (Indigo divides it, Orca's layers are normalised) is part of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cc.sender.pcc.aurora import MOST_ACTION
from models.policies.card import ACTION, OBSERVATION, SCORES, STATES
from models.policies.onnx_file import Graph, Node

Array = NDArray[np.float32]
Shape = tuple[int, ...]
BATCH_NORM_EPSILON = 1e-3  # tf.layers.batch_normalization
LEAKY_SLOPE = 0.2  # tf.nn.leaky_relu
INDIGO_UNITS = 32
INDIGO_SCALE = (1 / 200, 1 / 200, 1 / 200, 1 / 5000, 1.0, 1.0, 1.0, 1.0, 1.0)  # the authors' normalize
FORGET_BIAS = 1.0  # tf.contrib.rnn.BasicLSTMCell


@dataclass(frozen=True, slots=True)
class Wanted:
    """An array that a system needs."""

    shape: Shape
    word: str = ""
    """A part of the name, where the shape alone does not tell; a path's parts lie between slashes."""


@dataclass(frozen=True, slots=True)
class Published:
    """A system whose weights can be brought."""

    source: str
    wanted: Mapping[str, Wanted]
    graph: Callable[[Mapping[str, Array]], Graph]
    recurrent_units: int | None = None


def indigo_graph(arrays: Mapping[str, Array]) -> Graph:
    """BasicLSTMCell: gates input, candidate, forget, output; then a linear layer."""
    units = INDIGO_UNITS
    kernel = arrays["lstm kernel"].copy()
    kernel[: len(INDIGO_SCALE)] *= np.array(INDIGO_SCALE, np.float32)[:, None]
    bias = arrays["lstm bias"].copy()
    bias[2 * units : 3 * units] += FORGET_BIAS
    hidden, cell = STATES
    nodes = [
        Node("Concat", (OBSERVATION, hidden), ("joined",), integers={"axis": 1}),
        Node("Gemm", ("joined", "kernel", "bias"), ("gates",)),
        Node("Split", ("gates",), ("in", "new", "keep", "out"), integers={"axis": 1, "num_outputs": 4}),
        *(Node("Sigmoid", (name,), (f"{name} open",)) for name in ("in", "keep", "out")),
        Node("Tanh", ("new",), ("candidate",)),
        Node("Mul", (cell, "keep open"), ("kept",)),
        Node("Mul", ("in open", "candidate"), ("added",)),
        Node("Add", ("kept", "added"), (f"next_{cell}",)),
        Node("Tanh", (f"next_{cell}",), ("shown",)),
        Node("Mul", ("shown", "out open"), (f"next_{hidden}",)),
        Node("Gemm", (f"next_{hidden}", "score kernel", "score bias"), (SCORES,)),
    ]
    return Graph(
        inputs={OBSERVATION: len(INDIGO_SCALE), hidden: units, cell: units},
        outputs={SCORES: 5, f"next_{hidden}": units, f"next_{cell}": units},
        constants={
            "kernel": kernel,
            "bias": bias,
            "score kernel": arrays["score kernel"],
            "score bias": arrays["score bias"],
        },
        nodes=nodes,
    )


def aurora_graph(arrays: Mapping[str, Array]) -> Graph:
    """Two layers of tanh and a mean, within this project's range of actions."""
    nodes = [
        Node("Gemm", (OBSERVATION, "first kernel", "first bias"), ("a",)),
        Node("Tanh", ("a",), ("b",)),
        Node("Gemm", ("b", "second kernel", "second bias"), ("c",)),
        Node("Tanh", ("c",), ("d",)),
        Node("Gemm", ("d", "last kernel", "last bias"), ("e",)),
        Node("Clip", ("e", "least", "most"), (ACTION,)),
    ]
    ends = {"least": np.array(-MOST_ACTION, np.float32), "most": np.array(MOST_ACTION, np.float32)}
    return Graph(inputs={OBSERVATION: 30}, outputs={ACTION: 1}, constants={**arrays, **ends}, nodes=nodes)


def orca_graph(arrays: Mapping[str, Array]) -> Graph:
    """Two layers with batch normalisation and leaky ReLU, and tanh: what serves, with the means that training left."""
    constants = {"last kernel": arrays["last kernel"], "last bias": arrays["last bias"]}
    for layer in ("first", "second"):
        share = 1 / np.sqrt(arrays[f"{layer} variance"] + np.float32(BATCH_NORM_EPSILON))
        constants[f"{layer} kernel"] = arrays[f"{layer} kernel"] * share
        constants[f"{layer} bias"] = (arrays[f"{layer} bias"] - arrays[f"{layer} mean"]) * share + arrays[
            f"{layer} beta"
        ]
    nodes = [
        Node("Gemm", (OBSERVATION, "first kernel", "first bias"), ("a",)),
        Node("LeakyRelu", ("a",), ("b",), floats={"alpha": LEAKY_SLOPE}),
        Node("Gemm", ("b", "second kernel", "second bias"), ("c",)),
        Node("LeakyRelu", ("c",), ("d",), floats={"alpha": LEAKY_SLOPE}),
        Node("Gemm", ("d", "last kernel", "last bias"), ("e",)),
        Node("Tanh", ("e",), (ACTION,)),
    ]
    return Graph(inputs={OBSERVATION: 70}, outputs={ACTION: 1}, constants=constants, nodes=nodes)


def _orca_layer(layer: str, dense: str, norm: str, inputs: int) -> dict[str, Wanted]:
    vector = (256,)
    return {
        f"{layer} kernel": Wanted((inputs, 256), f"/actor/{dense}/kernel/"),
        f"{layer} bias": Wanted(vector, f"/actor/{dense}/bias/"),
        f"{layer} beta": Wanted(vector, f"/actor/{norm}/beta/"),
        f"{layer} mean": Wanted(vector, f"/actor/{norm}/moving_mean/"),
        f"{layer} variance": Wanted(vector, f"/actor/{norm}/moving_variance/"),
    }


SYSTEMS: Mapping[str, Published] = {
    "indigo": Published(
        source="Yan et al.: Pantheon, USENIX ATC 2018; weights as published by StanfordSNR/indigo (Apache-2.0)",
        wanted={
            "score bias": Wanted((5,)),
            "score kernel": Wanted((INDIGO_UNITS, 5)),
            "lstm bias": Wanted((4 * INDIGO_UNITS,)),
            "lstm kernel": Wanted((len(INDIGO_SCALE) + INDIGO_UNITS, 4 * INDIGO_UNITS)),
        },
        graph=indigo_graph,
        recurrent_units=INDIGO_UNITS,
    ),
    "aurora": Published(
        source="Jay et al.: Aurora, ICML 2019; weights as published by PCCproject/PCC-RL (Apache-2.0)",
        wanted={
            "first kernel": Wanted((30, 32), "pi"),
            "first bias": Wanted((32,), "pi"),
            "second kernel": Wanted((32, 16), "pi"),
            "second bias": Wanted((16,), "pi"),
            "last kernel": Wanted((16, 1), "pi"),
            "last bias": Wanted((1,), "pi"),
        },
        graph=aurora_graph,
    ),
    "orca": Published(
        source="Abbasloo, Yen, Chao: Orca, SIGCOMM 2020; weights as published by Soheil-ab/Orca (MIT)",
        wanted={
            **_orca_layer("first", "fc1", "batch_normalization", 70),
            **_orca_layer("second", "fc2", "batch_normalization_1", 256),
            "last kernel": Wanted((256, 1), "/actor/dense/kernel/"),
            "last bias": Wanted((1,), "/actor/dense/bias/"),
        },
        graph=orca_graph,
    ),
}
