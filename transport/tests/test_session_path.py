"""Session paths: what is accepted, and how each refusal is worded."""

from __future__ import annotations

import pytest

from cc.registry import SCHEMES
from transport.wire_format.capsules import MAX_REASON_BYTES
from transport.wire_format.session_path import CloseCode, PathNotFoundError, SessionRefusedError, parse_session_path


def test_the_scheme_and_its_parameters() -> None:
    path = parse_session_path("/v1/nuwa?preset=live&k=7&target_delay_ms=40")
    assert path.scheme.name == "nuwa"
    assert path.parameters == {"preset": "live", "k": "7", "target_delay_ms": "40"}


OTHER_PATHS = [
    *("", "/", "/v1", "/v1/", "/media", "/v1/nuwa/x", "/vx/nuwa", "x/v1/nuwa", "//[", "/v1/" + "n" * 2000),
    *("/v\u00b2/nuwa", "/v\u0661/nuwa"),  # digits, but not ASCII's
]


@pytest.mark.parametrize("path", OTHER_PATHS)
def test_other_paths_are_not_found_or_name_no_scheme(path: str) -> None:
    with pytest.raises((PathNotFoundError, SessionRefusedError)):
        parse_session_path(path)


@pytest.mark.parametrize(
    ("path", "code", "reason"),
    [
        ("/v2/nuwa", CloseCode.VERSION_NOT_SPOKEN, "version 2 is not spoken here; this server speaks 1"),
        ("/v1/bogus", CloseCode.UNKNOWN_SCHEME, "known schemes: nuwa, "),
        ("/v1/nuwa?preset=bogus", CloseCode.MALFORMED_PARAMETER, "known presets: on-demand"),
        ("/v1/nuwa?k=10", CloseCode.MALFORMED_PARAMETER, "k must be a number from 1 to 9, not '10'"),
        ("/v1/nuwa?k=nan", CloseCode.MALFORMED_PARAMETER, "k must be a number"),
        ("/v1/nuwa?target_delay_ms=", CloseCode.MALFORMED_PARAMETER, "target_delay_ms must be a number"),
        ("/v1/nuwa?colour=red", CloseCode.MALFORMED_PARAMETER, "'colour' is unknown"),
        ("/v1/nuwa?k=2&k=3", CloseCode.MALFORMED_PARAMETER, "given twice"),
        ("/v1/nuwa?k", CloseCode.MALFORMED_PARAMETER, "malformed"),
    ],
)
def test_refusals_say_what_is_wrong(path: str, code: CloseCode, reason: str) -> None:
    with pytest.raises(SessionRefusedError, match=reason.replace("?", r"\?")) as refused:
        parse_session_path(path)
    assert refused.value.code is code


@pytest.mark.parametrize("query", ["token=1795956058.secret&", "k&token=1795956058.secret", "token=secret&token="])
def test_no_reason_tells_a_token(query: str) -> None:
    """It is logged."""
    with pytest.raises(SessionRefusedError) as refused:
        parse_session_path(f"/v1/nuwa?{query}")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", ["n" * 900, "\u00e9" * 900])
def test_the_reason_of_a_long_name_still_lists_all_schemes(name: str) -> None:
    with pytest.raises(SessionRefusedError) as refused:
        parse_session_path(f"/v1/{name}")
    reason = str(refused.value)
    assert len(reason.encode()) <= MAX_REASON_BYTES
    assert all(scheme.name in reason for scheme in SCHEMES)
