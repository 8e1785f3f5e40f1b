"""
What makes the admin open without a form and the same at each load.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth import get_user_model

TOKEN: Final = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]*')


def signed_in(get_response: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Sign every reader in as the first user, the administrator."""

    def respond(request: Any) -> Any:  # noqa: ANN401
        request.user = get_user_model().objects.get(pk=1)
        return get_response(request)

    return respond


def fixed_token(get_response: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Replace the random form token: nothing is ever posted, and each load is the same."""

    def respond(request: Any) -> Any:  # noqa: ANN401
        response = get_response(request)
        if not response.streaming:
            response.content = TOKEN.sub(rb"\1unused", response.content)
            if response.has_header("Content-Length"):
                response["Content-Length"] = str(len(response.content))
        return response

    return respond
