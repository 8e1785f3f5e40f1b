"""
Tests of the verifier: it proves what is said once, and doubts every value that is cut out.
"""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

import surefoot.forms.letters as package
from surefoot.core.errors import InvalidInputError
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import Instance, TaskDocument, ValueSpan
from surefoot.forms.letters.verifying import verify, without
from surefoot.forms.letters.writing import LEVELS, Level, write_document
from surefoot.forms.specification import Field, Form, Kind, Page
from surefoot.forms.values.making import make_instance


def field_of(name: str, kind: Kind, label: str, fill: str) -> Field:
    """Make a field with an English label."""
    return Field(id=name, kind=kind, label={"en": label}, fill=fill)


FORM = Form(
    id="stay",
    code="X",
    domain="Travel",
    title={"en": "Stay"},
    pages=(
        Page(
            title={"en": "Stay"},
            fields=(
                field_of("guest", Kind.STRING, "Name of the guest", "person.full_name"),
                field_of("email", Kind.EMAIL, "E-mail address", "person.email"),
                field_of("first", Kind.DATE, "First day", "date.future"),
                field_of("last", Kind.DATE, "Last day", "date.future"),
                field_of("beds", Kind.NUMBER, "Beds", "number.count"),
                field_of("pets", Kind.CHECKBOX, "I travel with pets", "flag"),
            ),
        ),
    ),
)
SAID: dict[str, tuple[str | bool, str]] = {
    "guest": ("Ann Lee", "Ann Lee"),
    "email": ("ann@example.org", "ann@example.org"),
    "first": ("2026-05-03", "3 May 2026"),
    "last": ("2026-05-17", "two weeks after 3 May 2026"),
    "beds": ("12", "a dozen"),
    "pets": (False, "I do not travel with pets"),
}
TEXT = (
    "The name of the guest is Ann Lee. My e-mail address is ann@example.org.\n"
    "I arrive on 3 May 2026, the first day. The last day falls two weeks after 3 May 2026.\n"
    "We need a dozen beds. I do not travel with pets.\n"
)
INSTANCE = Instance("stay", 1, 0, 0, {name: gold for name, (gold, _) in SAID.items()})


def document_of(text: str = TEXT, leave: str = "") -> TaskDocument:
    """Mark what SAID says in a text, from left to right, but for one field."""
    spans: list[ValueSpan] = []
    at = 0
    for name, (_, said) in SAID.items():
        start = text.index(said, at)
        at = start + len(said)
        if name != leave:
            spans.append(ValueSpan(name, start, at, "reworded"))
    return TaskDocument("letter", "paraphrased", text, tuple(spans))


def reasons(document: TaskDocument) -> set[tuple[str, str]]:
    """Return which field is doubted why."""
    return {(doubt.field, doubt.why) for doubt in verify(FORM, INSTANCE, document)}


def test_a_letter_written_by_hand_is_doubted_for_its_repeated_anchor_alone() -> None:
    """A derived day that names another field's day is doubted, one with its own anchor not."""
    assert reasons(document_of()) == {("last", "confused")}
    other = TEXT.replace("two weeks after 3 May 2026", "one day after 16 May 2026")
    spans = tuple(
        msgspec.structs.replace(span, end=span.end - 1)
        if span.field == "last"
        else span
        if span.start < TEXT.index("two weeks")
        else msgspec.structs.replace(span, start=span.start - 1, end=span.end - 1)
        for span in document_of().spans
    )
    assert reasons(TaskDocument("letter", "derived", other, spans)) == set()


def proven() -> TaskDocument:
    """Return the letter by hand with a last day that is written out."""
    said = SAID | {"last": ("2026-05-17", "17 May 2026")}
    text = TEXT.replace("two weeks after 3 May 2026", "on 17 May 2026")
    spans = tuple(
        ValueSpan(name, text.rindex(item), text.rindex(item) + len(item), "reworded")
        for name, (_, item) in said.items()
    )
    return TaskDocument("letter", "paraphrased", text, spans)


@pytest.mark.parametrize(
    ("more", "doubt"),
    [
        ("", None),
        ("My sister's mail is bea@example.org.", None),
        ("Write to bea@example.org as well.", ("email", "stray")),
        ("Also good: ANN@example.org.", ("email", "repeated")),
        ("Last year we needed 20 beds.", None),
        ("Perhaps 20 beds.", ("beds", "stray")),
        ("That makes twelve.", ("beds", "repeated")),
        ("Signed: Ann  Lee", ("guest", "repeated")),
        ("The third of May 2026, that is May 3rd, 2026.", ("first", "repeated")),
        ("In short: I do not travel with pets.", ("pets", "repeated")),
    ],
)
def test_what_is_added_is_doubted_where_it_could_mislead(
    more: str, doubt: tuple[str, str] | None
) -> None:
    """A value said again or a stray one of its kind is doubted, unless it is somebody else's."""
    document = proven()
    found = reasons(msgspec.structs.replace(document, text=f"{document.text}{more}\n"))
    assert doubt in found if doubt else not found


