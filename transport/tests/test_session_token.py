"""Session tokens: the protocol's vectors, keys in files, and the command that makes one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.media_server.session_key import SessionKey, read_session_key
from transport.media_server.session_token_command import main
from transport.wire_format.session_path import CloseCode, SessionRefusedError
from transport.wire_format.session_token import TokenRefusedError, check_token, make_token

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "wire_format/testdata/session_tokens.json").read_text()
)
KEY = b"k" * 32


def by_name(vector: dict[str, Any]) -> str:
    """For the test's name."""
    return str(vector["name"])


@pytest.mark.parametrize("vector", VECTORS["made"], ids=by_name)
def test_the_protocols_tokens_are_made(vector: dict[str, Any]) -> None:
    assert make_token(vector["key"].encode(), expires_s=vector["expires_s"]) == vector["token"]


@pytest.mark.parametrize("vector", VECTORS["checked"], ids=by_name)
def test_the_protocols_tokens_are_told_apart(vector: dict[str, Any]) -> None:
    key, token, now_s = vector["key"].encode(), vector["token"], vector["now_s"]
    if vector["refused"] is None:
        check_token(key, token, now_s=now_s)
        return
    with pytest.raises(TokenRefusedError, match=vector["refused"]):
        check_token(key, token, now_s=now_s)


@given(st.text() | st.from_regex(r"[0-9]{0,14}\.[A-Za-z0-9_=-]{42,44}", fullmatch=True))
def test_what_was_not_signed_is_refused(token: str) -> None:
    with pytest.raises(TokenRefusedError):
        check_token(KEY, token, now_s=0)


def test_a_refusal_closes_the_session_with_the_protocols_code() -> None:
    with pytest.raises(SessionRefusedError, match="take a token") as refused:
        SessionKey(KEY, lambda: 0).require(None)
    assert refused.value.code is CloseCode.TOKEN_REFUSED


@pytest.mark.parametrize(("content", "words"), [(b"short", "it has 5 bytes"), (b"k" * 1025, "it has 1025 bytes")])
def test_a_file_without_a_key_is_told_in_one_sentence(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    assert main(["--session-key", str(file)]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith(f"nuwa session-token: --session-key {file}: ")


def test_the_command_makes_a_token_that_is_good_for_a_while(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "key"
    file.write_bytes(KEY + b"\n")
    assert main(["--session-key", str(file), "--lifetime-s", "60"]) == 0
    token = capsys.readouterr().out.strip()
    SessionKey(read_session_key(file)).require(token)
