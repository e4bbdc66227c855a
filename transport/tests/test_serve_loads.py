"""What a media server loads at each start, in each of its processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOADED = "import sys, transport.media_server.command, transport.media_server.serve; print(*sys.modules)"


def test_a_media_server_does_without_emulated_links() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "transport.media_server.server" in loaded
    assert [name for name in loaded if name.startswith(("cc.links", "transport.relay"))] == []
