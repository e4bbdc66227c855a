"""Writes small networks as ONNX, without a package for it: protobuf's encoding of what onnx.proto calls ModelProto.

Sources: protobuf.dev/programming-guides/encoding; onnx.proto of ONNX 1.13 (ir version 8, opset 18).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from models.policies.protobuf import delimited, varint

IR_VERSION = 8
OPSET = 18
FLOAT = 1  # TensorProto.FLOAT
FIXED_32 = 5  # wire type
FLOAT_ATTRIBUTE, INTEGER_ATTRIBUTE = 1, 2  # AttributeProto.AttributeType


@dataclass(frozen=True, slots=True)
class Node:
    """One operation."""

    operation: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    integers: Mapping[str, int] = field(default_factory=dict)
    floats: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Graph:
    """A network of one row in, one row out."""

    inputs: Mapping[str, int]
    """Widths by name; so are the outputs."""
    outputs: Mapping[str, int]
    constants: Mapping[str, NDArray[np.float32]]
    nodes: Sequence[Node]

    def model(self) -> bytes:
        """The file."""
        graph = b"".join(
            (
                *(delimited(1, _node(node)) for node in self.nodes),
                delimited(2, b"policy"),
                *(delimited(5, _tensor(name, values)) for name, values in self.constants.items()),
                *(delimited(11, _row(name, width)) for name, width in self.inputs.items()),
                *(delimited(12, _row(name, width)) for name, width in self.outputs.items()),
            )
        )
        return _integer(1, IR_VERSION) + delimited(7, graph) + delimited(8, delimited(1, b"") + _integer(2, OPSET))


def _node(node: Node) -> bytes:
    return b"".join(
        (
            *(delimited(1, name.encode()) for name in node.inputs),
            *(delimited(2, name.encode()) for name in node.outputs),
            delimited(4, node.operation.encode()),
            *(
                delimited(5, delimited(1, name.encode()) + _integer(3, value) + _integer(20, INTEGER_ATTRIBUTE))
                for name, value in node.integers.items()
            ),
            *(
                delimited(5, delimited(1, name.encode()) + _float(2, value) + _integer(20, FLOAT_ATTRIBUTE))
                for name, value in node.floats.items()
            ),
        )
    )


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    dimensions = b"".join(_integer(1, size) for size in values.shape)
    raw = np.ascontiguousarray(values, dtype="<f4").tobytes()
    return dimensions + _integer(2, FLOAT) + delimited(8, name.encode()) + delimited(9, raw)


def _row(name: str, width: int) -> bytes:
    shape = b"".join(delimited(1, _integer(1, size)) for size in (1, width))
    return delimited(1, name.encode()) + delimited(2, delimited(1, _integer(1, FLOAT) + delimited(2, shape)))


def _integer(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)  # wire type 0


def _float(number: int, value: float) -> bytes:
    return varint((number << 3) | FIXED_32) + struct.pack("<f", value)
