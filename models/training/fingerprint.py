"""What a function computes, as a hash: its own source, and the constants and functions of ours that it goes by.

A recipe's reward is told in words on its card, and the words stay where a weight is changed.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import sha256
from types import BuiltinFunctionType, CodeType, FunctionType

from cc.command_line.clone import ROOT

OURS = ("models.", "cc.")
REGISTRY = "cc.registry"
"""Finds a scheme, whose class is not followed; the words of all the others are nothing to a reward."""
CONSTANTS = (bool, int, float, str, type(None))


def fingerprint(function: Callable[..., object]) -> str:
    """SHA-256, the same by every Python; comments, docstrings and layout aside.

    Methods, classes and callable objects are not followed.
    """
    return sha256("\n".join(_described(function, set())).encode()).hexdigest()


def _described(value: object, seen: set[str]) -> Iterator[str]:
    """Lines that change where what it computes does."""
    if callable(value) and not isinstance(value, FunctionType):
        value = inspect.unwrap(value)  # a cache hides the function whose answers it keeps
    if isinstance(value, partial):
        yield from _described(value.func, seen)
        for given in (*value.args, *(value.keywords[name] for name in sorted(value.keywords))):
            yield from _described(given, seen)
    elif isinstance(value, CONSTANTS):
        yield repr(value)
    elif (parts := _parts(value)) is not None:
        for each in parts:
            yield from _described(each, seen)
    elif isinstance(value, BuiltinFunctionType) and (value.__module__ or "").startswith(OURS):
        yield from _described(as_written(value.__module__, value.__name__), seen)
    elif isinstance(value, FunctionType) and value.__module__.startswith(OURS):
        name = f"{value.__module__}.{value.__qualname__}"
        yield name
        if name not in seen and value.__module__ != REGISTRY:
            seen.add(name)
            yield _source(value)
            for each in _goes_by(value):
                yield from _described(each, seen)


def as_written(module: str, name: str) -> FunctionType:
    """The function of that name in a module's source, with what stands around it, where the module is compiled."""
    file = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    around = dict(vars(sys.modules[module]))
    exec(compile(tree, file, "exec", __future__.annotations.compiler_flag), around)
    function: FunctionType = around[name]
    return function


def _parts(value: object) -> list[object] | None:
    """What it holds; None for what is no container."""
    if isinstance(value, tuple | list):
        return [len(value), *value]
    if isinstance(value, Mapping):
        return [part for key in sorted(value, key=repr) for part in (repr(key), value[key])]
    if is_dataclass(value) and not isinstance(value, type):
        compared = (item.name for item in fields(value) if item.compare)
        return [type(value).__qualname__, *(part for name in compared for part in (name, getattr(value, name)))]
    return None


def _goes_by(function: FunctionType) -> Iterator[object]:
    """What it finds around it: its defaults, and names of its closure and of its module."""
    yield from (function.__defaults__ or (), function.__kwdefaults__ or {})
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    names = sorted(_names(function.__code__))
    yield from (function.__globals__[name] for name in names if name in function.__globals__)


def _names(code: CodeType) -> set[str]:
    """Of globals and attributes, those in its comprehensions included."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _source(function: FunctionType) -> str:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
