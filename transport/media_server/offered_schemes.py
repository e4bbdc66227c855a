"""Which schemes clients may ask for, and what these load before anybody does."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from importlib import import_module

from cc.core.scheme import Scheme
from cc.registry import SCHEMES, UnknownSchemeError, scheme
from transport.wire_format.session_path import CloseCode, SessionRefusedError


def offered_schemes(text: str) -> tuple[str, ...]:
    """Names separated by commas, each once. Raises argparse.ArgumentTypeError for a scheme that there is not."""
    names = tuple(dict.fromkeys(text.split(",")))
    for name in names:
        try:
            scheme(name)
        except UnknownSchemeError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
    return names


def require_offered(asked: Scheme, offered: Collection[str] | None) -> None:
    """Raises SessionRefusedError for one that is not among them; None offers all."""
    if offered is not None and asked.name not in offered:
        reason = f"scheme {asked.name} is not offered here; offered: {', '.join(offered)}"
        raise SessionRefusedError(CloseCode.UNKNOWN_SCHEME, reason)


def load_slow_modules(offered: Collection[str] | None, *, plain: Scheme | None) -> None:
    """What would hold up an event loop, also from a thread beside it; None offers all."""
    for each in SCHEMES:
        may_be_asked_for = offered is None or each.name in offered or each == plain
        if may_be_asked_for and each.slow_module is not None:
            import_module(each.slow_module)
