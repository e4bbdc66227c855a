"""On Windows."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from transport.headless.command import main as receive
from transport.media_server.serve_command import main as serve


@pytest.mark.parametrize(("main", "prog"), [(serve, "nuwa serve"), (receive, "nuwa receive")])
def test_what_needs_unix_is_refused_in_a_sentence(
    main: Callable[..., int], prog: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit, match="2"):
        main(["https://127.0.0.1:4433"], prog=prog)
    assert capsys.readouterr() == ("", f"{prog}: this does not run on Windows itself: run it in WSL2\n")
