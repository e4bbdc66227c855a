"""Skeletons in a copy of the clone: what is written passes the checks and its tests, and bad names write nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path

import pytest

from e2e.nuwa.new.command import main
from e2e.nuwa.new.identifiers import identifiers
from e2e.nuwa.new.recipe_kind import recipe_skeleton
from e2e.nuwa.new.skeleton import Name

ROOT = Path(__file__).parents[3]
NODE_PROGRAMS = ROOT / "node_modules" / ".bin"
LIMIT_S = 240
NOT_COPIED = (".git", ".venv", ".build", ".data", "node_modules", "dist", "*_cache", ".hypothesis")
# names that nobody takes: whoever follows CONTRIBUTING.md has a my-scheme; first and last where a registry is sorted
WANTED = (
    ("scheme", "a-skeleton-scheme"),
    ("receiver-scheme", "a-skeleton-receiver"),
    ("receiver-scheme", "zz-skeleton-receiver"),
    ("trace", "a-skeleton-trace"),
    ("rule", "a-skeleton-rule"),
    ("rule", "zz-skeleton-rule"),
    ("fault", "a-skeleton-fault"),
    ("fault", "zz-skeleton-fault"),
    ("attack", "a-skeleton-attack"),
    ("attack", "zz-skeleton-attack"),
    ("study", "a-skeleton-study"),
    ("study", "zz-skeleton-study"),
)
BY_REGISTRY = {"scheme", "receiver-scheme", "recipe"}
"""Kinds whose place in tables goes by Python's registry: a process of the copy has the former skeletons there, too."""
VARIANTS = (("a-skeleton-gain", "bbr-fit"), ("zz-skeleton-rank", "zixia"), ("nuwa-rl-skeleton", "nuwa-rl"))
OF_ALL_ENTRIES = (
    "cc/tests/test_contract.py",
    "cc/tests/test_registry.py",
    "cc/tests/test_receiver_vectors.py",
    "cc/tests/test_link_traces.py",
    "models/tests/test_table.py",
    "e2e/abuse/tests/test_registry.py",
    "e2e/abuse/tests/test_security_page.py",
    "e2e/laboratory/films/tests/test_films.py::test_an_unknown_name_is_refused_before_anything_starts",
    "e2e/nuwa/tests/test_prose.py",
)
"""Tests that a new entry may break, whatever it is."""
THEIR_PART = "skeleton or test_registry or table or row or unique or told_of_every or unknown_name or test_prose"
"""Of these, what goes by new entries or by all of them."""
IN_TYPESCRIPT = (
    "cc/receiver/receiver-vectors",
    "player/src/options/names",
    "player/src/rules/registry",
    "player/src/rules/steady-link",
    "skeleton",
)

needs_node = pytest.mark.skipif(not NODE_PROGRAMS.is_dir(), reason="the npm packages are not installed")


def copy_of_the_clone(folder: Path) -> Path:
    copy = folder / "clone"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
    if NODE_PROGRAMS.is_dir():
        (copy / "node_modules").symlink_to(ROOT / "node_modules")
    (copy / ".venv").symlink_to(sys.prefix)  # where tests in TypeScript look for Python
    for command in (["init", "--quiet"], ["add", "*.md"]):  # the test of pages asks git for them
        subprocess.run(["git", *command], cwd=copy, check=True)
    if sys.pycache_prefix is not None:
        kept = Path(sys.pycache_prefix)
        with suppress(OSError, shutil.Error):  # what Python compiled of these sources, if it did
            shutil.copytree(below(kept, ROOT), below(kept, copy), ignore=shutil.ignore_patterns(*NOT_COPIED))
    return copy


def below(folder: Path, path: Path) -> Path:
    """Where this folder keeps what belongs to a path of anywhere."""
    return folder / path.relative_to(path.anchor)


def run(copy: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=LIMIT_S, check=False)


def passes(copy: Path, *command: str | Path) -> str:
    done = run(copy, *command)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def of_no_known_entry() -> str:
    """A pattern of the names of tests, without those of single entries of the clone: these have run there."""
    known = re.findall(r'\| "(.+)"', (ROOT / "player" / "src" / "options" / "names.ts").read_text(encoding="utf-8"))
    return rf"^(?!'?(?:{'|'.join(known)})\b(?!-))"


