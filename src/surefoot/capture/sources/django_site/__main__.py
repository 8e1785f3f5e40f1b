"""
Serve the project on a free port of loopback, say which, and end with the parent.
"""

from __future__ import annotations

import os
import select
import sys
import threading
import wsgiref.simple_server
from typing import Final

import django
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

from surefoot.core.endings import end_plainly

HERE: Final = "surefoot.capture.sources.django_site"
APPS: Final = ("auth", "contenttypes", "sessions", "messages", "sites", "flatpages", "redirects")
MIDDLEWARE: Final = (
    f"{HERE}.middleware.fixed_token",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    f"{HERE}.middleware.signed_in",
    "django.contrib.messages.middleware.MessageMiddleware",
)
CONTEXT: Final = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
)


def options() -> dict[str, object]:
    """Return the settings: a database in memory, no migrations, the reader signed in."""
    return {
        "SECRET_KEY": "no secret: nothing but the captured pages is ever served",
        "ALLOWED_HOSTS": ["django-admin.localhost"],
        "ROOT_URLCONF": f"{HERE}.urls",
        "SITE_ID": 1,
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "STATIC_URL": "/static/",
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.PBKDF2PasswordHasher"],
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        "MIGRATION_MODULES": dict.fromkeys([*APPS, "admin"]),
        "INSTALLED_APPS": [f"django.contrib.{app}" for app in (*APPS, "admin", "staticfiles")],
        "MIDDLEWARE": list(MIDDLEWARE),
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": list(CONTEXT)},
            }
        ],
    }


class QuietHandler(wsgiref.simple_server.WSGIRequestHandler):
    """Answer requests without a log."""

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


def main() -> None:
    """Fill a database in memory and serve until standard input closes."""
    parent = os.getppid()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    settings.configure(**options())
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    from surefoot.capture.sources.django_site.content import fill

    fill()
    application = StaticFilesHandler(get_wsgi_application())
    server = wsgiref.simple_server.make_server(
        "127.0.0.1", 0, application, handler_class=QuietHandler
    )
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


def _end_with(parent: int) -> None:
    """End the process once its lifeline closes or its parent is another one."""
    lifeline = sys.stdin.buffer
    while os.getppid() == parent:
        ready, _, _ = select.select([lifeline], [], [], 1.0)
        if ready and not lifeline.read(1):
            break
    os._exit(0)


if __name__ == "__main__":
    with end_plainly("surefoot.capture.sources.django_site"):
        main()
