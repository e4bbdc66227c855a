"""What `python -m cc` tells the other parts, and what README.md tells people."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import cc.scheme_file
import cc.sender
from cc.command_line.scheme_file_error import SchemeFileError
from cc.listing import main, registry_json, scheme_table
from cc.receiver.presets import PRESETS, PRESETS_FILE, Preset, UnknownPresetError, preset
from cc.registry import SCHEMES, UnknownSchemeError, scheme, with_names_of_their_own
from cc.scheme_file import load_entry

FOLDER = Path(__file__).parents[1]


def test_json_names_every_scheme_and_preset() -> None:
    registry = json.loads(registry_json())
    assert [entry["name"] for entry in registry["schemes"]] == [entry.name for entry in SCHEMES]
    fields = {"name", "title", "control", "family", "summary", "source", "policy", "reads"}
    assert all(set(entry) == fields for entry in registry["schemes"])
    assert [entry["name"] for entry in registry["presets"]] == [preset.name for preset in PRESETS]
    assert registry["presets"] == json.loads(PRESETS_FILE.read_text(encoding="utf-8"))
    reads = {entry["name"]: entry["reads"] for entry in registry["schemes"]}
    assert set(reads["nuwa"]) == set(registry["presets"][0]) - {"name", "title", "summary"}
    assert (reads["kuafu"], reads["drwa"], reads["cubic"]) == (["target_delay_ms", "follows_need"], [], [])


def test_a_scheme_has_words_that_there_are_and_a_name_of_its_own() -> None:
    with pytest.raises(ValueError, match=r"cubic has the control 'sendr': write one of sender, receiver$"):
        replace(scheme("cubic"), control="sendr")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cubic has the family 'Loss': write one of Receiver-driven, "):
        replace(scheme("cubic"), family="Loss")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two schemes are called cubic: give one of them another name"):
        with_names_of_their_own((*SCHEMES, replace(scheme("bic"), name="cubic")))


def test_a_scheme_that_there_is_not_is_named_with_the_nearest() -> None:
    with pytest.raises(
        UnknownSchemeError, match=r"'kuafuu' is unknown \(did you mean kuafu\?\); known schemes: nuwa, "
    ):
        scheme("kuafuu")
    with pytest.raises(UnknownSchemeError, match="'0000' is unknown; known schemes: nuwa, "):
        scheme("0000")


@pytest.fixture
def annas_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A file of which a test says what stands in it, where those of schemes are looked for."""
    folder = tmp_path / "cc" / "sender"
    folder.mkdir(parents=True)
    monkeypatch.setattr(cc.scheme_file, "FOLDER", tmp_path / "cc")
    monkeypatch.setattr(cc.sender, "__path__", [*cc.sender.__path__, str(folder)])
    yield folder / "anna.py"
    sys.modules.pop("cc.sender.anna", None)
    vars(cc.sender).pop("anna", None)


ENTRY = """\
from cc.core.scheme import Scheme
from cc.sender.newreno import NewReno

SCHEME = Scheme(
    name="anna", title="Anna", control="sender", family="Loss-based", summary="s", source="none", make_sender=NewReno
)
"""


@pytest.mark.parametrize(
    ("written", "instead", "sentence"),
    [
        ("control=", "contol=", r"^cc/sender/anna\.py:4: TypeError: .* unexpected keyword argument 'contol'$"),
        ('"sender"', '"sendr"', r"^cc/sender/anna\.py:4: ValueError: the scheme anna has the control 'sendr': "),
        ("=NewReno", "=NewRen", r"^cc/sender/anna\.py:5: NameError: name 'NewRen' is not defined"),
        ("SCHEME = ", "SCHEM = ", r"^cc/sender/anna\.py: AttributeError: .* no attribute 'SCHEME'"),
        ("SCHEME = Scheme(", "SCHEME = dict(", r"^cc/sender/anna\.py: SCHEME is no Scheme: write SCHEME = "),
        ("cc.core.scheme", "cc.core.schemes", r"^cc/sender/anna\.py:1: ModuleNotFoundError: .*'cc\.core\.schemes'$"),
        ("SCHEME = Scheme(", "SCHEME = Scheme(]", r"^cc/sender/anna\.py:4: SyntaxError: "),
        ("SCHEME = ", "{}['k']\nSCHEME = ", r"^cc/sender/anna\.py:4: KeyError: 'k'$"),
        ("SCHEME = ", "open('none.onnx')\nSCHEME = ", r"^cc/sender/anna\.py:4: FileNotFoundError: .*'none\.onnx'$"),
        ("SCHEME = ", "1 / 0\nSCHEME = ", r"^cc/sender/anna\.py:4: ZeroDivisionError: "),
        ("SCHEME = ", "assert not NewReno\nSCHEME = ", r"^cc/sender/anna\.py:4: AssertionError"),
        ("import NewReno", "import NewRenoo", r"^cc/sender/anna\.py:2: ImportError: cannot import name 'NewRenoo' "),
    ],
)
def test_what_is_wrong_in_a_schemes_file_is_told_with_its_line(
    annas_file: Path, written: str, instead: str, sentence: str
) -> None:
    annas_file.write_text(ENTRY.replace(written, instead), encoding="utf-8")
    with pytest.raises(SchemeFileError, match=sentence):
        load_entry("sender.anna:SCHEME")


