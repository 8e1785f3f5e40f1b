"""
Optuna Dashboard: searches for good settings and their trials, drawn by React and MUI in English.

It asks nothing of any network; the trials' dates and results come from the seed.
"""

from __future__ import annotations

import random
import wsgiref.simple_server
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

DATABASE: Final = "studies.sqlite3"
# Each study with how many goals it has and how many trials were made.
STUDIES: Final = {
    "keel-shape": (1, 60),
    "sail-cut": (2, 48),
    "bakery-oven": (1, 36),
    "delivery-route": (1, 24),
    "forecast-demand": (2, 30),
}
SHAPES: Final = ("round", "flat", "deep")
VIEWS: Final = ("/analytics", "/trials", "/note")
PAGES: Final = (
    *("/dashboard", "/dashboard/compare-studies"),
    *(f"/dashboard/studies/{study}{view}" for study in (1, 2, 3) for view in VIEWS),
    *("/dashboard/studies/1/trials?numbers=3", "/dashboard/studies/4/trials?numbers=7"),
)


def seed(folder: Path, seed: int) -> None:
    """Make studies whose trials have been tried one after the other."""
    import optuna
    import time_machine

    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    optuna.logging.disable_default_handler()
    storage = _storage(folder)
    for number, (name, (goals, trials)) in enumerate(STUDIES.items()):
        begun = CLOCK - timedelta(days=30 - 5 * number)
        with time_machine.travel(begun, tick=False) as clock:
            study = optuna.create_study(
                storage=storage,
                study_name=name,
                directions=["minimize", "maximize"][:goals],
                sampler=optuna.samplers.RandomSampler(seed=seed + number),
            )
            study.set_metric_names(["cost", "speed"][:goals])
            study.set_user_attr("team", source.choice(("North Quay", "Harbour")))
            for _ in range(trials):
                trial = study.ask()
                clock.shift(timedelta(minutes=source.randrange(2, 40)))
                state = source.choice((*["COMPLETE"] * 9, "FAIL"))
                cost, speed = _tried(trial)
                measured = None if state == "FAIL" else [cost, speed][:goals]
                study.tell(trial, measured, state=optuna.trial.TrialState[state])


def _tried(trial: Any) -> tuple[float, float]:  # noqa: ANN401
    """Return the cost and speed of what was tried."""
    length = trial.suggest_float("length", 1.0, 9.0)
    weight = trial.suggest_float("weight", 0.1, 40.0, log=True)
    layers = trial.suggest_int("layers", 1, 8)
    shape = SHAPES.index(trial.suggest_categorical("shape", SHAPES))
    cost = (length - 4.2) ** 2 + abs(weight - 6) / 3 + layers / 4 + shape
    return round(cost, 4), round(30 - cost / 2 - layers + length, 4)


def serve(folder: Path, port: int) -> None:
    """Serve the studies; nobody has to sign in."""
    from optuna_dashboard import wsgi

    application = wsgi(_storage(folder))
    wsgiref.simple_server.make_server("127.0.0.1", port, application).serve_forever()


def _storage(folder: Path) -> Any:  # noqa: ANN401
    from optuna.storages import RDBStorage

    return RDBStorage(f"sqlite:///{folder / DATABASE}")


OPTUNA: Final = ApplicationRecipe(
    name="optuna",
    version=1,
    title="Optuna Dashboard",
    maker="Preferred Networks",
    drawn_by="React, MUI",
    licence="MIT",
    languages=("en",),
    megabytes=150,
    requirements=("optuna-dashboard==0.21.0", "optuna==5.0.0", "time-machine"),
    pages=PAGES,
    signed_in="#dashboard header",
    seed=seed,
    serve=serve,
)
