"""The pages make a site: every link and every line of the menu leads somewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cc.command_line.clone import ROOT
from e2e.site.python_api import write_python_api
from transport.wire_format.plain_requests import SERVER_NAME


def make_pages(source: Path, folder: Path, settings: Path) -> subprocess.CompletedProcess[str]:
    options = ["-q", "-W", "--keep-going", "-c", str(settings), "-d", str(folder / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(source), str(folder / "site")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_no_link_of_a_page_leads_nowhere(tmp_path: Path) -> None:
    made = make_pages(ROOT, tmp_path, ROOT / "e2e" / "site")
    assert made.stderr == ""
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "e2e/site/QUESTIONS.html" in index
    assert "SECURITY.html" in index


def test_a_dead_link_is_named(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "README.md").write_text("# Title\n\n[gone](gone.md)\n", encoding="utf-8")
    (tmp_path / "settings").mkdir()
    for name in ("conf.py", "contents.md"):
        text = (ROOT / "e2e" / "site" / name).read_text(encoding="utf-8") if name == "conf.py" else ""
        (tmp_path / "settings" / name).write_text(text, encoding="utf-8")
    made = make_pages(tmp_path / "pages", tmp_path, tmp_path / "settings")
    assert made.returncode == 1
    assert "gone.md" in made.stderr


def test_the_api_has_a_scheme_with_its_docstring_and_no_test(tmp_path: Path) -> None:
    write_python_api(tmp_path, ("cc",))
    assert "How late a host wakes" in (tmp_path / "cc" / "core" / "lateness.html").read_text(encoding="utf-8")
    assert not list(tmp_path.rglob("*tests*"))


def test_a_default_that_equals_a_variable_of_npm_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `npm run docs` has it: npm_package_name is what the server calls itself."""
    monkeypatch.setenv("npm_package_name", SERVER_NAME)
    monkeypatch.delenv("PDOC_DISPLAY_ENV_VARS", raising=False)
    write_python_api(tmp_path, ("transport.wire_format.plain_requests",))
    page = (tmp_path / "transport" / "wire_format" / "plain_requests.html").read_text(encoding="utf-8")
    assert SERVER_NAME in page
    assert "$npm_package_name" not in page