def changed_at(copy: Path) -> dict[Path, int]:
    """When each source was written, ns of the epoch."""
    sources = (path for path in copy.rglob("*.[tpm][sdy]") if not {"node_modules", ".venv"} & set(path.parts))
    return {path: path.stat().st_mtime_ns for path in sources}


def told_by_a_process(copy: Path, arguments: Sequence[str]) -> tuple[int, str, str]:
    done = run(copy, sys.executable, "-m", "e2e.nuwa", "new", *arguments)
    return done.returncode, done.stdout, done.stderr


def told_here(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Without a process of its own, whose start would take most of the time."""
    with redirect_stdout(StringIO()) as output, redirect_stderr(StringIO()) as errors:
        exit_code = main(arguments)
    return exit_code, output.getvalue(), errors.getvalue()


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with one more of everything."""
    copy = copy_of_the_clone(tmp_path_factory.mktemp("grown"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("e2e.nuwa.new.command.ROOT", copy)
        for arguments in (*WANTED, *(("recipe", name, "--of", base) for name, base in VARIANTS)):
            goes_by_registry = arguments[0] in BY_REGISTRY
            exit_code, output, errors = told_by_a_process(copy, arguments) if goes_by_registry else told_here(arguments)
            assert (exit_code, errors) == (0, "")
            assert output.startswith("wrote ")
            assert "\nnext: " in output
    return copy


def test_what_is_written_in_python_passes_the_checks(grown: Path) -> None:
    for check in (["check"], ["format", "--check"]):
        passes(grown, sys.executable, "-m", "ruff", *check, "--no-cache", "cc", "models", "e2e")
    with suppress(OSError, shutil.Error):  # what `npm run check` knows of the other files, if it ran
        shutil.copytree(ROOT / ".mypy_cache", grown / ".mypy_cache")
    mypy = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml"]
    passes(grown, *mypy, "-p", "cc.sender", "-p", "cc.links.traces", "-p", "models.recipes")


def test_what_is_written_in_python_passes_its_tests(grown: Path) -> None:
    own = [str(path.relative_to(grown)) for path in grown.glob("*/tests/test_*skeleton*.py")]
    assert len(own) == len(VARIANTS) + 4
    passes(grown, sys.executable, "-m", "pytest", "-q", *OF_ALL_ENTRIES, *own, "-k", THEIR_PART)


def test_a_study_leaves_its_figures(grown: Path) -> None:
    said = passes(grown, sys.executable, "-m", "e2e.nuwa", "bench", "zz-skeleton-study", "--repeats", "1")
    assert said.startswith("# Zz skeleton study\n")
    assert re.search(r"\| p95 queueing delay, kuafu +\| [\d.]+ ms", said), said


def test_a_summary_has_the_levels_of_the_trace(grown: Path) -> None:
    made = run(grown, sys.executable, "-m", "e2e.nuwa", "trace", "show", "a-skeleton-trace")
    assert made.returncode == 0, made.stderr
    text = (grown / "cc" / "links" / "traces" / "a_skeleton_trace.py").read_text(encoding="utf-8")
    assert 'summary="Alternates between 8.6 and 2.1 Mbit/s, ' in text
    assert "8.59" in made.stdout


@pytest.mark.parametrize(
    ("base", "gone"), [("zixia", "episode_reward, judge, judge_text"), ("owl", "reference, online_value")]
)
def test_a_recipe_leaves_what_goes_with_the_reward_of_another(base: str, gone: str) -> None:
    written = recipe_skeleton(Name("skeleton-mine"), ROOT, base).files["models/recipes/skeleton_mine.py"]
    overrides = re.findall(r"^    (\w+)=None,$", written, re.MULTILINE)
    assert overrides == gone.split(", ")


@needs_node
def test_what_is_written_in_typescript_passes_the_checks_and_its_tests(grown: Path) -> None:
    written = ("player/src/rules", "player/src/options/names.ts", "e2e/browser/faults", "cc/receiver", "e2e/laboratory")
    passes(grown, NODE_PROGRAMS / "biome", "check", "--vcs-enabled=false", *written)
    passes(grown, NODE_PROGRAMS / "tsc", "--noEmit")
    options = ("--no-color", "-t", of_no_known_entry())
    said = passes(grown, NODE_PROGRAMS / "vitest", "run", *options, *IN_TYPESCRIPT)
    assert re.search(r"Test Files +6 passed \(6\)", said), said  # of each some test


def test_a_variant_has_its_original_for_a_rival_and_its_own_words_for_a_title() -> None:
    variant = recipe_skeleton(Name("owl-calm"), ROOT, "owl")
    assert 'rivals=(*OWL.rivals, by_policy("owl")),' in variant.files["models/recipes/owl_calm.py"]
    assert 'title="Owl, calm"' in variant.edits["cc/sender/owl.py"]


def test_words_of_comments_and_strings_are_no_identifiers() -> None:
    python = identifiers('a = f("b c")  # d\n', "py")
    assert {"a", "f", "print"} <= python
    assert not {"b", "c", "d"} & python
    typescript = '/* a */ const b = `c ${d}`; // "e\nf("g // h", \'i\');'
    assert identifiers(typescript, "ts") == {"const", "b", "d", "f"}


@needs_node
def test_a_fault_is_in_its_registry_and_on_its_page(grown: Path) -> None:
    config = grown / "faults.config.mjs"  # that of e2e/browser would look for browsers first
    config.write_text('export default { test: { include: ["e2e/browser/faults/registry.test.ts"] } };\n')
    passes(grown, NODE_PROGRAMS / "vitest", "run", "--config", config)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("scheme cubic", "a scheme is called cubic (CUBIC) already: choose another name"),
        ("trace steps", "a trace is called steps already: choose another name"),
        ("rule nuwa", "player/src/rules/nuwa.ts exists already: choose another name"),
        ("rule bola", "a rule is called bola already: choose another name"),
        ("fault udp-gone", "e2e/browser/faults/udp-gone.ts exists already: choose another name"),
        ("scheme omniscient", "omniscient means something else where schemes are named: choose another name"),
        ("receiver-scheme drwa", "a scheme is called drwa (DRWA) already: choose another name"),
        ("scheme self", "self means something else where schemes are named: choose another name"),
        ("scheme ", "'' is no name: take lower-case letters"),
        ("trace none", "'none' is no name: take lower-case letters"),
        ("scheme true", "'true' is no name: take lower-case letters"),
        ("rule static", "'static' is no name: take lower-case letters"),
        ("recipe ppo --of owl", "the scheme's file has a PPO already: choose another name"),
        ("recipe recipes", "models/recipes/__init__.py has a RECIPES already: choose another name"),
        ("recipe owl", "a scheme is called owl (Owl) already: choose another name"),
        ("recipe mine --of indigo", "--of: indigo imitates an expert, and learns from no reward: take another"),
        ("recipe mine --of owls", "--of: policy 'owls' is unknown: did you mean owl?"),
        ("study fairness", "a benchmark is called fairness already: choose another name"),
        ("study learned", "a benchmark is called learned already: choose another name"),
        ("study pages", "a benchmark is called pages already: choose another name"),
        ("study bench", "e2e/laboratory/studies/bench.py exists already: choose another name"),
        ("attack acks-ahead", "there is an attack acks-ahead already: choose another name"),
        ("receiver-scheme stamp", "Stamp means something else in receiver.py: choose another name"),
        ("receiver-scheme math", "Math means something else in receiver.ts: choose another name"),
        ("scheme scheme", "Scheme means something else in scheme.py: choose another name"),
        ("rule decide", "decide means something else in rule.ts: choose another name"),
        ("rule expect", "expect means something else in rule.test.ts: choose another name"),
        ("rule mine --of owl", "--of is for recipes; a rule is of nothing"),
        ("scheme My_Scheme", "'My_Scheme' is no name: take lower-case letters"),
        ("rule new", "'new' is no name: take lower-case letters"),
        ("schema mine", "argument KIND: invalid choice: 'schema'"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence_and_nothing_is_written(
    arguments: str,
    sentence: str,
    grown: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("e2e.nuwa.new.command.ROOT", grown)
    before = changed_at(grown)
    try:
        exit_code: str | int | None = main(arguments.split(" "))
    except SystemExit as ending:  # of the parser
        exit_code = ending.code
    said = capsys.readouterr()
    assert (exit_code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith(f"nuwa new: {sentence}")
    assert changed_at(grown) == before
