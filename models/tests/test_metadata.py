"""Models say of themselves what their cards say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from models.command import main
from models.policies.card import OBSERVATION, STATES, read_card
from models.policies.folder import POLICIES
from models.policies.metadata import METADATA_FIELD, describe, fields_of, metadata, with_metadata
from models.policies.policy import VECTORS, PolicyError, known_policies, load_policy


@pytest.mark.parametrize("name", known_policies())
def test_a_shipped_model_says_what_its_card_says_and_decides_as_without_it(name: str) -> None:
    card = read_card(POLICIES / f"{name}.json")
    model = (POLICIES / f"{name}.onnx").read_bytes()
    assert with_metadata(model, card) == model, f"run: npm run nuwa -- models describe {name}"
    bare = b"".join(field for number, field in fields_of(model) if number != METADATA_FIELD)
    described, plain = (
        onnxruntime.InferenceSession(bytes_, providers=["CPUExecutionProvider"]) for bytes_ in (model, bare)
    )
    assert described.get_modelmeta().custom_metadata_map == metadata(card)
    assert plain.get_modelmeta().custom_metadata_map == {}
    rng = np.random.default_rng(1)
    given = {OBSERVATION: rng.uniform(0, 1000, (1, card.space.observation_size)).astype(np.float32)}
    if card.recurrent_units is not None:
        given |= {state: np.ones((1, card.recurrent_units), np.float32) for state in STATES}
    shapes = {item.name: item.shape for item in plain.get_inputs()}
    given = {key: value.reshape(shapes[key]) for key, value in given.items()}
    for answer, same in zip(described.run(None, given), plain.run(None, given), strict=True):
        assert np.array_equal(answer, same)


def test_a_model_is_described_once_and_its_hash_follows(tmp_path: Path) -> None:
    for file in POLICIES.glob("nuwa-rl.*"):
        shutil.copy(file, tmp_path)
    card_file = tmp_path / "nuwa-rl.json"
    card_file.write_text(card_file.read_text().replace('"source": "', '"source": "Another: '))
    assert main(["describe", "--folder", str(tmp_path), "nuwa-rl"]) == 0
    card = load_policy("nuwa-rl", tmp_path).card
    assert card.sha256 != read_card(POLICIES / "nuwa-rl.json").sha256
    assert json.loads((tmp_path / f"nuwa-rl{VECTORS}").read_text())["sha256"] == card.sha256
    assert card.sha256 in (tmp_path / "nuwa-rl.md").read_text()
    assert not describe("nuwa-rl", tmp_path)


def test_what_cannot_be_described_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "--folder", str(tmp_path), "owl"]) == 2
    assert "owl" in capsys.readouterr().err
    with pytest.raises(PolicyError):
        describe("owl", tmp_path)
    card = read_card(POLICIES / "owl.json")
    for broken in (b"\x0a\x05a", b"\x80", b"\x0b"):
        with pytest.raises(ValueError, match="the model"):
            with_metadata(broken, card)


def test_a_trained_seed_is_described_by_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (POLICIES / "bbr-fit.json", POLICIES / "bbr-fit.onnx"):
        shutil.copy(file, tmp_path)
    for name in ("run", "validation"):
        (tmp_path / f"{name}.json").write_text("{}", encoding="utf-8")
    assert main(["describe", "--folder", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "bbr-fit: as it was\n"


def test_a_folder_without_policies_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["describe", "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{tmp_path} has no policy to describe\n"
    for verb in (["describe"], ["evaluate", "owl"], ["renew", "owl"]):
        with pytest.raises(SystemExit, match="2"):
            main([*verb, "--folder", str(tmp_path / "nowhere")])
        assert f"there is no folder '{tmp_path / 'nowhere'}'" in capsys.readouterr().err


def test_weights_that_were_trained_elsewhere_are_described(tmp_path: Path) -> None:
    """As `models import` writes their card."""
    for suffix in (".json", ".onnx"):
        shutil.copy(POLICIES / f"bbr-fit{suffix}", tmp_path)
    file = tmp_path / "bbr-fit.json"
    card = json.loads(file.read_text(encoding="utf-8"))
    card["results"], card["training"]["scenarios"], card["source"] = {}, {}, "somebody else"
    file.write_text(json.dumps(card), encoding="utf-8")
    assert main(["describe", "--folder", str(tmp_path), "bbr-fit"]) == 0
    page = (tmp_path / "bbr-fit.md").read_text(encoding="utf-8")
    assert load_policy("bbr-fit", tmp_path).card.sha256 in page
    assert "Learned on" not in page
    assert "Judged on" not in page
