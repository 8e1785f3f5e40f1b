"""
Run ``surefoot-studies tiny`` as ``python -m surefoot_studies.tiny``.
"""

from surefoot.cli.given import without_secrets
from surefoot.core.endings import end_plainly
from surefoot.core.terminal import plain_output
from surefoot_studies.tiny.cli import tiny


def main() -> None:
    """Run the command line of this process."""
    with plain_output(), end_plainly("surefoot-studies tiny", without_secrets):
        tiny(prog_name="python -m surefoot_studies.tiny")


if __name__ == "__main__":
    main()
