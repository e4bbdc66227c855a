"""What a worker of Ray does with a task. Tasks and answers are bytes, so that Ray needs to know none of our types."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

from models.executors.versions import require_versions


def carry_out(task: bytes, wanted: Mapping[str, str]) -> bytes:
    """Raises OtherVersionsError, and whatever the task raises."""
    require_versions(wanted)
    function, arguments, options = pickle.loads(task)
    return pickle.dumps(function(*arguments, **options))
