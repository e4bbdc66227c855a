"""What holds for all Python tests."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import settings

# A deadline is wall-clock time, which a busy machine does not keep.
settings.register_profile("nuwa", settings(), deadline=None, print_blob=True)
settings.load_profile("nuwa")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure stays in the JUnit report when the test then passes at its second attempt."""
    report = yield
    if report.failed and call.excinfo is not None:
        item.user_properties.append(("failure", call.excinfo.exconly()))
    return report
