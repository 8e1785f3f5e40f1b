"""
Prove the documents of all forms, and delete every value of every one of them.

    python bench/letters.py [INSTANCES] [SEED] [LANGUAGE]

For each level, INSTANCES (50) documents of each form of the catalogue are written and
verified; then each value's span is cut out alone, and the verifier has to name exactly that
field as missing. What failed is printed first, at most 40 lines; then the counts.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator

from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import Instance, TaskDocument
from surefoot.forms.letters.verifying import verify, without
from surefoot.forms.letters.writing import LEVELS, Level, write_document
from surefoot.forms.specification import Form
from surefoot.forms.values.making import instances

SHOWN = 40


def deletions(form: Form, instance: Instance, document: TaskDocument) -> Iterator[tuple[str, str]]:
    """Yield each field whose deletion is not doubted as it should be, with the doubts."""
    for field in instance.values:
        doubts = verify(form, instance, without(document, field))
        if [(doubt.field, doubt.why) for doubt in doubts] != [(field, "missing")]:
            yield field, str([(doubt.field, doubt.why, doubt.found) for doubt in doubts])


def measure(
    level: Level, made: list[tuple[Form, Instance]], seed: int, language: str
) -> list[str]:
    """Print the counts of one level; return what failed."""
    failed: list[str] = []
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    documents = [
        (form, item, write_document(form, item, level=level, seed=seed, language=language))
        for form, item in made
    ]
    wrote = time.perf_counter()
    for form, instance, document in documents:
        doubts = verify(form, instance, document)
        counts["proven"] += not doubts
        counts["derived"] += sum(span.how == "derived" for span in document.spans)
        place = f"{form.code} {instance.index} {document.kind} {level}"
        failed += [f"{place}: {doubt.field} {doubt.why} {doubt.found}" for doubt in doubts]
    proved = time.perf_counter()
    for form, instance, document in documents:
        if verify(form, instance, document):
            continue
        wrong = list(deletions(form, instance, document))
        counts["fields"] += len(instance.values)
        counts["caught"] += len(instance.values) - len(wrong)
        place = f"{form.code} {instance.index} {document.kind} {level}"
        failed += [f"{place}: without {field}: {found}" for field, found in wrong]
    ended = time.perf_counter()
    print(
        f"{level:12} documents {len(documents)}, proven {counts['proven']}; "
        f"fields {counts['fields']}, derived {counts['derived']}, "
        f"deletions caught {counts['caught']}; "
        f"written {len(documents) / (wrote - began):.0f}/s, "
        f"verified {len(documents) / (proved - wrote):.0f}/s, "
        f"deletions {counts['fields'] / (ended - proved):.0f}/s"
    )
    return failed


def main() -> None:
    """Run all levels over the whole catalogue."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1  # noqa: PLR2004
    language = sys.argv[3] if len(sys.argv) > 3 else "en"  # noqa: PLR2004
    made = [
        (form, instance)
        for form in catalogue().values()
        for instance in instances(form, seed, count)
    ]
    failed = [line for level in LEVELS for line in measure(level, made, seed, language)]
    for line in failed[:SHOWN]:
        print(line)
    print(f"{len(failed)} failures")


if __name__ == "__main__":
    main()
