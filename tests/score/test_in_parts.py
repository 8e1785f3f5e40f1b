"""
Tables in parts: to the last bit the scores of the table at once, whatever the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from surefoot.core.canonical import canonical_json
from surefoot.core.errors import InvalidInputError
from surefoot.core.geometry import Point
from surefoot.core.question import Parsed, Refusal, Unparsed
from surefoot.score.in_parts import PartSums, facts_of_parts, fits, summarise_parts
from surefoot.score.metric import Ruler
from surefoot.score.outcomes import Outcomes, Record, by_model
from surefoot.score.scoring import tabulate_for
from surefoot.score.scorings.hits import HITS
from surefoot.score.scorings.overlap import OVERLAP
from surefoot.score.summary import Summary, summarise

RecordMaker = Callable[..., Record]


def draw(record: RecordMaker, seed: int, elements: int = 30) -> list[Record]:
    """Draw answers of three models, some of which are lost, under conditions that some lack."""
    random = np.random.default_rng(seed)
    rows = []
    for pair in range(elements):
        kinds = ["direct", "relational"][: 1 + pair % 2]
        shown = [one for one in ("original", "style", "zoom") if random.random() < 0.9]
        for model in ("a", "b", "c"):
            for variant in shown:
                for kind in kinds:
                    for reasoning in (False, True)[: 1 + (model != "c")]:
                        near = random.normal(120, 12), random.normal(110, 8)
                        replies: list[Parsed | None] = [Point(*near), Unparsed("?"), None]
                        reply = replies[int(random.choice(3, p=[0.9, 0.05, 0.05]))]
                        rows.append(
                            record(
                                Refusal("no") if random.random() < 0.02 else reply,
                                model=model,
                                pair=f"p{pair:03}",
                                cluster=f"site{pair % 7}",
                                variant=variant,
                                instruction=kind,
                                reasoning=reasoning,
                                role=("button", "link")[pair % 3 == 0],
                            )
                        )
    return rows


def tables(rows: Sequence[Record], count: int, by: str) -> list[Outcomes]:
    """Return the tables of so many parts, by elements or by sites, some of which may be empty."""
    parts: list[list[Record]] = [[] for _ in range(count)]
    for row in rows:
        parts[hash_of(getattr(row[1], by)) % count].append(row)
    return [tabulate_for(HITS, by_model(part)) for part in parts if part]


def hash_of(name: str) -> int:
    """Return a number that hangs on a name alone."""
    return sum(at * ord(letter) for at, letter in enumerate(name, start=1))


def spelt(summary: Summary | None) -> bytes:
    """Spell every number of a summary, but for what a table in parts leaves out."""
    assert summary is not None
    return canonical_json(msgspec.structs.asdict(summary))


@pytest.mark.parametrize("by", ["pair", "cluster"])
@settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), tolerance=st.sampled_from([0.0, 20.0]))
def test_parts_come_to_the_scores_of_the_whole(
    record: RecordMaker, by: str, seed: int, tolerance: float
) -> None:
    """One, three and sixteen parts, by elements or by sites, give all numbers to the last bit."""
    rows, ruler = draw(record, seed), Ruler(tolerance=tolerance)
    whole = spelt(summarise(tabulate_for(HITS, by_model(rows)), HITS, ruler))

    for count in (1, 3, 16):
        parts = tables(rows, count, by)
        found = summarise_parts(lambda parts=parts: parts, HITS, ruler)  # type: ignore[misc]
        assert found is not None
        assert spelt(found[0]) == whole
        assert found[1] == ["modes of failure"]


@pytest.mark.parametrize("order", [1, -1])
def test_sums_of_shards_merge_in_any_order(record: RecordMaker, order: int) -> None:
    """Sums that shards took by themselves merge to those of the whole, which stay usable."""
    rows = draw(record, 5)
    parts = tables(rows, 5, "cluster")[::order]
    facts = facts_of_parts(iter(parts), HITS, "site")
    shards = []
    for part in parts:
        shards.append(PartSums(HITS, Ruler(), "site", facts))
        shards[-1].add(part)
    merged = PartSums(HITS, Ruler(), "site", facts)
    for shard in shards:
        merged.merge(shard)
    again = PartSums(HITS, Ruler(), "site", facts)
    for shard in shards:
        again.merge(shard)
    whole = spelt(summarise(tabulate_for(HITS, by_model(rows)), HITS))

    assert spelt(merged.summary()) == spelt(again.summary()) == whole


def test_what_sums_do_not_tell_is_left_to_the_table(record: RecordMaker) -> None:
    """One site, too many clusters, and a scoring with medians are not scored in parts."""
    rows = draw(record, 1, elements=4)
    one = [
        (model, msgspec.structs.replace(question, cluster="site"), answer)
        for model, question, answer in rows
    ]
    alone, several = (tabulate_for(HITS, by_model(part)) for part in (one, rows))

    def parts() -> Iterator[Outcomes]:
        yield alone

    assert summarise_parts(parts, HITS) is None
    facts = facts_of_parts([several], HITS, "site")
    assert fits(facts, HITS, "site")
    assert not fits(facts, OVERLAP, "site")
    many = msgspec.structs.replace(facts, clusters=frozenset(map(str, range(10_000_000))))
    assert not fits(many, HITS, "site")


def test_no_question_is_an_error() -> None:
    """Without a question there is nothing to score."""
    with pytest.raises(InvalidInputError, match="at least one question"):
        summarise_parts(lambda: [tabulate_for(HITS, [])], HITS)
