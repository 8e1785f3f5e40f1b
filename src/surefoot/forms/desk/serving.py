"""
Serve forms for a person to try: the forms on one port of loopback, the desk on another.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from surefoot.forms.desk.cases import Offer, checked_look
from surefoot.forms.server.serving import serve, serve_application

__all__ = ["serve_desk"]


@contextlib.contextmanager
def serve_desk(folder: Path, offer: Offer, *, port: int = 0) -> Iterator[str]:
    """
    Serve a folder's forms and their desk for the length of a block; yield the desk's URL.

    The desk takes the port, the forms the next one; 0 takes two free ones. Raises what
    ``checked_look`` and ``serve`` raise.
    """
    checked_look(offer.rendering)
    with serve(folder, port=port + 1 if port else 0) as forms_at:
        from surefoot.forms.desk.application import desk_application

        with serve_application(desk_application(folder, forms_at, offer), port=port) as desk_at:
            yield desk_at
