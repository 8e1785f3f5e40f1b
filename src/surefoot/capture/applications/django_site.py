"""
What recipes of applications in Django share: settings, someone who is signed in, a server.

It is run by the application's own interpreter, and imports Django only inside its functions.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from surefoot.capture.clock import CLOCK

# What every one of them needs, in the order in which Django has it.
MIDDLEWARE: Final = (
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    f"{__name__}.signed_in",
    "django.contrib.messages.middleware.MessageMiddleware",
)
CONTEXT: Final = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
)


def set_up_django(
    folder: Path,
    applications: Sequence[Any],
    urls: Callable[[], list[Any]],
    *,
    middleware: tuple[str, ...] = (),
    context: tuple[str, ...] = (),
    **settings: Any,  # noqa: ANN401
) -> None:
    """
    Set Django up with a database of SQLite in a folder, and sessions that are kept nowhere.

    ``urls`` returns the patterns, and is called once the ``applications`` are there;
    ``middleware`` and ``context`` come after those that all have; ``settings`` are Django's.
    """
    import django
    from django.conf import settings as django_settings

    patterns = types.ModuleType("urls_of_the_site")
    options = {"context_processors": [*CONTEXT, *context]}
    configured = {
        "SECRET_KEY": "none",
        "ALLOWED_HOSTS": ["*"],
        "INSTALLED_APPS": list(applications),
        "MIDDLEWARE": [*MIDDLEWARE, *middleware],
        "ROOT_URLCONF": patterns.__name__,
        "SITE_ID": 1,
        "STATIC_URL": "/static/",
        "MEDIA_URL": "/media/",
        "MEDIA_ROOT": str(folder / "media"),
        "USE_TZ": True,
        "SESSION_ENGINE": "django.contrib.sessions.backends.signed_cookies",
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
        "DATABASES": {
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": str(folder / "site.sqlite3"),
            }
        },
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": options,
            }
        ],
    }
    django_settings.configure(**{**configured, **settings})
    sys.modules[patterns.__name__] = patterns
    django.setup()
    patterns.__dict__["urlpatterns"] = urls()


def administrator(name: str, first: str, last: str) -> Any:  # noqa: ANN401
    """Make the one who is signed in; nobody can sign in by a password."""
    from django.contrib.auth import get_user_model

    return get_user_model().objects.create(
        username=name,
        first_name=first,
        last_name=last,
        email=f"{name}@shop.example",
        password="!",  # noqa: S106 - what no password fits
        is_staff=True,
        is_superuser=True,
        date_joined=CLOCK - timedelta(days=900),
        last_login=CLOCK - timedelta(hours=1),
    )


def signed_in(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a middleware of Django that takes every visitor for the administrator."""
    from django.contrib.auth import get_user_model

    def asked(request: Any) -> Any:  # noqa: ANN401
        request.user = get_user_model().objects.get(is_superuser=True)
        return answer(request)

    return asked


def serve_django(port: int) -> None:
    """Serve what was set up, and the static files of its applications; does not return."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.servers import basehttp

    basehttp.run("127.0.0.1", port, StaticFilesHandler(WSGIHandler()), threading=True)
