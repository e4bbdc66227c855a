"""What holds for all Python tests."""

from __future__ import annotations

from hypothesis import settings

# A deadline is wall-clock time, which a busy machine does not keep.
settings.register_profile("nuwa", settings(), deadline=None, print_blob=True)
settings.load_profile("nuwa")
