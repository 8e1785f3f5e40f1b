"""
An object detector in a local folder: its boxes become elements, and strangers are refused.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from surefoot.capture.detector import BarePicture, detect
from surefoot.capture.detectors import hugging_face
from surefoot.core.errors import InvalidInputError
from surefoot.core.screen import Screen


def blank() -> BarePicture:
    """Return a picture with nothing on it."""
    file = io.BytesIO()
    Image.new("RGB", (64, 48), "white").save(file, "PNG")
    return BarePicture("blank", file.getvalue())


@pytest.mark.slow
def test_a_folder_of_weights_finds_boxes_in_the_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small network, saved as transformers saves it, is loaded and gives boxes in pixels."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.YolosConfig(
        hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        image_size=[32, 32], patch_size=16, num_detection_tokens=3, id2label={0: "Button"},
        label2id={"Button": 0}, use_mid_position_embeddings=False,
    )  # fmt: skip
    transformers.YolosForObjectDetection(config).save_pretrained(tmp_path)
    size = {"height": 32, "width": 32}
    transformers.YolosImageProcessor(size=size, do_pad=False).save_pretrained(tmp_path)
    monkeypatch.setattr(hugging_face, "LEAST_SCORE", 0.0)
    found = hugging_face.detect_objects(blank(), str(tmp_path))
    empty = Screen("s", "p", "x", "", 64, 48, 1.0, "", "en", ())
    shown = detect(empty, blank(), f"hugging-face:{tmp_path}")

    assert [item.box for item in shown.elements] == sorted(
        (item.box for item in found), key=lambda box: (box.top, box.left, box.bottom, box.right)
    )
    assert shown.guessed_by == "hugging-face@1"
    assert {item.role for item in found} == {"button"}
    assert all(0 <= item.box.left < item.box.right <= 64 for item in found)
    assert all(0 <= item.box.top < item.box.bottom <= 48 for item in found)


def test_what_is_no_detector_is_refused(tmp_path: Path) -> None:
    """A folder without a model, and one of another kind of model, are refused by name."""
    pytest.importorskip("transformers")
    with pytest.raises(InvalidInputError, match=r"config\.json"):
        hugging_face.detect_objects(blank(), str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "llama"}', "utf-8")
    with pytest.raises(InvalidInputError, match="an object detector"):
        hugging_face.detect_objects(blank(), str(tmp_path))
