"""
Surefoot finds out whether a GUI agent keeps its footing when the ground shifts.

The functions bear the names of the command line's verbs, and open what they wrote. Each is
imported when it is first used; ARCHITECTURE.md is the map of the folders below.
"""

from __future__ import annotations

# Some folders bear the name of a verb. Once imported, they do not take its place any more.
import surefoot.capture
import surefoot.diagnose
import surefoot.report
import surefoot.run
import surefoot.score
import surefoot.view  # noqa: F401 - names that functions have, too
from surefoot.core.version import __version__

TYPE_CHECKING = False  # for type checkers alone; importing typing would take longer than all else
if TYPE_CHECKING:
    from surefoot.api.applications import (
        check_apps,
        install_apps,
        list_apps,
        remove_apps,
    )
    from surefoot.api.back_translation import BackTranslation, backtranslate
    from surefoot.api.benches import Bench
    from surefoot.api.diagnoses import FailedInstruction, ModelDiagnosis
    from surefoot.api.exchanging import Imported, export, import_
    from surefoot.api.exploring import explore
    from surefoot.api.filled_forms import FilledForms
    from surefoot.api.forms import (
        build_forms,
        import_forms,
        list_forms,
        report_forms,
        run_forms,
        score_forms,
    )
    from surefoot.api.inspecting import (
        agreement,
        audit,
        audit_answers,
        check,
        doctor,
        select,
        verify,
    )
    from surefoot.api.intervening import apply_xli, build_xli, plot_xli, search_xli
    from surefoot.api.opening import (
        open,  # noqa: A004 - reads best as surefoot.open
        open_bench,
        open_diagnosis,
        open_forms,
        open_run,
        open_screens,
    )
    from surefoot.api.pictures import Exchange, PicturedQuestion, PicturedScreen
    from surefoot.api.quickstart import Quickstart, quickstart
    from surefoot.api.runs import ModelRun
    from surefoot.api.scores import Report, Scores
    from surefoot.api.screens import Screens
    from surefoot.api.serving import ServedPages, serve_forms, view
    from surefoot.api.verbs import build, capture, diagnose, report, run, score, transfer
    from surefoot.benchmarks.dimensions.examples import languages
    from surefoot.core.errors import SurefootError
    from surefoot.models.listing import list_models

__all__ = [
    "BackTranslation",
    "Bench",
    "Exchange",
    "FailedInstruction",
    "FilledForms",
    "Imported",
    "ModelDiagnosis",
    "ModelRun",
    "PicturedQuestion",
    "PicturedScreen",
    "Quickstart",
    "Report",
    "Scores",
    "Screens",
    "ServedPages",
    "SurefootError",
    "__version__",
    "agreement",
    "apply_xli",
    "audit",
    "audit_answers",
    "backtranslate",
    "build",
    "build_forms",
    "build_xli",
    "capture",
    "check",
    "check_apps",
    "diagnose",
    "doctor",
    "explore",
    "export",
    "import_",
    "import_forms",
    "install_apps",
    "languages",
    "list_apps",
    "list_forms",
    "list_models",
    "open",
    "open_bench",
    "open_diagnosis",
    "open_forms",
    "open_run",
    "open_screens",
    "plot_xli",
    "quickstart",
    "remove_apps",
    "report",
    "report_forms",
    "run",
    "run_forms",
    "score",
    "score_forms",
    "search_xli",
    "select",
    "serve_forms",
    "transfer",
    "verify",
    "view",
]

_HOMES = (
    "core.errors",
    *("api.verbs", "api.opening", "api.screens", "api.benches", "api.runs", "api.diagnoses"),
    *("api.filled_forms", "api.pictures", "api.scores", "api.forms", "api.inspecting"),
    *("api.exchanging", "api.serving", "api.quickstart", "api.applications", "api.exploring"),
    *("api.back_translation", "api.intervening"),
    *("models.listing", "benchmarks.dimensions.examples"),
)
_FOLDERS = {
    name: globals().pop(name) for name in ("capture", "diagnose", "report", "run", "score", "view")
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    import importlib

    for home in _HOMES if name in __all__ else ():
        module = importlib.import_module(f"surefoot.{home}")
        found = vars(module).get(name)
        if getattr(found, "__module__", "") == module.__name__:  # and not imported there
            if name in _FOLDERS:
                _lead_into_folder(found, vars(_FOLDERS[name]))
            return globals().setdefault(name, found)
    raise AttributeError(f"module 'surefoot' has no attribute '{name}'")


def _lead_into_folder(function: object, folder: dict[str, object]) -> None:
    """
    Let a function have what the folder of its name holds, now and later.

    ``import surefoot.run.asking.run as asking`` looks for "asking" at what `surefoot.run` is,
    which is the function, as in `surefoot.run(...)`.
    """
    for name, value in vars(function).items():
        folder.setdefault(name, value)
    function.__dict__ = folder


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
