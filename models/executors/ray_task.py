"""What a worker of Ray does with a task. Tasks and answers are bytes, so that Ray needs to know none of our types."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

from models.executors.build import put_first
from models.executors.versions import require_versions


def carry_out(task: bytes, wanted: Mapping[str, str], build: str | None = None) -> bytes:
    """`build`: the folder to take cc from. Raises OtherVersionsError, and whatever the task raises."""
    require_versions(wanted)
    if build is not None:  # before the task's own modules are imported; Ray puts the sources before PYTHONPATH
        put_first(build)
    function, arguments, options = pickle.loads(task)
    return pickle.dumps(function(*arguments, **options))
