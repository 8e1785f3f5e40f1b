"""
An object detector in a local folder, as transformers loads it, with words that are read.

``hugging-face:DIR`` is a model for ``AutoModelForObjectDetection`` with its image processor;
weights are safetensors, no code in the folder is run, and nothing is fetched. Labels of the
model are taken for ARIA roles by the words in them; a label without such a word finds nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from surefoot.capture.detector import BarePicture, DetectedThing, Detector
from surefoot.capture.detectors.pixels import read_texts
from surefoot.core.errors import InvalidInputError, MissingComponentError
from surefoot.core.foreign.model_folders import SAFELY, check_files, loading
from surefoot.core.geometry import Box

LEAST_SCORE: Final = 0.5
# The first word of a label that is found here gives the role.
ROLES: Final = {
    "checkbox": "checkbox", "check": "checkbox", "radio": "radio", "switch": "switch",
    "toggle": "switch", "slider": "slider", "dropdown": "combobox", "select": "combobox",
    "combobox": "combobox", "spinner": "combobox", "input": "textbox", "textbox": "textbox",
    "field": "textbox", "edit": "textbox", "link": "link", "tab": "tab", "button": "button",
    "icon": "button", "menu": "menuitem", "text": "text", "label": "text", "heading": "heading",
    "image": "img", "picture": "img",
}  # fmt: skip


def role_of(label: str) -> str:
    """
    Return the ARIA role that a model's label stands for, "" for none.

    >>> role_of("Text_Input"), role_of("radio-button"), role_of("cat")
    ('textbox', 'radio', '')
    """
    words = "".join(item if item.isalpha() else " " for item in label.casefold()).split()
    return next((role for word, role in ROLES.items() if word in words), "")


def detect_objects(picture: BarePicture, folder: str) -> tuple[DetectedThing, ...]:
    """
    Return the objects that a model finds, and the words that are read in them and beside them.

    Raises InvalidInputError for a folder that holds no such model, and
    MissingComponentError without transformers and torch.
    """
    if not (Path(folder) / "config.json").is_file():
        raise InvalidInputError("a model's folder, with config.json", found=f"'{folder}'")
    image = picture.image
    texts = read_texts(picture, "")
    found: list[DetectedThing] = []
    for label, sides in _objects(folder, image):
        role = role_of(label)
        box = Box(0.0, 0.0, float(image.width), float(image.height)).intersection(sides)
        if not role or role == "text" or box is None:
            continue
        held = [text for text in texts if box.contains(text.box.center)]
        words = " ".join(text.words for text in held)
        lines = tuple(line for text in held for line in text.lines)
        found.append(DetectedThing(role, box, words, lines, sure=all(text.sure for text in held)))
    free = (
        text for text in texts if not any(item.box.contains(text.box.center) for item in found)
    )
    return (*found, *free)


def _objects(folder: str, image: Any) -> list[tuple[str, Box]]:  # noqa: ANN401 - a picture
    try:
        import torch
        from transformers import AutoImageProcessor, AutoModelForObjectDetection
    except ImportError as error:
        raise MissingComponentError(
            "transformers and torch", found="none", remedy="run: pip install 'surefoot[local]'"
        ) from error
    check_files(Path(folder))
    with loading("an object detector", Path(folder)):
        prepare: Any = AutoImageProcessor.from_pretrained(folder, **SAFELY)
        model: Any = AutoModelForObjectDetection.from_pretrained(
            folder, use_safetensors=True, **SAFELY
        )
    with torch.inference_mode():
        output = model.eval()(**prepare(images=image, return_tensors="pt"))
    size = [(image.height, image.width)]
    seen = prepare.post_process_object_detection(output, threshold=LEAST_SCORE, target_sizes=size)[
        0
    ]
    rows = zip(seen["labels"].tolist(), seen["boxes"].tolist(), strict=True)
    return [
        (model.config.id2label[label], Box(*map(float, box)))
        for label, box in rows
        if box[0] < box[2] and box[1] < box[3]
    ]


def _files(folder: str) -> tuple[Path, ...]:
    names = ("config.json", "preprocessor_config.json")
    weights = sorted(file for file in Path(folder).glob("*.safetensors") if file.is_file())
    return (*(file for name in names if (file := Path(folder) / name).is_file()), *weights)


HUGGING_FACE: Final = Detector(
    name="hugging-face",
    version=1,
    summary="a local folder for AutoModelForObjectDetection, with words read: hugging-face:DIR",
    find=detect_objects,
    files=_files,
)
