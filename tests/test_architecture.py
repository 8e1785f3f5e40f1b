"""
The rules of the code, held by reading it; each rule is shown to catch a bad sample.

A rule takes a file's text and its name and returns one line for each breach.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from importlinter.cli import lint_imports

ROOT: Final = Path(__file__).parent.parent
SOURCE: Final = ROOT / "src" / "surefoot"
STUDIES: Final = ROOT / "studies" / "src" / "surefoot_studies"
LONGEST_FILE: Final = 800
FULLEST_FOLDER: Final = 25
COPIED_LINES: Final = 6
LONG_SCRIPT: Final = 120
# The engine turns any error of one unit into that unit's failure, and a program ends with a
# line instead of a traceback; nobody else may.
# Loaders of other libraries raise any error over a folder that is none of theirs.
# Playwright raises no class but Exception when its driver dies at its start, and a function
# that somebody else wrote may raise any.
GUARDS: Final = {
    "run/engine/worker.py": 1,
    "core/endings.py": 1,
    "core/registry.py": 2,
    "core/foreign/model_folders.py": 1,
    "capture/web/driver.py": 1,
    "capture/web/login.py": 1,
    "models/function.py": 1,
    "models/weights/responder.py": 1,
}
PAGE_WORDS: Final = re.compile(r"=>|\bfunction\b[^\n]*\(|\bdocument\.|\bwindow\.|querySelector")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Rule = Callable[[str, str], list[str]]


def code_files() -> list[Path]:
    """Return every source, test and script file of ours."""
    folders = ("src", "studies/src", "tests", "scripts", "bench", "attacks")
    found = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    # What a build makes of packages is not ours.
    made = {"dist", "node_modules"}
    scripts = [file for file in SOURCE.rglob("*.js") if not made & set(file.parts)]
    return sorted([*found, *scripts, ROOT / "conftest.py"])


def source_texts() -> dict[str, str]:
    """Return every module of the package and of the studies, by its place there."""
    return {
        str(file.relative_to(root)): file.read_text("utf-8")
        for root in (SOURCE, STUDIES.parent)
        for file in sorted(root.rglob("*.py"))
    }


@functools.lru_cache(maxsize=1)
def nodes_of(text: str) -> tuple[ast.AST, ...]:
    """Return every node of a source text, its module first, parsed once for all rules."""
    return tuple(ast.walk(ast.parse(text)))


def functions(text: str) -> Iterator[Function]:
    """Yield every function and method, nested ones too."""
    yield from (node for node in nodes_of(text) if isinstance(node, Function))


def statements(function: Function) -> list[ast.stmt]:
    """Return a function's body without its docstring."""
    return function.body[ast.get_docstring(function) is not None :]


def long_files(text: str, name: str) -> list[str]:
    """Find a file of more lines than the limit."""
    lines = len(text.splitlines())
    return [f"{name}: {lines} lines"] if lines > LONGEST_FILE else []


def full_folders(names: Iterable[str]) -> list[str]:
    """Find folders of more modules than the limit; of verbs there are as many as files."""
    held = Counter(name.rpartition("/")[0] for name in names)
    full = {folder: count for folder, count in held.items() if count > FULLEST_FOLDER}
    return [f"{folder}: {count} files" for folder, count in full.items() if folder != "verbs"]


def prints(text: str, name: str) -> list[str]:
    """Find `print` and writes to the standard streams outside ``cli`` and child programs."""
    if name.startswith("cli/") or name.endswith(("/__main__.py", "core/endings.py")):
        return []
    calls = (node.func for node in nodes_of(text) if isinstance(node, ast.Call))
    printing = re.compile(r"print|sys\.(stdout|stderr)\.write")
    return [f"{name}:{call.lineno}" for call in calls if printing.fullmatch(ast.unparse(call))]


def broad_excepts(text: str, name: str) -> list[str]:
    """Find handlers of everything, apart from the engine's guards."""
    caught: list[ast.expr | None] = []
    for node in nodes_of(text):
        if isinstance(node, ast.ExceptHandler):
            caught.append(node.type)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
            caught += node.args
    broad = [expression for expression in caught if expression is None or everything(expression)]
    return [f"{name}: a broad except"] * (len(broad) - GUARDS.get(name, 0))


def everything(caught: ast.expr) -> bool:
    """Say whether an expression names a class that catches everything."""
    names = {node.id for node in ast.walk(caught) if isinstance(node, ast.Name)}
    return bool(names & {"Exception", "BaseException"})


