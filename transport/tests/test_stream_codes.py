"""Codes of WebTransport streams against draft-ietf-webtrans-http3-14 section 4.4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transport.wire_format.stream_codes import LAST_OF_WEBTRANSPORT, application_code, webtransport_code


@pytest.mark.parametrize(
    ("code", "http3_code"),
    [
        (0, 0x52E4A40FA8DB),
        (1, 0x52E4A40FA8DC),
        (0x1D, 0x52E4A40FA8F8),
        (0x1E, 0x52E4A40FA8FA),
        (0xFF, 0x52E4A40FA9E2),
        (2**32 - 1, LAST_OF_WEBTRANSPORT),
    ],
)
def test_a_code_lies_in_the_range_of_webtransport(code: int, http3_code: int) -> None:
    assert webtransport_code(code) == http3_code


@given(st.integers(0, 2**32 - 1))
def test_a_code_comes_back(code: int) -> None:
    assert (webtransport_code(code) - 0x21) % 0x1F, "reserved"
    assert application_code(webtransport_code(code)) == code


@pytest.mark.parametrize("http3_code", [0, 1, 0x10C, 0x52E4A40FA8DA, 0x52E4A40FA8F9, LAST_OF_WEBTRANSPORT + 1])
def test_other_codes_are_no_applications(http3_code: int) -> None:
    assert application_code(http3_code) is None
