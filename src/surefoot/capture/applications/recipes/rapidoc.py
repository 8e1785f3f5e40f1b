"""
RapiDoc: the interface of a shop's orders to read and to try out, drawn by Lit in Shadow DOM.

It is files alone, and shows a description in OpenAPI that the seed writes. What is tried out
would be asked of the server that the description names, this one, which serves no such thing.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.files import serve_files
from surefoot.capture.applications.node import module_file
from surefoot.capture.applications.recipe import ApplicationRecipe

DESCRIPTION: Final = "shop.json"
PAGE: Final = """<!doctype html>
<html><meta charset="utf-8"><title>North Quay</title>
<script type="module" src="/rapidoc/rapidoc-min.js"></script>
<rapi-doc spec-url="/state/shop.json" {options} load-fonts="false" show-header="{header}"
 allow-spec-file-download="true" font-size="default" update-route="true"></rapi-doc></html>
"""
# What the page is drawn like, by its path.
LOOKS: Final = {
    "/": 'render-style="focused"',
    "/list": 'render-style="view" schema-style="table"',
    "/read": 'render-style="read" nav-bg-color="#1b2a41" layout="row"',
}
# Things of the shop, their fields, and who may do what.
THINGS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "orders": {
        "customer": {"type": "string", "maxLength": 80},
        "day": {"type": "string", "format": "date"},
        "state": {"type": "string", "enum": ["new", "packed", "sent", "returned"]},
        "express": {"type": "boolean", "default": False},
    },
    "goods": {
        "name": {"type": "string"},
        "price": {"type": "number", "minimum": 0},
        "weight": {"type": "integer", "description": "in grams"},
    },
    "suppliers": {
        "name": {"type": "string"},
        "town": {"type": "string"},
        "mail": {"type": "string", "format": "email"},
    },
}
VERBS: Final = {
    "get": ("List all {things}", ""),
    "post": ("Add to the {things}", ""),
    "put": ("Change one of the {things}", "/{id}"),
    "delete": ("Remove one of the {things}", "/{id}"),
}
PAGES: Final = (
    *("/", "/#overview", "/#auth", "/#servers"),
    # As RapiDoc names operations: what stands in braces, between hyphens.
    *(
        f"/#{verb}-/{thing}{path.replace('{', '-').replace('}', '-')}"
        for thing in THINGS
        for verb, (_, path) in VERBS.items()
    ),
    *("/list", "/read"),
)


def seed(folder: Path, seed: int) -> None:
    """Write the description, with examples drawn by the seed."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    paths: dict[str, dict[str, Any]] = {}
    schemas = {}
    for thing, fields in THINGS.items():
        schemas[thing] = {"type": "object", "properties": fields, "required": list(fields)[:1]}
        for verb, (summary, path) in VERBS.items():
            paths.setdefault(f"/{thing}{path}", {})[verb] = _operation(
                source, thing, verb, summary.format(things=thing)
            )
    description = {
        "openapi": "3.0.3",
        "info": {
            "title": "North Quay",
            "version": f"{source.randrange(2, 9)}.{source.randrange(9)}",
            "description": "Orders, goods and suppliers of the shop.\n\n# Limits\nA hundred "
            "requests a minute.\n\n# Errors\nEach error names what was expected.",
            "contact": {"name": "Maria", "email": "maria@north-quay.example"},
        },
        "servers": [{"url": "/api", "description": "The shop"}],
        "security": [{"key": []}, {"login": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
                "login": {"type": "http", "scheme": "basic"},
            },
        },
    }
    (folder / DESCRIPTION).write_text(json.dumps(description), encoding="utf-8")


def _operation(source: random.Random, thing: str, verb: str, summary: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{thing}"}}}
    numbered = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    paged = {
        "name": "page",
        "in": "query",
        "schema": {"type": "integer", "default": source.randrange(1, 4)},
    }
    sought = {"name": "search", "in": "query", "schema": {"type": "string"}}
    parameters = {"get": [paged, sought], "post": []}.get(verb, [numbered])
    operation: dict[str, Any] = {
        "tags": [thing.title()],
        "summary": summary,
        "description": f"{summary}, as {source.choice(('Chen', 'Helen', 'Kenji'))} may.",
        "parameters": parameters,
        "responses": {
            "200": {"description": "It was done", "content": content},
            "404": {"description": "There is no such thing"},
        },
    }
    return {
        **operation,
        **({"requestBody": {"content": content}} if verb in ("post", "put") else {}),
    }


def serve(folder: Path, port: int) -> None:
    """Serve the explorer and the description; it has no accounts of people to sign in to."""
    folders = {"/rapidoc/": module_file("rapidoc/dist"), "/state/": folder}

    def page(path: str, _: str) -> str | None:
        look = LOOKS.get(path)
        return look and PAGE.format(options=look, header="false" if path == "/read" else "true")

    serve_files(port, folders, page)


RAPIDOC: Final = ApplicationRecipe(
    name="rapidoc",
    version=1,
    title="RapiDoc",
    maker="Mrinmoy Majumdar",
    drawn_by="Lit in Shadow DOM",
    licence="MIT",
    languages=("en",),
    megabytes=170,
    requirements=(),
    npm_packages=("rapidoc@9.3.8",),
    pages=PAGES,
    signed_in="rapi-doc",
    seed=seed,
    serve=serve,
)
