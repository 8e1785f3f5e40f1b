"""
The project's settings as data.
"""

from __future__ import annotations

__all__ = ["options"]


def options() -> dict[str, object]:
    """Return the settings: a database in memory, no migrations, the reader signed in."""
    apps = ["auth", "contenttypes", "sessions", "messages", "sites", "flatpages", "redirects"]
    here = __package__
    return {
        "SECRET_KEY": "no secret: nothing but the captured pages is ever served",
        "ALLOWED_HOSTS": ["django-admin.localhost"],
        "ROOT_URLCONF": f"{here}.urls",
        "SITE_ID": 1,
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "STATIC_URL": "/static/",
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.PBKDF2PasswordHasher"],
        "DATABASES": {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        "MIGRATION_MODULES": dict.fromkeys([*apps, "admin"]),
        "INSTALLED_APPS": [
            "django.contrib.admin",
            *(f"django.contrib.{name}" for name in apps),
            "django.contrib.staticfiles",
        ],
        "MIDDLEWARE": [
            f"{here}.middleware.fixed_token",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.locale.LocaleMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            f"{here}.middleware.signed_in",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
    }
