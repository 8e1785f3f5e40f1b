"""
Redmine: a harbour shop's projects and their issues, drawn by the server in Ruby on Rails.

It sends no mail, shows no picture from outside and looks for no newer version. Sessions are
not kept, as what one page remembers of a visitor would show on the next.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Final

from surefoot.capture.applications.debian import debian_environment, debian_file
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

DATABASE: Final = "redmine.sqlite"
SETTINGS: Final = "production:\n  adapter: sqlite3\n  database: <%= ENV['STATE'] %>/{}\n"
SHOP: Final = "/projects/web-shop"
PAGES: Final = (
    *("/", "/my/page", "/my/account", "/my/password", "/projects", "/projects/new", SHOP),
    *(f"{SHOP}/{part}" for part in ("activity", "roadmap", "wiki", "boards", "news", "files")),
    *(f"{SHOP}/{part}" for part in ("issues/new", "issues/report", "wiki/index", "documents")),
    *(f"{SHOP}/issues?set_filter=1", f"{SHOP}/wiki/Orders/edit", f"{SHOP}/wiki/Orders/history"),
    *(f"{SHOP}/issues/gantt?set_filter=1", f"{SHOP}/issues/calendar?set_filter=1"),
    *(f"{SHOP}/wiki/Orders/diff?version=3&version_from=1", f"{SHOP}/time_entries/new"),
    *(f"{SHOP}/settings/{tab}" for tab in ("info", "members", "issues", "versions", "boards")),
    *(f"{SHOP}/documents/new", f"{SHOP}/news/new", f"{SHOP}/versions/new"),
    *("/issues?query_id=8", "/issues/1", "/issues/1/edit", "/issues/bulk_edit?ids[]=1&ids[]=2"),
    *(f"{SHOP}/issues/1/copy", "/versions/2", "/news/1", "/documents/1", "/boards/1/topics/1"),
    *("/queries/new", "/time_entries?set_filter=1", "/search?q=rope&scope=all"),
    "/time_entries/report?set_filter=1&criteria[]=project&criteria[]=user&columns=month",
    *("/users", "/users/new", "/users/5", "/users/5/edit", "/groups", "/roles", "/roles/4/edit"),
    *("/roles/permissions", "/trackers", "/trackers/1/edit", "/trackers/fields"),
    *("/issue_statuses", "/issue_statuses/new", "/enumerations", "/custom_fields"),
    *("/custom_fields/2/edit", "/custom_fields/new?type=IssueCustomField", "/auth_sources"),
    *("/workflows/edit?role_id[]=3&tracker_id[]=1", "/workflows/copy", "/admin/projects"),
    "/workflows/permissions?role_id[]=3&tracker_id[]=1",
    *("/admin", "/admin/info", "/auth_sources/1/edit"),
    *(
        f"/settings?tab={tab}"
        for tab in (
            *("general", "display", "authentication", "projects", "users", "issues"),
            *("timelog", "notifications", "attachments", "mail_handler"),
        )
    ),
)


def seed(folder: Path, seed: int) -> None:
    """Make tables, then projects of some people, with issues that were worked on for months."""
    (folder / "database.yml").write_text(SETTINGS.format(DATABASE), encoding="utf-8")
    for name in ("files", "log", "tmp"):
        (folder / name).mkdir()
    command = _ruby("redmine.rb", "redmine_seed.rb")
    variables = {"SEED": str(seed)}
    for tables in ({"TABLES": "alone"}, {}):
        subprocess.run(command, env=_environment(folder, {**variables, **tables}), check=True)
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as projects:
        projects.execute("VACUUM")


def serve(folder: Path, port: int) -> None:
    """Serve the projects to their administrator, who is always signed in."""
    command = _ruby("redmine.rb")
    os.execve(command[0], [*command, str(port)], _environment(folder, {}))  # noqa: S606


def _ruby(*names: str) -> list[str]:
    """
    Return the command that runs scripts beside this module, as one.

    Their text is passed on, as Ruby wants to see every folder above a file, be it hidden.
    """
    scripts = [Path(__file__).with_name(name).read_text("utf-8") for name in names]
    evaluated = [part for script in scripts for part in ("-e", script)]
    return [str(debian_file("usr/bin/ruby3.1")), *evaluated]


def _environment(folder: Path, added: dict[str, str]) -> dict[str, str]:
    when = str(int(CLOCK.timestamp()))
    variables = {"RAILS_ENV": "production", "STATE": str(folder), "CLOCK": when, **added}
    return debian_environment(folder, added=variables)


REDMINE: Final = ApplicationRecipe(
    name="redmine",
    version=1,
    title="Redmine",
    maker="Jean-Philippe Lang",
    drawn_by="the server (Ruby on Rails), jQuery",
    licence="GPL-2.0",
    languages=("en", "zh-CN", "fr", "ru", "ja", "th"),
    megabytes=130,
    requirements=(),
    debian_packages=(
        *("redmine", "ruby", "ruby-sqlite3", "puma", "libfakechroot"),
        *("redmine-sqlite-", "dbconfig-common-", "ruby-rmagick-", "imagemagick-", "openssl-"),
        *("ca-certificates-", "readline-common-", "ruby-mocha-", "ruby-net-telnet-"),
        *("ruby-sdbm-", "ruby-webrick-", "ruby-xmlrpc-", "zip-", "unzip-"),
    ),
    file_names=("redmine.rb", "redmine_seed.rb"),
    pages=PAGES,
    signed_in="#loggedas",
    seed=seed,
    serve=serve,
)
