"""
Build the scripts of the form renderers before a wheel or a source distribution is packed.

Without them a wheel would install and then draw no form but plain HTML.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BILL = "src/surefoot/forms/renderers/web/dist/sbom.json"


class FormScripts(BuildHookInterface):  # type: ignore[type-arg]
    """Run scripts/build_forms.sh, which skips what is built, and stop where it fails."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """
        Build them, but for an editable install, whose set-up builds them itself.

        What they are made of goes where PEP 770 has a wheel's bills of materials.
        """
        if version == "editable":
            return
        command = [str(Path(self.root) / "scripts" / "build_forms.sh")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = " ".join(done.stderr.split())[-500:]
            message = f"no wheel without the scripts of the form renderers: {said}"
            raise SystemExit(message)
        if self.target_name == "wheel":
            build_data["sbom_files"].append(BILL)
