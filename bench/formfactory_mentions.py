"""
Count how many of FormFactory's published values its own letters mention, literally and by meaning.

    python bench/formfactory_mentions.py FORMFACTORY/data --show 40

FORMFACTORY/data holds data1 (right values) and data2 (a file of letters for each form). Each
value is looked for in the letter of its own record, and, as a measure of what is found by
accident, in that of the next record. ``--show`` prints so many values, drawn by the seed, that
only one of the two measures finds, and as many that neither does.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from pathlib import Path

from surefoot.core.seeds import random_source
from surefoot.forms.catalogue.reading import catalogue
from surefoot.forms.instance import Value
from surefoot.forms.scoring.fields import mentions
from surefoot.forms.scoring.meaning import means
from surefoot.forms.specification import Field
from surefoot.forms.values.formfactory import import_formfactory


def main() -> None:
    """Count, and print what there is to look at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    imported = import_formfactory(options.data)
    letters: dict[str, list[str]] = defaultdict(list)
    for record in imported.records:
        letters[record.form].append(record.text)
    counts: Counter[tuple[str, str]] = Counter()
    lists: dict[str, list[tuple[str, Field, Value, str]]] = {"+": [], "-": [], "0": []}
    for record in imported.records:
        own = letters[record.form]
        text = own[record.number - 1]
        other = own[record.number % len(own)]
        for name, value in record.values.items():
            field = catalogue()[record.form].field(name)
            if field is None or value is False or value == ():
                continue
            literal, meant = mentions(text, field, value), means(text, field, value)
            accident = mentions(other, field, value), means(other, field, value)
            for key in (field.kind, "all"):
                counts[key, "values"] += 1
                counts[key, "literal"] += literal
                counts[key, "meaning"] += meant
                counts[key, "gained"] += meant and not literal
                counts[key, "lost"] += literal and not meant
                counts[key, "next literal"] += accident[0]
                counts[key, "next meaning"] += accident[1]
            which = "0" if literal == meant else "+" if meant else "-"
            if which != "0" or not meant:
                lists[which].append((f"{record.form} {record.number}", field, value, text))
    columns = (
        *("values", "literal", "meaning", "gained", "lost", "next literal", "next meaning"),
    )
    print(f"{'':14}", *(f"{column:>13}" for column in columns))
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind:14}", *(f"{counts[kind, column]:13,}" for column in columns))
    for which, title in (("+", "GAINED"), ("-", "LOST"), ("0", "STILL MISSED")):
        found = lists[which]
        shown = min(options.show, len(found))
        for place, field, value, text in random_source(options.seed, which).sample(found, shown):
            said = " ".join(text.split())
            print(f"\n{title} {place} {field.id} ({field.kind}): {value!r}\n  {said}")


if __name__ == "__main__":
    main()