def test_a_hook_whose_name_is_mistyped_is_told(annas_file: Path) -> None:
    anna = "\n\nclass Anna(NewReno):\n    def {}(self): ...\n\nSCHEME = "
    slips = {"on_packet_sents": "on_packet_sent", "on_decisin": "on_decision", "on_akc": "on_ack", "onAck": "on_ack"}
    for hook, meant in slips.items():
        annas_file.write_text(ENTRY.replace("\nSCHEME = ", anna.format(hook)).replace("=NewReno", "=Anna"), "utf-8")
        with pytest.raises(
            SchemeFileError, match=rf"anna\.py:\d+: ValueError: Anna\.{hook} is no hook, and {meant} is"
        ):
            load_entry("sender.anna:SCHEME")
        sys.modules.pop("cc.sender.anna", None)
    for own in ("on_round", "phases", "sending_rate_bytes_per_s"):
        annas_file.write_text(ENTRY.replace("\nSCHEME = ", anna.format(own)).replace("=NewReno", "=Anna"), "utf-8")
        assert load_entry("sender.anna:SCHEME").name == "anna"
        sys.modules.pop("cc.sender.anna", None)


def test_an_entry_without_a_file_is_told_and_a_file_without_an_entry(annas_file: Path) -> None:
    with pytest.raises(
        SchemeFileError, match=r"^cc/registry\.py names sender\.anna:SCHEME, and there is no cc/sender/"
    ):
        load_entry("sender.anna:SCHEME")
    annas_file.write_text(ENTRY, encoding="utf-8")
    with pytest.raises(UnknownSchemeError, match=r"\(cc/sender/anna\.py is there: write its entry into cc/registry"):
        scheme("anna")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("nuwa_rl", r" \(did you mean nuwa-rl\?\)"),
        ("hd_tcp", r" \(did you mean hd-tcp\?\)"),
        ("pcc", r" \(did you mean gcc\?\)"),
        ("observer", ""),
    ],
)
def test_no_entry_is_asked_for_that_is_there_or_that_cannot_be(name: str, hint: str) -> None:
    with pytest.raises(UnknownSchemeError, match=f"^scheme '{name}' is unknown{hint}; known schemes: "):
        scheme(name)


def test_names_and_titles_are_told_apart() -> None:
    assert len({entry.name for entry in SCHEMES}) == len({entry.title for entry in SCHEMES}) == len(SCHEMES)


def test_defaults_exist() -> None:
    registry = json.loads(registry_json())
    assert registry["defaults"]["scheme"] in [entry["name"] for entry in registry["schemes"]]
    assert registry["defaults"]["preset"] in [entry["name"] for entry in registry["presets"]]


NO_PACKAGES = "import runpy, sys; sys.path.insert(0, '.'); runpy.run_module('cc', run_name='__main__')"


def test_runs_with_an_interpreter_that_has_no_packages() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", NO_PACKAGES],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("module", "arguments", "prog"),
    [
        ("cc", [], "python -m cc"),
        ("transport", ["serve", "."], "python -m transport serve"),
        ("e2e.nuwa", ["simulate", "cubic"], "nuwa simulate"),
        ("e2e.laboratory", ["--help"], "python -m e2e.laboratory"),
    ],
)
def test_every_program_tells_of_a_schemes_file_that_is_at_fault(module: str, arguments: list[str], prog: str) -> None:
    without = "import runpy, sys; sys.modules['cc.sender.hybla'] = None; "
    run = f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-c", without + run, *arguments],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"{prog}: cc/registry.py names sender.hybla:SCHEME, and there is no "
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(said)


def test_unknown_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--tables"], prog="python -m cc")
    assert "unrecognized arguments: --tables" in capsys.readouterr().err


def test_help_names_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"], prog="python -m cc")
    said = capsys.readouterr().out
    assert "--table" in said


def test_readme_has_the_table_of_the_registry() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert scheme_table() in readme, "README.md's table is old: `.venv/bin/python -m cc --table` prints the new one"


def test_readme_example_runs() -> None:
    assert doctest.testfile(str(FOLDER / "README.md"), module_relative=False).failed == 0


@pytest.mark.parametrize("entry", PRESETS, ids=lambda entry: entry.name)
def test_presets_are_found_by_name_and_make_sound_parameters(entry: Preset) -> None:
    assert preset(entry.name) is entry
    chosen = entry.parameters
    assert (chosen.target_delay_s, chosen.rho_s, chosen.k) == (entry.target_delay_s, entry.rho_s, entry.k)
    assert chosen.catches_up == (entry.name == "mobile")
    assert chosen.follows_need == (entry.name == "film")
    assert chosen.as_in_paper == (entry.name == "paper")


def test_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(UnknownPresetError, match="'fast' is unknown; known presets: on-demand, film, live"):
        preset("fast")


@pytest.mark.parametrize("line", ["import time", "from random import random", "import aioquic.quic", "import socket"])
def test_lint_keeps_the_folder_pure(line: str) -> None:
    ruff = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise"]
    done = subprocess.run(
        [*ruff, "--stdin-filename", str(FOLDER / "sender" / "impure.py"), "-"],
        input=line + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "TID251" in done.stdout, done.stdout + done.stderr
