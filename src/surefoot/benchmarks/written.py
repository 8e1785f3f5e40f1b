"""
A language model's phrases among a build's instructions, each proven in every view anew.

The phrases are the model's, what they mean is read by rule and proven on the screen; see
``benchmarks.writing``. Only those elements are asked about that the benchmark will ask for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from surefoot.benchmarks.benchmark import (
    BuildOptions,
    Candidate,
    Fall,
    ImageStore,
    PageResult,
    Phrase,
    WrittenPages,
)
from surefoot.benchmarks.hardest import hardest
from surefoot.benchmarks.sensitivity_parameters import parameters_of
from surefoot.benchmarks.writing import Chat, WrittenPhrase, prompt_for, write_all
from surefoot.core.canonical import canonical_json
from surefoot.core.instruction import Instruction
from surefoot.perturb.pixels import read_pixels
from surefoot.refer.generate.generate import name_visible
from surefoot.refer.generate.hold import holds
from surefoot.refer.scene.scene import Scene

STAGE = "writer"


def write_pages(
    pages: Sequence[PageResult], chat: Chat, store: ImageStore, options: BuildOptions
) -> WrittenPages:
    """
    Have the instructions of the hardest targets said in a model's words.

    Asked for are those on the original screen, the cheapest ``phrases`` of each target (a
    parameter, 0 for all); the chat is called once, with each prompt once. A phrase that is
    kept is an instruction of the original, and of every view in which it is proven again.
    """
    parameters = parameters_of(options.parameters)
    kept = hardest(pages, options)
    works = [
        _Page(page, {candidate.target for candidate in chosen}, parameters.phrases, options)
        for page, chosen in zip(pages, kept, strict=True)
    ]
    prompts = list(dict.fromkeys(prompt for work in works for prompt in work.prompts()))
    replies = dict(zip(prompts, chat(prompts), strict=True))
    written = [work.written(replies, store) for work in works]
    phrases = tuple(phrase for work in works for phrase in work.phrases)
    return WrittenPages(tuple(written), phrases)


class _Page:
    """Hold what one page's targets share; a picture is decoded when it is first needed."""

    def __init__(
        self, page: PageResult, targets: set[str], most: int, options: BuildOptions
    ) -> None:
        self.phrases: list[Phrase] = []
        self._page = page
        self._targets = targets
        self._most = most
        self._hidden = options.hidden_names
        self._original = page.screens[0].id if page.screens else ""
        self._falls: Counter[tuple[str, str]] = Counter()

    def prompts(self) -> Iterator[str]:
        """Yield what is to be asked, target by target."""
        for candidate in self._page.candidates:
            yield from map(prompt_for, self._asked(candidate))

    def written(self, replies: Mapping[str, str], store: ImageStore) -> PageResult:
        """Return the page's result with the phrases that were kept, counting all others."""
        scenes = PageScenes(self._page, store)
        candidates = tuple(
            self._candidate(candidate, replies, scenes)
            if candidate.target in self._targets
            else candidate
            for candidate in self._page.candidates
        )
        falls = tuple(Fall(*key, count) for key, count in sorted(self._falls.items()))
        return msgspec.structs.replace(
            self._page, candidates=candidates, falls=(*self._page.falls, *falls)
        )

    def _asked(self, candidate: Candidate) -> list[Instruction]:
        if candidate.target not in self._targets:
            return []
        instructions = candidate.instructions.get(self._original, ())
        plain = [
            instruction
            for instruction in instructions
            if not instruction.wording and instruction.language == "en"
        ]
        return plain[: self._most or None]

    def _candidate(
        self, candidate: Candidate, replies: Mapping[str, str], scenes: PageScenes
    ) -> Candidate:
        asked = self._asked(candidate)
        if not asked:
            return candidate

        def chat(prompts: Sequence[str]) -> list[str]:
            return [replies[prompt] for prompt in prompts]

        instructions = candidate.instructions[self._original]
        written = list(_once(instructions, write_all(asked, scenes[self._original], chat)))
        for instruction, phrase in zip(asked, written, strict=True):
            self._falls[STAGE, phrase.fate] += 1
            pair = f"{self._page.page}#{candidate.target}"
            self.phrases.append(
                Phrase(pair, instruction.text, phrase.phrase, phrase.fate, phrase.detail)
            )
        kept = [phrase.instruction for phrase in written if phrase.instruction is not None]
        views = in_views(candidate, kept, self._original, scenes, self._falls, hidden=self._hidden)
        return msgspec.structs.replace(candidate, instructions=views)


def in_views(
    candidate: Candidate,
    kept: Sequence[Instruction],
    original: str,
    scenes: Mapping[str, Scene],
    falls: Counter[tuple[str, str]],
    *,
    hidden: bool,
) -> dict[str, tuple[Instruction, ...]]:
    """
    Return a candidate's instructions by screen, with phrases that were kept on the original.

    In every other view in which it is asked for, a phrase is kept where it is proven again;
    ``falls`` count those that are not. What no resolver proves stays on the original.
    """

    def shown(screen: str) -> Iterator[Instruction]:
        for instruction in kept:
            if screen == original:
                yield instruction
            elif not instruction.proof:
                yield from _held(instruction, scenes[screen], falls, hidden=hidden)

    return {
        screen: (*before, *shown(screen)) if before else before
        for screen, before in candidate.instructions.items()
    }


def _held(
    instruction: Instruction, scene: Scene, falls: Counter[tuple[str, str]], *, hidden: bool
) -> Iterator[Instruction]:
    """Yield a phrase as it holds in a view, or count why it does not."""
    target = instruction.target
    rejection = holds(instruction.expression, target, scene, hidden_names=hidden)
    if rejection is None:
        yield msgspec.structs.replace(instruction, name_visible=name_visible(scene, target))
    else:
        falls[f"{STAGE}'s phrases on {scene.screen.variant}", rejection.reason] += 1


class PageScenes(dict[str, Scene]):
    """Make a page's scenes as they are asked for, by the id of the screen."""

    def __init__(self, page: PageResult, store: ImageStore) -> None:
        super().__init__()
        self._screens = {screen.id: screen for screen in page.screens}
        self._store = store

    def __missing__(self, screen: str) -> Scene:
        shown = self._screens[screen]
        pixels = read_pixels(self._store.get(shown.image), (shown.width, shown.height))
        self[screen] = Scene(shown, pixels)
        return self[screen]


def _once(
    instructions: Sequence[Instruction], written: Sequence[WrittenPhrase]
) -> Iterator[WrittenPhrase]:
    """Yield what was written, but no words that were said before, and no meaning twice."""
    words = {instruction.text.casefold() for instruction in instructions}
    meanings: set[bytes] = set()
    for phrase in written:
        found = phrase.instruction
        if found is None:
            yield phrase
            continue
        text, meaning = found.text.casefold(), canonical_json(found.expression)
        if text in words or meaning in meanings:
            yield WrittenPhrase(phrase.phrase, "said before")
        else:
            yield phrase
        words.add(text)
        meanings.add(meaning)
