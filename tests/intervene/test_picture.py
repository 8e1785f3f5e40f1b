"""
States in two dimensions.
"""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from surefoot.core.errors import InvalidInputError, UnknownNameError
from surefoot.intervene.application import apply_settings
from surefoot.intervene.memory import build_memory
from surefoot.intervene.picture import placed_states, principal
from surefoot.intervene.search import search_settings
from surefoot.report.states.drawing import draw_states, write_picture
from surefoot.verbs.xli import _layers
from tests.intervene.conftest import PlantedModel


@pytest.fixture(scope="module")
def applied(benches: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a memory and what was applied of it."""
    out = tmp_path_factory.mktemp("applied")
    model = PlantedModel(*benches.values(), shared=True, base=0.3)
    build_memory(benches["memory"], model, out / "memory", share=1, layers=[2])
    search_settings(
        out / "memory", benches["validation"], model, out / "search", alphas=(1.0,), share=1
    )
    apply_settings(out / "memory", out / "search", benches["test"], model, out / "out")
    return out


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_what_is_added_leads_to_english(applied: Path, method: str) -> None:
    """After, each state lies nearer to its English one than before, in the picture, too."""
    (placed,) = placed_states(applied / "out", applied / "memory", method)

    assert set(placed.points) == {"english", "before", "xli", "random", "shuffled"}
    assert len({points.shape for points in placed.points.values()}) == 1
    if method == "pca":
        far = {
            name: float(np.linalg.norm(points - placed.points["english"], axis=1).mean())
            for name, points in placed.points.items()
        }
        assert far["xli"] < far["before"]


def test_axes_are_the_principal_ones() -> None:
    """The two axes are those of the greatest variance, as the covariance matrix has them."""
    rows = np.random.default_rng(1).standard_normal((200, 6)) * [5, 1, 3, 1, 1, 1]

    mean, axes, told = principal(rows.astype(np.float32))

    values, vectors = np.linalg.eigh(np.cov(rows.T))
    np.testing.assert_allclose(mean, rows.mean(axis=0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(np.abs(vectors[:, ::-1][:, :2].T @ axes), np.eye(2), atol=1e-4)
    assert told == pytest.approx(values[-2:].sum() / values.sum(), rel=1e-5)


def test_a_picture_is_drawn_in_both_forms(applied: Path, tmp_path: Path) -> None:
    """The SVG reads as XML with a mark for each state; the PNG opens; other names are refused."""
    placed = placed_states(applied / "out", applied / "memory")
    marks = sum(len(points) for points in placed[0].points.values())

    drawn = ET.fromstring(draw_states(placed))
    assert len(drawn.findall(".//{*}circle")) == marks + 5
    write_picture(placed, tmp_path / "states.png")
    assert Image.open(io.BytesIO((tmp_path / "states.png").read_bytes())).size[0] > 300
    with pytest.raises(InvalidInputError, match=r"\.svg or \.png"):
        write_picture(placed, tmp_path / "states.pdf")


def test_another_method_or_memory_is_refused(applied: Path) -> None:
    """A method that is not known is named with those that are."""
    with pytest.raises(UnknownNameError, match="pca"):
        placed_states(applied / "out", applied / "memory", "umap")


def test_layers_are_read_as_they_are_written() -> None:
    """Ranges and single layers are read, anything else is refused."""
    assert _layers("11-13,20") == (11, 12, 13, 20)
    assert _layers("") == ()
    with pytest.raises(InvalidInputError, match="11-18"):
        _layers("top")
