"""Published weights become policies: synthetic ones of the published shapes, beside the same network in numpy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from numpy.typing import NDArray

from cc.core.decision import DecisionRequest
from models.command import main
from models.policies.import_weights import INDIGO_ORDER, WeightsError, import_weights
from models.policies.policy import load_policy
from models.policies.published import SYSTEMS

Arrays = dict[str, NDArray[np.float32]]
RNG = np.random.default_rng(5)


def synthetic(system: str) -> Arrays:
    """Under the names that checkpoints have."""
    arrays = {}
    for name, wanted in SYSTEMS[system].wanted.items():
        key = wanted.word.strip("/") if "/" in wanted.word else f"model/{wanted.word}_{name}"
        values = RNG.normal(scale=0.3, size=wanted.shape)
        arrays[key] = (np.abs(values) + 0.5 if "variance" in name else values).astype(np.float32)
    return arrays


def npz(folder: Path, arrays: Mapping[str, NDArray[np.generic]]) -> Path:
    file = folder / "weights.npz"
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file


def by_name(system: str, arrays: Arrays) -> Arrays:
    return dict(zip(SYSTEMS[system].wanted, arrays.values(), strict=True))


def answers(system: str, folder: Path, states: NDArray[np.float64]) -> list[float | None]:
    runner = load_policy(system, folder).runner()
    return [runner.decide(DecisionRequest(at, tuple(state))) for at, state in enumerate(states)]


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def test_indigo_is_a_basic_lstm_cell_over_scaled_states(tmp_path: Path) -> None:
    arrays = synthetic("indigo")
    import_weights("indigo", [npz(tmp_path, arrays)], tmp_path)
    own = by_name("indigo", arrays)
    states = np.hstack([RNG.uniform(1, 400, (40, 4)), np.eye(5)[RNG.integers(0, 5, 40)]])
    hidden, cell = np.zeros(32), np.zeros(32)
    expected = []
    for state in states:
        scaled = np.concatenate([state[:3] / 200, state[3:4] / 5000, state[4:], hidden])
        i, j, f, o = np.split(scaled @ own["lstm kernel"] + own["lstm bias"], 4)
        cell = cell * sigmoid(f + 1) + sigmoid(i) * np.tanh(j)
        hidden = np.tanh(cell) * sigmoid(o)
        expected.append(int(np.argmax(hidden @ own["score kernel"] + own["score bias"])))
    assert answers("indigo", tmp_path, states) == expected
    assert len(set(expected)) > 1


def test_indigos_data_file_is_read_as_it_is_published(tmp_path: Path) -> None:
    arrays = synthetic("indigo")
    own = by_name("indigo", arrays)
    file = tmp_path / "model.data-00000-of-00001"
    flat = np.concatenate([np.zeros(1, np.float32), *(own[name].ravel() for name in INDIGO_ORDER)])
    file.write_bytes(flat.astype("<f4").tobytes())
    assert file.stat().st_size == 22_168
    by_data = import_weights("indigo", [file], tmp_path / "data")
    by_npz = import_weights("indigo", [npz(tmp_path, arrays)], tmp_path / "npz")
    assert by_data.sha256 == by_npz.sha256
    file.write_bytes(b"1234")
    with pytest.raises(WeightsError, match="has 4 bytes, and Indigo's published weights have 22168"):
        import_weights("indigo", [file], tmp_path)


def test_aurora_is_two_layers_of_tanh_within_the_range(tmp_path: Path) -> None:
    arrays = synthetic("aurora")
    value_network = {f"model/vf_{name}": 0 * values for name, values in arrays.items()}
    both = {**arrays, **{key.replace("pi_", ""): values for key, values in value_network.items()}}
    import_weights("aurora", [npz(tmp_path, both)], tmp_path)
    own = by_name("aurora", arrays)
    states = RNG.uniform(-1, 2, (20, 30))
    first = np.tanh(states @ own["first kernel"] + own["first bias"])
    second = np.tanh(first @ own["second kernel"] + own["second bias"])
    expected = np.clip(second @ own["last kernel"] + own["last bias"], -5, 5)[:, 0]
    assert answers("aurora", tmp_path, states) == pytest.approx(expected.tolist(), abs=1e-5)


def test_orca_has_its_normalisation_within_its_layers(tmp_path: Path) -> None:
    arrays = synthetic("orca")
    target = {f"target_{name}": values for name, values in arrays.items()}
    import_weights("orca", [npz(tmp_path, {**arrays, **target})], tmp_path)
    own = by_name("orca", arrays)
    states = RNG.uniform(0, 1, (20, 70))
    x = states
    for layer in ("first", "second"):
        x = x @ own[f"{layer} kernel"] + own[f"{layer} bias"]
        x = (x - own[f"{layer} mean"]) / np.sqrt(own[f"{layer} variance"] + 1e-3) + own[f"{layer} beta"]
        x = np.where(x > 0, x, 0.2 * x)
    expected = np.tanh(x @ own["last kernel"] + own["last bias"])[:, 0]
    assert answers("orca", tmp_path, states) == pytest.approx(expected.tolist(), abs=1e-4)


def test_the_card_says_whence(tmp_path: Path) -> None:
    card = import_weights("aurora", [npz(tmp_path, synthetic("aurora"))], tmp_path)
    assert "PCCproject/PCC-RL (Apache-2.0)" in card.source
    assert card.training.command == "nuwa models import aurora weights.npz"
    assert "weights.npz (SHA-256 " in card.notes[0]


def test_weights_of_another_shape_or_no_numbers_are_refused(tmp_path: Path) -> None:
    arrays = synthetic("orca")
    lacking = {name: values for name, values in arrays.items() if "dense/bias" not in name}
    with pytest.raises(WeightsError, match=r"shape \(1,\) with '/actor/dense/bias/' .* last bias; found: none"):
        import_weights("orca", [npz(tmp_path, lacking)], tmp_path)
    arrays["actor/fc1/kernel"][0, 0] = np.nan
    with pytest.raises(WeightsError, match="no finite number"):
        import_weights("orca", [npz(tmp_path, arrays)], tmp_path)


def test_the_command_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = npz(tmp_path, synthetic("aurora"))
    assert main(["import", "aurora", str(file), "--folder", str(tmp_path / "imported")]) == 0
    assert f"--policies {tmp_path / 'imported' / 'aurora'}" in capsys.readouterr().out
    file.write_bytes(b"no archive")
    assert main(["import", "aurora", str(file), "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"{file} is no .npz file of numpy: see nuwa models import --help\n"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"^there is no file .*weights\.npz$"):
        import_weights("orca", [tmp_path / "weights.npz"], tmp_path)


def other_archive(file: Path) -> None:
    """As PyTorch's checkpoints and downloads of whole repositories are."""
    with ZipFile(file, "w") as archive:
        archive.writestr("model/data.pkl", b"no array")


