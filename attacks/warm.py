"""
Command lines run in forks of one warm process, with something wrong; what attacks share.

A fault is put into the fork alone: writes that fail (a preloaded library, where there is a C
compiler), limits of descriptors and of file size, another user. So hundreds of command lines
cost minutes, not an hour, and each still is a process of its own, started through its door.
"""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import fcntl
import hashlib
import importlib
import io
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

from PIL import Image, ImageDraw

ATTACKS: Final[tuple[()]] = ()  # it is the machinery of others
ROOT: Final = Path(__file__).parent.parent
LONGEST_S: Final = 60.0
PIPE_BYTES: Final = 2**20  # what a command prints fits in
NOBODY: Final = 65534
# Kinds of calls that the preloaded library lets fail.
DATA, MAKING, SYNCING, CHANGING = 1, 2, 4, 8
# What may differ between two runs of one plan: times and hints, which no export holds.
PASSING: Final = {"ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "ledger.lock"}


@dataclasses.dataclass(frozen=True)
class Case:
    """
    Name a command line over the drawn world, what it writes, and what it is made from.

    ``needs`` are cases whose folders it reads; ``cheap`` ones start no worker process. Worker
    processes are given none of our environment, so that only the limits reach them.
    """

    name: str
    arguments: tuple[str, ...]
    out: str
    needs: tuple[str, ...] = ()
    cheap: bool = True

    @property
    def resumes(self) -> bool:
        """Tell whether it writes a folder with a ledger."""
        return not self.out.endswith((".json", ".html")) and self.name not in {"export", "publish"}


def _case(name: str, line: str, out: str, *needs: str, cheap: bool = True) -> Case:
    return Case(name, tuple(line.split()), out, needs, cheap)


CASES: Final = {
    case.name: case
    for case in (
        _case("import", "import osworld-g set --out imported", "imported"),
        _case("run", "run drawn --model center --no-self-check --out run", "run"),
        _case("score", "score run --json scores.json", "scores.json", "run"),
        _case("report", "report run --out report.html", "report.html", "run"),
        _case("export", "export drawn --format coco --out coco", "coco"),
        _case("publish", "export drawn --format hf --out published", "published"),
        _case("audit", "audit drawn --out audit --count 2", "audit"),
        _case("forms", "forms build --forms 1 --instances 1 --out forms", "forms"),
        _case(
            "diagnose",
            "diagnose drawn --model center --no-self-check --rounds 2 --out diagnosis",
            "diagnosis",
        ),
        _case(
            "capture", "capture screens:shots --workers 1 --out screens", "screens", cheap=False
        ),
        _case(
            "build",
            "build hidden --screens imported --variants static --workers 1 --out hidden",
            "hidden",
            "import",
            cheap=False,
        ),
    )
}


@dataclasses.dataclass(frozen=True)
class Fault:
    """
    Say what is wrong for one process; with nothing given, nothing is.

    ``writes`` are the kinds of calls, how many pass, and the errno of those after them;
    ``output`` is what standard output is: "full", "closed pipe" or "closed".
    """

    writes: tuple[int, int, int] | None = None
    descriptors: int = 0
    file_bytes: int = -1
    nobody: bool = False
    stop: int = 0
    stop_after_s: float = 0.0
    output: str = ""


NOTHING: Final = Fault()


@dataclasses.dataclass(frozen=True)
class Ended:
    """Hold how a process ended: its code (negative for a signal), what it printed."""

    code: int
    out: str
    err: str
    passed: int = 0


class Warm:
    """Run command lines in forks of a process that has imported them."""

    def __init__(self, requests: IO[str], replies: IO[str], *, preloaded: bool) -> None:
        self._requests, self._replies = requests, replies
        self.preloaded = preloaded

    def run(self, folder: Path, arguments: Sequence[str], fault: Fault | None = None) -> Ended:
        """Run a command line in a folder; code 999 where it did not end."""
        request = {
            "folder": str(folder),
            "arguments": list(arguments),
            "fault": dataclasses.asdict(fault or NOTHING),
        }
        self._requests.write(json.dumps(request) + "\n")
        self._requests.flush()
        return Ended(**json.loads(self._replies.readline()))


@contextlib.contextmanager
def warm_process(folder: Path) -> Iterator[Warm]:
    """Start the warm process; ``folder`` is for its temporary files."""
    home = folder / "home"
    home.mkdir(parents=True)
    library = _library(folder)
    environment = os.environ | {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment.pop("SUREFOOT_DEBUG", None)
    if library:
        environment["LD_PRELOAD"] = str(library)
    with subprocess.Popen(
        [sys.executable, "-m", "attacks.warm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=ROOT,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("two pipes were asked for")
        yield Warm(process.stdin, process.stdout, preloaded=library is not None)
        process.stdin.close()  # which ends it


def _library(folder: Path) -> Path | None:
    """Build the library that lets writes fail, None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    built = folder / "failing_writes.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(built)]
    source = str(Path(__file__).parent / "failing_writes.c")
    subprocess.run([*command, source, "-ldl"], check=True)
    return built


def prepare(warm: Warm, world: Path, cases: Sequence[Case]) -> dict[str, dict[str, str]]:
    """Draw a world and run cases in it as they should go; return what each wrote."""
    draw_world(world)
    made: dict[str, dict[str, str]] = {}
    wanted = dict.fromkeys(name for case in cases for name in (*case.needs, case.name))
    for name in wanted:
        case = CASES[name]
        ended = warm.run(world, case.arguments)
        if ended.code != 0:
            raise RuntimeError(f"{name} fails untroubled: {ended}")
        made[name] = snapshot(world / case.out)
    return made


def snapshot(path: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that a command wrote, by name."""
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return {
        str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file() and file.name not in PASSING and file.suffix != ".partial"
    }


def draw_world(folder: Path) -> None:
    """Draw a labelled set, described screens and a small benchmark, without a browser."""
    _draw_set(folder / "set")
    _draw_shots(folder / "shots")
    _draw_bench(folder / "drawn")


def _picture(size: tuple[int, int], boxes: Sequence[Sequence[float]], words: str) -> bytes:
    image = Image.new("RGB", size, "#eeeeee")
    pen = ImageDraw.Draw(image)
    for box in boxes:
        pen.rectangle(tuple(box), fill="#334455")
    pen.text((4, 4), words, fill="#000000")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _draw_set(folder: Path) -> None:
    (folder / "images").mkdir(parents=True)
    rows = []
    for number in range(4):
        name = f"{number % 2}.png"
        left = 20 + 80 * (number // 2)
        rows.append({
            "id": f"r{number}", "image_path": name, "image_size": [240, 160],
            "instruction": f"Open the menu number {number}", "box_type": "bbox",
            "box_coordinates": [left, 40, 60, 30],
        })  # fmt: skip
        boxes = [(20, 40, 80, 70), (100, 40, 160, 70)]
        (folder / "images" / name).write_bytes(_picture((240, 160), boxes, name))
    (folder / "OSWorld-G.json").write_text(json.dumps(rows))


def _draw_shots(folder: Path) -> None:
    folder.mkdir()
    for name in ("letters", "notes"):
        boxes = [(20, 60, 100, 90), (120, 60, 200, 90)]
        (folder / f"{name}.png").write_bytes(_picture((320, 200), boxes, name))
        elements = [
            {"id": str(at), "role": "button", "name": f"{name} {at}", "box": list(box)}
            for at, box in enumerate(boxes)
        ]
        record = {
            "version": 1, "box": "xyxy", "space": "pixels", "scale": 1, "role_space": "aria",
            "platform": "desktop", "elements": elements,
        }  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(record))


def _draw_bench(folder: Path) -> None:
    from surefoot.benchmarks.benchmark import Funnel
    from surefoot.core.geometry import Box
    from surefoot.core.instruction import Expression, Instruction
    from surefoot.core.ledger import Ledger
    from surefoot.core.question import Cell, Question
    from surefoot.core.screen import Element, Screen
    from surefoot.core.store import ObjectStore
    from surefoot.run.folders.folder import export

    screens, questions = [], []
    with Ledger.open(folder, {"kind": "bench", "benchmark": "perturbed@1", "seed": 0}):
        store = ObjectStore(folder)
        for page in ("site/a.html", "site/b.html"):
            for variant, step in (("original", 0.0), ("style", 20.0)):
                boxes = {
                    name: Box.from_xywh(20 + 90 * at, 80 + step, 60, 26)
                    for at, name in enumerate(("save", "send", "open"))
                }
                drawn = [box.as_tuple() for box in boxes.values()]
                picture = store.put(_picture((320, 200), drawn, f"{page} {variant}"))
                elements = [Element(name, "button", box, name=name) for name, box in boxes.items()]
                screen = Screen(
                    f"{page} {variant}", page, f"folder:{page}", picture, 320, 200, 1.0, "web",
                    "en-US", tuple(elements),
                    variant=variant, site=page,
                )  # fmt: skip
                screens.append(screen)
                for name in ("save", "send"):
                    proof = Expression(role="button", name=name)
                    words = Instruction(f"Click '{name}'", "en", "direct", "high", proof, name)
                    questions.append(Question(
                        f"{screen.id} {name}", f"{page}#{name}", page, Cell(variant, "direct"),
                        screen.id, picture, 320, 200, words, boxes[name], "button",
                    ))  # fmt: skip
        tables: dict[str, Sequence[object]] = {
            "screens.jsonl": screens, "questions.jsonl": questions,
        }  # fmt: skip
        export(folder, "bench", tables, {"funnel.json": Funnel((), {})})


def serve() -> None:
    """Answer requests, one line of JSON each, until there are no more."""
    import surefoot.__main__  # noqa: F401 - what is imported here is warm in every fork

    for line in sys.stdin:
        request = json.loads(line)
        reply, modules = _forked(request)
        for name in modules:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def _forked(request: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Fork, run a command line there, and read what it said."""
    fault = Fault(**request["fault"])
    pipes = [os.pipe() for _ in range(3)]
    for _, writing in pipes:
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    child = os.fork()
    if child == 0:
        _be(request, fault, *(os.fdopen(writing, "wb") for _, writing in pipes))
    code = _end_of(child, fault)
    texts = []
    for reading, writing in pipes:
        os.close(writing)
        os.set_blocking(reading, False)  # what the child left behind may still hold it
        with os.fdopen(reading, "rb") as pipe:
            texts.append((pipe.read() or b"").decode(errors="backslashreplace"))
    learnt: dict[str, Any] = json.loads(texts[2]) if texts[2] else {"passed": 0, "modules": []}
    reply = {"code": code, "out": texts[0], "err": texts[1], "passed": learnt["passed"]}
    return reply, learnt["modules"]


def _end_of(child: int, fault: Fault) -> int:
    handle = os.pidfd_open(child)
    try:
        if fault.stop and not select.select([handle], [], [], fault.stop_after_s)[0]:
            os.kill(child, fault.stop)
        if not select.select([handle], [], [], LONGEST_S)[0]:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return 999
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    finally:
        os.close(handle)


def _be(
    request: dict[str, Any], fault: Fault, out: IO[bytes], err: IO[bytes], told: IO[bytes]
) -> None:
    """Be the command: nothing returns from here."""
    code = 1
    before = set(sys.modules)
    try:
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (out.fileno(), 1), (err.fileno(), 2)):
            os.dup2(source, target)
        _let_output_be(fault.output)
        sys.stdin, sys.stdout, sys.stderr = (
            io.TextIOWrapper(os.fdopen(number, mode, closefd=False))
            for number, mode in ((0, "rb"), (1, "wb"), (2, "wb"))
        )
        if fault.output == "closed":
            sys.stdout = None  # as the interpreter has it
        vars(sys)["__stdout__"] = sys.stdout
        os.chdir(request["folder"])
        library = _begin(fault, request["folder"])
        from surefoot.__main__ import main

        sys.argv = ["surefoot", *request["arguments"]]
        try:
            main()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(bool(left.code))
        passed = library.count_passed() if library else 0
        if not any((fault.writes, fault.descriptors, fault.file_bytes >= 0, fault.nobody)):
            modules = [name for name in sys.modules if name not in before and name[0] != "_"]
            told.write(json.dumps({"passed": passed, "modules": modules}).encode())
            told.flush()
        elif fault.writes and fault.writes[2] == 0:
            told.write(json.dumps({"passed": passed, "modules": []}).encode())
            told.flush()
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - as the interpreter would
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            sys.stderr.flush()
        os._exit(code)


def _let_output_be(output: str) -> None:
    if output == "full":
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
    elif output == "closed pipe":
        reading, writing = os.pipe()
        os.dup2(writing, 1)
        os.close(reading)
        os.close(writing)


def _begin(fault: Fault, folder: str) -> Any:  # noqa: ANN401 - a library
    """Let begin what is wrong."""
    from surefoot.core import children

    library = None
    if fault.writes:
        library = ctypes.CDLL(None)
        library.set_failing.argtypes = (ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_char_p)
        kinds, after, number = fault.writes
        os.environ["FAILING_WRITES"] = f"{kinds} {after} {number} {folder}"
        # Workers are told of the library and of what fails, which nobody else's child is.
        vars(children)["ALLOWED"] = children.ALLOWED | {"LD_PRELOAD", "FAILING_WRITES"}
        library.set_failing(kinds, after, number, folder.encode())
    if fault.nobody and os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    if fault.file_bytes >= 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.file_bytes, fault.file_bytes))
    if fault.descriptors:
        resource.setrlimit(resource.RLIMIT_NOFILE, (fault.descriptors, fault.descriptors))
    return library


if __name__ == "__main__":
    serve()
