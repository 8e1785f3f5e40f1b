"""
The tree of errors: messages in three parts, exit codes, and one root.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import msgspec
import pytest

from surefoot.core import errors
from surefoot.core.errors import (
    CaptureError,
    ExitCode,
    InvalidInputError,
    MissingComponentError,
    ModelError,
    NondeterminismError,
    SurefootError,
    UnitError,
    UserError,
    plain_words,
)


def _all() -> list[type[SurefootError]]:
    found = [value for _, value in inspect.getmembers(errors, inspect.isclass)]
    return [item for item in found if issubclass(item, SurefootError)]


@pytest.mark.parametrize(
    ("found", "remedy", "message"),
    [
        ("none", "", "Expected a page, found none."),
        ("two", "close one", "Expected a page, found two. Close one."),
        ("two", "did you mean 'x'?", "Expected a page, found two. Did you mean 'x'?"),
    ],
)
def test_messages_have_three_parts(found: str, remedy: str, message: str) -> None:
    """Expected, found and what to do make one or two sentences, and stay readable apart."""
    error = UserError("a page", found=found, remedy=remedy)
    assert str(error) == message
    assert (error.expected, error.found, error.remedy) == ("a page", found, remedy)


def test_exit_codes_follow_the_tree() -> None:
    """The user's mistakes exit with 2, missing components with 3, anything else with 1."""
    for kind in _all():
        if issubclass(kind, UserError):
            assert kind.exit_code == ExitCode.USER_ERROR
        elif issubclass(kind, MissingComponentError):
            assert kind.exit_code == ExitCode.MISSING_COMPONENT
        else:
            assert kind.exit_code == ExitCode.SOME_UNITS_FAILED
    assert [int(code) for code in ExitCode] == [0, 1, 2, 3, 4]


def test_the_drawn_tree_is_the_tree() -> None:
    """Every class stands in the module's drawing."""
    drawing = errors.__doc__ or ""
    for kind in _all():
        assert kind.__name__ in drawing


def test_unit_errors_carry_a_reason() -> None:
    """A page's and a model's failure are unit errors with a machine-readable reason."""
    for kind in (CaptureError, ModelError):
        error = kind("timeout", expected="a reply", found="none", remedy="wait longer")
        assert isinstance(error, UnitError)
        assert error.reason == "timeout"
        assert str(error) == "Expected a reply, found none. Wait longer."
    assert not issubclass(NondeterminismError, UnitError | UserError)


def test_invalid_input_is_a_value_error() -> None:
    """Code that knows nothing of us can catch malformed input as what it is."""
    with pytest.raises(ValueError, match="Expected a number, found a word"):
        raise InvalidInputError("a number", found="a word")


class _Sized(msgspec.Struct, forbid_unknown_fields=True):
    width: int
    name: str | None = None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ('{"width": "x"}', "text instead of a whole number in 'width'"),
        ('{"width": 1, "name": []}', "a list instead of text or nothing in 'name'"),
        ('{"width": 1, "tall": 2}', "the unknown field 'tall'"),
        ("{}", "no field 'width'"),
        ("[1]", "a list instead of an object"),
        ("{width}", "malformed JSON: object keys must be strings (byte 1)"),
        ("{", "data that ends too early"),
    ],
)
def test_what_a_reader_of_records_says_is_put_into_plain_words(given: str, words: str) -> None:
    """An error of the library that reads records tells the place and the types in words."""
    with pytest.raises(msgspec.DecodeError) as raised:
        msgspec.json.decode(given, type=_Sized)

    assert plain_words(raised.value) == words
    assert UserError("a record", found=raised.value).found == words


def test_what_the_system_says_is_put_into_plain_words(tmp_path: Path) -> None:
    """Numbers of errors, paths and names of codecs stay out of a message."""
    with pytest.raises(OSError, match="No such file") as absent:
        (tmp_path / "absent").read_bytes()
    with pytest.raises(UnicodeDecodeError) as broken:
        b"\xff".decode()

    assert plain_words(absent.value) == "no such file or directory"
    assert plain_words(broken.value) == "bytes that are no UTF-8"
    assert plain_words(ValueError()) == "ValueError"
    inner = UserError("a number above 0", found="-1")
    assert plain_words(inner) == "-1 instead of a number above 0"
