"""
The project's settings as data.
"""

from __future__ import annotations

from typing import Final

__all__ = ["options"]

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