def broken_stream(file: Path) -> None:
    np.savez_compressed(file, weights=np.zeros(1000))
    content = bytearray(file.read_bytes())
    at = content.index(b"weights.npy") + len(b"weights.npy") + 24
    content[at : at + 8] = b"\xff" * 8
    file.write_bytes(content)


def encrypted(file: Path) -> None:
    np.savez(file, weights=np.zeros(3))
    content = bytearray(file.read_bytes())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1
    file.write_bytes(content)


@pytest.mark.parametrize("make", [other_archive, broken_stream, encrypted])
def test_an_archive_of_something_else_is_told(
    make: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.npz"
    make(file)
    assert main(["import", "orca", str(file), "--folder", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{file} is no .npz file of numpy (")


@pytest.mark.parametrize("kind", ["U8", "complex64", "bool"])
def test_arrays_of_something_else_than_numbers_are_no_weights(kind: str, tmp_path: Path) -> None:
    arrays = {name: values.astype(kind) for name, values in synthetic("aurora").items()}
    with pytest.raises(WeightsError, match=r"^one array of numbers of shape \(30, 32\) .* found: none$"):
        import_weights("aurora", [npz(tmp_path, arrays)], tmp_path)


def test_weights_that_come_to_no_number_are_refused(tmp_path: Path) -> None:
    negative = synthetic("orca")
    negative["actor/batch_normalization/moving_variance"][7] = -1.0
    (tmp_path / "aurora").mkdir()
    large = {name: np.full(values.shape, 1e300) for name, values in synthetic("aurora").items()}
    for system, file in (("orca", npz(tmp_path, negative)), ("aurora", npz(tmp_path / "aurora", large))):
        with pytest.raises(WeightsError, match="hold, or come to, a value that is no finite number"):
            import_weights(system, [file], tmp_path)


def test_a_folder_that_cannot_be_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = npz(tmp_path, synthetic("aurora"))
    assert main(["import", "aurora", str(file), "--folder", str(file)]) == 2
    said = f"{file / 'aurora'} cannot be written: Not a directory; give another --folder\n"
    assert capsys.readouterr().err == said
