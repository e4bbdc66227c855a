"""Modules of schemes that take an event loop too long to load: each is loaded beside it when first asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module


class SlowModules:
    """One server's. A module that cannot be loaded here fails where its scheme asks for it."""

    def __init__(self) -> None:
        self._loading: dict[str, asyncio.Future[object]] = {}

    def is_settled(self, name: str) -> bool:
        """Whether the module is loaded, or cannot be."""
        loading = self._loading.get(name)
        return loading is not None and loading.done()

    def when_settled(self, name: str, go_on: Callable[[], None]) -> None:
        """Go on in a turn of the event loop when the module is loaded, or cannot be."""
        if name not in self._loading:
            self._loading[name] = _load_beside(name)
        self._loading[name].add_done_callback(lambda _: go_on())


def _load_beside(name: str) -> asyncio.Future[object]:
    loop = asyncio.get_running_loop()
    try:
        return loop.run_in_executor(None, import_module, name)
    except RuntimeError:  # no thread can be had: the scheme loads it itself
        nothing: asyncio.Future[object] = loop.create_future()
        nothing.set_result(None)
        return nothing
