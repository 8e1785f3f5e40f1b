"""
Count how many values of letters a bag of words gives to the right fields.

    python bench/letters_words.py [INSTANCES] [SEED] [LANGUAGE]

For each level, INSTANCES (4) documents of each form of the catalogue are written and read by
what the agent ``words`` reads with; no page is opened. A value is right where the form would
take it for the instance's, a file by its name alone.
"""

from __future__ import annotations

import sys

from surefoot.forms.agents.words import read_by_words
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import FileValue, Value
from surefoot.forms.letters.writing import LEVELS, Level, write_document
from surefoot.forms.specification import Field
from surefoot.forms.values.making import instances
from surefoot.forms.values.normalise import normalise, same_value


def is_right(field: Field, found: object, gold: Value, language: str) -> bool:
    """Say whether what was found is a field's value."""
    if isinstance(gold, FileValue):
        return isinstance(found, FileValue) and found.name == gold.name
    if isinstance(gold, bool):
        return bool(found) == gold
    read = normalise(field, found, language=language) if isinstance(found, str) else found
    return same_value(read, gold)  # type: ignore[arg-type]


def measure(level: Level, count: int, seed: int, language: str) -> tuple[int, int]:
    """Return how many values of a level were right, and of how many."""
    right = values = 0
    for form in catalogue().values():
        for instance in instances(form, seed, count):
            paper = write_document(form, instance, level=level, seed=seed, language=language)
            golds = instance.values
            files = [value.name for value in golds.values() if isinstance(value, FileValue)]
            found = read_by_words(form, paper.text, files=files, language=language)
            fields = [field for field in form.fields if field.id in golds]
            right += sum(
                is_right(item, found.get(item.id), golds[item.id], language) for item in fields
            )
            values += len(fields)
    return right, values


def main() -> None:
    """Run all levels over the whole catalogue."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1  # noqa: PLR2004
    language = sys.argv[3] if len(sys.argv) > 3 else "en"  # noqa: PLR2004
    for level in LEVELS:
        right, values = measure(level, count, seed, language)
        print(f"{level:12} {right} of {values} values, {100 * right / values:.1f} %")


if __name__ == "__main__":
    main()