def test_spans_that_lie_wrong_are_doubted() -> None:
    """Spans beyond the text, over each other, twice, swapped or of no value are found out."""
    document = proven()
    by_name = {span.field: span for span in document.spans}

    def changed(name: str, **to: object) -> set[tuple[str, str]]:
        spans = tuple(
            msgspec.structs.replace(span, **to) if span.field == name else span
            for span in document.spans
        )
        return reasons(msgspec.structs.replace(document, spans=spans))

    assert ("pets", "outside") in changed("pets", end=len(document.text) + 1)
    assert ("email", "overlap") in changed("guest", end=by_name["email"].start + 1)
    assert ("email", "overlap") in changed("guest", field="email")
    assert ("color", "unasked") in changed("guest", field="color")
    first, last = by_name["first"], by_name["last"]
    swapped = tuple(
        msgspec.structs.replace(span, field={"first": "last", "last": "first"}[span.field])
        if span in {first, last}
        else span
        for span in document.spans
    )
    found = reasons(msgspec.structs.replace(document, spans=swapped))
    assert {("first", "unread"), ("last", "unread")} <= found


def test_a_value_that_two_fields_could_mean_is_confused() -> None:
    """Two days in the same words, or under each other's, are doubted."""
    document = proven()
    vague = document.text.replace(", the first day", ", or so we think").replace(
        "The last day falls on", "Also important: it is "
    )
    assert len(vague) != len(document.text)
    said = ["Ann Lee", "ann@example.org", "3 May 2026", "17 May 2026", "a dozen"]
    names = ["guest", "email", "first", "last", "beds"]
    spans = tuple(
        ValueSpan(name, vague.index(item), vague.index(item) + len(item), "reworded")
        for name, item in zip(names, said, strict=True)
    )
    found = reasons(TaskDocument("letter", "paraphrased", vague, spans))
    assert {("first", "confused"), ("last", "confused"), ("pets", "unmarked")} <= found


def test_a_value_cut_out_is_missed_and_nothing_else() -> None:
    """Cutting each value out of the letter by hand leaves one doubt, of that very field."""
    document = proven()
    for name in INSTANCE.values:
        assert reasons(without(document, name)) == {(name, "missing")}


def test_cutting_out_needs_a_span() -> None:
    """A field without a span cannot be cut out."""
    with pytest.raises(InvalidInputError):
        without(proven(), "color")


def check_deletions(form: Form, index: int, level: Level) -> int:
    """Prove one document of the grammar, cut each value out of it, and count the fields."""
    instance = make_instance(form, seed=5, index=index)
    document = write_document(form, instance, level=level, seed=5)
    assert verify(form, instance, document) == ()
    for name in instance.values:
        doubts = verify(form, instance, without(document, name))
        assert [(doubt.field, doubt.why) for doubt in doubts] == [(name, "missing")]
    return len(instance.values)


@pytest.mark.long
def test_every_form_is_proven_and_every_deletion_caught() -> None:
    """One document of each form, the levels in turn: all is proven, and each value missed."""
    forms = catalogue().values()
    counts = [check_deletions(form, n, LEVELS[n % 3]) for n, form in enumerate(forms)]
    assert sum(counts) > 25 * 9


@pytest.mark.long
@pytest.mark.parametrize("index", range(5))
def test_five_documents_of_each_form_are_proven_and_every_deletion_caught(index: int) -> None:
    """Five documents of each form, the levels in turn: all is proven, and each value missed."""
    for number, form in enumerate(catalogue().values()):
        check_deletions(form, 10 + index, LEVELS[(number + index) % 3])


def test_the_verifier_knows_nothing_of_the_grammar() -> None:
    """The verifier and its readers import no module that writes documents."""
    folder = Path(str(package.__file__)).parent
    sources = [folder / "verifying.py", *sorted((folder / "proof").glob("*.py"))]
    imported = {
        node.module or ""
        for path in sources
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    ours = {item for item in imported if item.startswith(package.__name__)}
    assert ours
    assert all(our.startswith(f"{package.__name__}.proof.") for our in ours)
