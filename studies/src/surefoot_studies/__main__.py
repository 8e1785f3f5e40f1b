"""
``python -m surefoot_studies``, where its command is not on the path.
"""

from __future__ import annotations

from surefoot_studies.cli import main

main()