def misplaced_lists(text: str, name: str) -> list[str]:
    """
    Find an inner module with ``__all__``, or an ``__init__`` that does not list its names.

    What is public in a module has no underscore; an ``__init__`` lists what it brings together.
    """
    tree = ast.parse(text)
    public, listed = set(), None
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                listed = set(ast.literal_eval(value))
            case ast.ImportFrom(module=module, names=names) if module != "__future__":
                public |= {alias.asname or alias.name for alias in names}
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), body=body) if name == "__init__.py":
                lazy = [item for item in body if isinstance(item, ast.ImportFrom)]
                public |= {alias.name for item in lazy for alias in item.names}
            case (
                ast.FunctionDef(name=own)
                | ast.ClassDef(name=own)
                | ast.Assign(targets=[ast.Name(id=own)])
                | ast.AnnAssign(target=ast.Name(id=own))
            ):
                public.add(own)
    if not name.endswith("__init__.py"):
        return [] if listed is None else [f"{name}: __all__ in an inner module"]
    if listed is None:
        bare = all(isinstance(node, ast.Expr | ast.ImportFrom) for node in tree.body)
        return [] if bare and not public else [f"{name}: no __all__"]
    return [f"{name}: {missing} is listed, and not there" for missing in sorted(listed - public)]


def page_scripts(text: str, name: str) -> list[str]:
    """Find long strings that look like JavaScript; those belong into a .js file."""
    documentation = {
        id(node.body[0].value)
        for node in nodes_of(text)
        if isinstance(node, Function | ast.ClassDef | ast.Module)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        f"{name}:{node.lineno}: a script in a string"
        for node in nodes_of(text)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in documentation
        and len(node.value) > LONG_SCRIPT
        and PAGE_WORDS.search(node.value)
    ]


def _lines(body: list[ast.stmt]) -> int:
    """Return how many lines statements span, which formatted code has at least one for each."""
    return (body[-1].end_lineno or 0) - body[0].lineno + 1


def fingerprint(function: Function) -> str:
    """Return a function's body with its own names replaced by their order; "" if short."""
    body = statements(function)
    if not body or _lines(body) < COPIED_LINES:
        return ""
    module = ast.parse(ast.unparse(ast.Module(body, [])))
    if len(ast.unparse(module).splitlines()) < COPIED_LINES:
        return ""
    own = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    own |= {
        node.id
        for node in ast.walk(module)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    order: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = order.setdefault(node.id, f"name{len(order)}")
    return ast.dump(module)


def copies(texts: dict[str, str]) -> list[str]:
    """Find function bodies of six lines or more that occur twice, names of locals apart."""
    places = defaultdict(list)
    for name, text in texts.items():
        for function in functions(text):
            body = fingerprint(function)
            if body:
                places[body].append(f"{name}:{function.lineno} {function.name}")
    return [" = ".join(same) for same in places.values() if len(same) > 1]


def shared_class_names(texts: dict[str, str]) -> list[str]:
    """Find names of public classes that stand in more than one file."""
    places = defaultdict(list)
    for name, text in texts.items():
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    return [f"{name}: {', '.join(files)}" for name, files in places.items() if len(files) > 1]


def dialect(text: str, name: str) -> list[str]:
    """Find variables called ``each``, which does not say of what."""
    return [
        f"{name}:{node.lineno} each"
        for node in nodes_of(text)
        if (isinstance(node, ast.Name) and node.id == "each")
        or (isinstance(node, ast.arg) and node.arg == "each")
    ]


def imports_of_the_top(text: str, name: str) -> list[str]:
    """Find modules within ``surefoot`` that import ``surefoot`` itself, which imports them."""
    if name.startswith("surefoot_studies/"):
        return []
    return [
        f"{name}:{node.lineno} imports surefoot"
        for node in nodes_of(text)
        if (isinstance(node, ast.ImportFrom) and node.module == "surefoot")
        or (isinstance(node, ast.Import) and "surefoot" in {alias.name for alias in node.names})
    ]


SOURCE_RULES: Final[list[Rule]] = [
    imports_of_the_top,
    dialect,
    prints,
    broad_excepts,
    misplaced_lists,
    page_scripts,
]
BAD: Final[list[tuple[Rule, str]]] = [
    (imports_of_the_top, "from surefoot import __version__"),
    (imports_of_the_top, "def f():\n    import surefoot"),
    (dialect, "for each in rows:\n    f()"),
    (dialect, "key = lambda each: 0"),
    (long_files, "x = 1\n" * (LONGEST_FILE + 1)),
    (prints, "def f():\n    print('x')"),
    (prints, "import sys\nsys.stderr.write('x')"),
    (broad_excepts, "try:\n    f()\nexcept:\n    pass"),
    (broad_excepts, "try:\n    f()\nexcept (OSError, Exception):\n    pass"),
    (broad_excepts, "with contextlib.suppress(BaseException):\n    f()"),
    (misplaced_lists, "__all__ = ['f']\ndef f(): ..."),
    (misplaced_lists, "__all__ = []"),
    (page_scripts, "S = '() => { return 1; }" + " " * 120 + "'"),
    (page_scripts, "S = 'const a = document.body;" + " " * 120 + "'"),
]
GOOD: Final[list[tuple[Rule, str]]] = [
    (imports_of_the_top, "import surefoot.capture"),
    (dialect, "sum(row for row in rows)  # each of them"),
    (long_files, "x = 1\n" * LONGEST_FILE),
    (prints, "def footprint():\n    sprint('x')"),
    (broad_excepts, "try:\n    f()\nexcept (OSError, KeyError):\n    pass"),
    (misplaced_lists, "X = 1\ndef f(): ...\ndef _g(): ..."),
    (misplaced_lists, '"""Only words."""'),
    (page_scripts, '"""Take `() => {}`.' + " " * 120 + '"""'),
]


@pytest.mark.parametrize(("rule", "sample"), BAD)
def test_rule_catches_a_bad_sample(rule: Rule, sample: str) -> None:
    """Each rule finds exactly the one breach in a sample that breaks it."""
    assert len(rule(sample, "core/sample.py")) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from a import f", "no __all__"),
        ("def f(): ...", "no __all__"),
        ("from a import f\n__all__ = ['f', 'g']", "g is listed, and not there"),
    ],
)
def test_a_package_lists_the_names_that_it_hands_out(text: str, found: str) -> None:
    """An ``__init__`` without a list, or with a name that it lacks, is found."""
    assert misplaced_lists(text, "core/__init__.py") == [f"core/__init__.py: {found}"]


