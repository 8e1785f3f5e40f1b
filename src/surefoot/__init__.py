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
    from surefoot.api.back_translation import BackTranslation
    from surefoot.api.benches import Bench
    from surefoot.api.checked_up import CheckUp
    from surefoot.api.diagnoses import FailedInstruction, ModelDiagnosis
    from surefoot.api.filled_forms import FilledForms
    from surefoot.api.imported import Imported
    from surefoot.api.inspect_logs import compare_inspect_logs
    from surefoot.api.opening import (
        open,  # noqa: A004 - reads best as surefoot.open
        open_bench,
        open_diagnosis,
        open_forms,
        open_run,
        open_screens,
    )
    from surefoot.api.pictures import Exchange, PicturedQuestion, PicturedScreen
    from surefoot.api.quickstart import Quickstart
    from surefoot.api.runs import ModelRun
    from surefoot.api.scores import ModelCard, Report, Scores
    from surefoot.api.screens import Screens
    from surefoot.api.serving import ServedPages
    from surefoot.api.suites import Suite
    from surefoot.core.errors import SurefootError
    from surefoot.verbs.agreement import agreement
    from surefoot.verbs.apps import check_apps, install_apps, list_apps, remove_apps
    from surefoot.verbs.audit import audit, audit_answers
    from surefoot.verbs.backtranslate import backtranslate
    from surefoot.verbs.build import build
    from surefoot.verbs.capture import capture
    from surefoot.verbs.card import card
    from surefoot.verbs.check import check
    from surefoot.verbs.check_up import check_up
    from surefoot.verbs.diagnose import diagnose, transfer
    from surefoot.verbs.doctor import doctor
    from surefoot.verbs.episodes import episodes
    from surefoot.verbs.explore import explore
    from surefoot.verbs.export import export
    from surefoot.verbs.forms import (
        build_forms,
        import_forms,
        list_forms,
        report_forms,
        score_forms,
        serve_forms,
    )
    from surefoot.verbs.forms_run import run_forms
    from surefoot.verbs.gate import gate
    from surefoot.verbs.import_ import import_
    from surefoot.verbs.languages import languages
    from surefoot.verbs.login import login
    from surefoot.verbs.merge import merge
    from surefoot.verbs.models import list_models
    from surefoot.verbs.quickstart import quickstart
    from surefoot.verbs.record import record
    from surefoot.verbs.release import make_release, rank_runs, verify_release
    from surefoot.verbs.report import report
    from surefoot.verbs.run import run
    from surefoot.verbs.score import score
    from surefoot.verbs.select import select
    from surefoot.verbs.site import site
    from surefoot.verbs.train import train_data, train_grpo, train_loop, train_sft
    from surefoot.verbs.verify import verify
    from surefoot.verbs.view import view
    from surefoot.verbs.xli import apply_xli, build_xli, plot_xli, search_xli

__all__ = [
    "BackTranslation",
    "Bench",
    "CheckUp",
    "Exchange",
    "FailedInstruction",
    "FilledForms",
    "Imported",
    "ModelCard",
    "ModelDiagnosis",
    "ModelRun",
    "PicturedQuestion",
    "PicturedScreen",
    "Quickstart",
    "Report",
    "Scores",
    "Screens",
    "ServedPages",
    "Suite",
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
    "card",
    "check",
    "check_apps",
    "check_up",
    "compare_inspect_logs",
    "diagnose",
    "doctor",
    "episodes",
    "explore",
    "export",
    "gate",
    "import_",
    "import_forms",
    "install_apps",
    "languages",
    "list_apps",
    "list_forms",
    "list_models",
    "login",
    "make_release",
    "merge",
    "open",
    "open_bench",
    "open_diagnosis",
    "open_forms",
    "open_run",
    "open_screens",
    "plot_xli",
    "quickstart",
    "rank_runs",
    "record",
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
    "site",
    "train_data",
    "train_grpo",
    "train_loop",
    "train_sft",
    "transfer",
    "verify",
    "verify_release",
    "view",
]

# Where a name is that is no verb's own.
_HOMES = (
    "core.errors",
    *("verbs.diagnose", "verbs.audit", "verbs.models", "verbs.apps", "verbs.train", "verbs.xli"),
    *("verbs.forms_run", "verbs.forms", "verbs.release"),
    *("api.opening", "api.screens", "api.benches", "api.runs", "api.diagnoses"),
    *("api.filled_forms", "api.pictures", "api.scores", "api.serving", "api.imported"),
    *("api.quickstart", "api.back_translation", "api.suites", "api.checked_up"),
    "api.inspect_logs",
)
_FOLDERS = {
    name: globals().pop(name) for name in ("capture", "diagnose", "report", "run", "score", "view")
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    import importlib
    import importlib.util

    own = f"verbs.{name}"
    homes = (own, *_HOMES) if name in __all__ else ()
    for home in homes:
        if home == own and not importlib.util.find_spec(f"surefoot.{own}"):
            continue
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
