"""How seldom Python looks for cycles while flights wait.

Each look stops the event loop by milliseconds, and finds little: connections that have ended are taken apart, so that
counting references frees them (`aioquic_adapter/connection.py`).
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 20_000
"""More than twenty sessions hold in flight; what cycles keep until then is some megabytes."""
YOUNGER_LOOKS = 5
"""Of a generation, before the next older one is looked through."""


def look_for_cycles_seldom() -> None:
    """To be called when a server is ready: what is there then stays, and is not looked through again."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNGER_LOOKS, YOUNGER_LOOKS)