@pytest.mark.parametrize(("rule", "sample"), GOOD)
def test_rule_passes_a_good_sample(rule: Rule, sample: str) -> None:
    """Each rule leaves alone what stands just on the right side of it."""
    assert rule(sample, "core/sample.py") == []


def test_the_guard_is_allowed_once() -> None:
    """The engine may catch everything in one place, not in two."""
    guard = "try:\n    f()\nexcept Exception:\n    pass\n"

    assert broad_excepts(guard, "run/engine/worker.py") == []
    assert len(broad_excepts(guard * 2, "run/engine/worker.py")) == 1


def test_copies_are_found_under_other_names() -> None:
    """A body copied with its variables renamed is found; a different or short one is not."""
    body = "    total = 0\n    for each in rows:\n        if each:\n            total += each\n"
    first = f"def f(rows):\n{body}    g(total)\n    return total"
    renamed = first.replace("total", "count").replace("rows", "cells").replace("def f", "def h")
    other = first.replace("g(total)", "k(total)")
    short = "def f(rows):\n    return 1\ndef g(rows):\n    return 1"

    assert len(copies({"a.py": first, "b.py": renamed})) == 1
    assert copies({"a.py": first, "b.py": other, "c.py": short}) == []


def test_shared_class_names_are_found() -> None:
    """A public class of two files is found; a private one of two files is not."""
    shared = "class Reply:\n    pass\nclass _Own:\n    pass"

    assert shared_class_names({"a.py": shared, "b.py": shared}) == ["Reply: a.py, b.py"]


def test_no_file_is_too_long() -> None:
    """No source, test or script file of ours is longer than the limit."""
    files = code_files()
    assert len(files) > 100

    breaches = [
        breach
        for file in files
        for breach in long_files(file.read_text("utf-8"), str(file.relative_to(ROOT)))
    ]
    assert not breaches, "\n".join(breaches)


def test_full_folders_are_found() -> None:
    """A folder with one module more than the limit is found; one at the limit is not."""
    names = [f"a/{number}.py" for number in range(FULLEST_FOLDER)]

    assert full_folders([*names, "a/b/x.py"]) == []
    assert full_folders([*names, "a/x.py"]) == ["a: 26 files"]


def test_no_folder_is_too_full() -> None:
    """No folder of the source holds more modules than the limit."""
    assert full_folders(source_texts()) == []


def test_rules_of_the_source() -> None:
    """The source keeps each rule everywhere."""
    breaches = [
        breach
        for name, text in source_texts().items()
        for rule in SOURCE_RULES
        for breach in rule(text, name)
    ]

    assert not breaches, "\n".join(breaches)


def test_no_copied_function() -> None:
    """No function body of six lines or more stands in the source twice."""
    assert copies(source_texts()) == []


def test_a_class_has_its_name_alone() -> None:
    """No two files of the source define public classes of one name."""
    assert shared_class_names(source_texts()) == []


def test_layers_name_every_folder() -> None:
    """The layers of pyproject.toml are the program and the folders of the source, all of them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract for contract in contracts if contract["type"] == "layers")

    named = {name.strip() for line in layers["layers"] for name in line.split("|")}
    assert layers["exhaustive"]
    assert named == {"__main__", *(path.parent.name for path in SOURCE.glob("*/__init__.py"))}


def test_imports_keep_to_the_layers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """import-linter finds every contract of pyproject.toml kept."""
    monkeypatch.chdir(ROOT)

    assert lint_imports(cache_dir=str(tmp_path)) == 0


def test_the_map_leads_somewhere() -> None:
    """Every place that ARCHITECTURE.md's table of changes names is there, and none twice."""
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    table = page.partition("## Where to change what")[2].partition("\n## ")[0]
    places = re.findall(r"^\| [^|]+ \| `([^`]+)` \|$", table, re.MULTILINE)

    assert len(places) == len(set(places)) >= 24
    assert [place for place in places if not (SOURCE / place).exists()] == []
