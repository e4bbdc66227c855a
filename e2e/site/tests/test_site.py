"""The pages make a site: every link and every line of the menu leads somewhere."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
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


class ReadPage(HTMLParser):
    """What a page of the API is linked to, and by which names it can be."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if told.get("id") is not None:
            self.anchors.add(told["id"] or "")
        if tag == "a":
            self.links.append(told.get("href") or "")


def links_that_lead_nowhere(folder: Path) -> list[str]:
    pages = {path.resolve(): ReadPage(path) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in page.links:
            name, _, anchor = link.partition("#")
            target = pages.get((path.parent / name).resolve() if name else path)
            if "://" not in link and (target is None or (anchor and anchor not in target.anchors)):
                found.append(f"{path.name}: {link}")
    return found


def test_the_api_has_a_scheme_with_its_docstring_no_test_and_no_link_that_leads_nowhere(tmp_path: Path) -> None:
    write_python_api(tmp_path, ("cc", "transport.aioquic_adapter"))
    assert links_that_lead_nowhere(tmp_path) == []
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
