"""
Set-up on machines that lack something, played with fake programs on the PATH.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent
TOOLS: Final = ("bash", "cat", "cut", "dirname", "env", "grep", "mkdir", "sha256sum", "tail")
REAL_PYTHON = '[ "$1" = --version ] && echo Python 3.11.9'
# A fake interpreter: `-m venv DIR` makes one whose pip and doctor only say that they ran.
PYTHON: Final = f"""{REAL_PYTHON}
if [ "$2" = venv ]; then
  mkdir -p "$3/bin"
  printf '#!/bin/sh\\necho "python $*"\\n' > "$3/bin/python"
  printf '#!/bin/sh\\necho "doctor ran"\\nexit ${{DOCTOR_EXIT:-0}}\\n' > "$3/bin/surefoot"
  chmod +x "$3/bin/python" "$3/bin/surefoot"
fi
exit 0"""
INSTALLED: Final = "echo 'install ok installed'"


class FakeHost:
    """Hold a checkout and a PATH with only the programs that a test names."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.programs = folder / "bin"
        self.home = folder / "home"
        for path in (
            self.checkout / "scripts",
            self.checkout / "studies",
            self.programs,
            self.home,
        ):
            path.mkdir(parents=True)
        for name in (
            "constraints.txt",
            "hashes.txt",
            "pyproject.toml",
            "studies/pyproject.toml",
            "scripts/apt.txt",
            "scripts/apt-desktop.txt",
            "scripts/setup.sh",
        ):
            shutil.copy(ROOT / name, self.checkout / name)
        for name in (*TOOLS, "chmod"):
            found = shutil.which(name)
            assert found is not None
            (self.programs / name).symlink_to(found)
        self.install("python3", PYTHON)
        self.install("id", "echo 1000")

    def install(self, program: str, body: str = "exit 0") -> None:
        """Put a fake program on the PATH."""
        path = self.programs / program
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)

    def ask(self, answer: str, *kind: str, **variables: str) -> tuple[int, str]:
        """Run the set-up script at a terminal, at which a person types an answer."""
        person, terminal = os.openpty()
        os.write(person, answer.encode())
        environment = {"PATH": str(self.programs), "HOME": str(self.home), **variables}
        script = str(self.checkout / "scripts" / "setup.sh")
        command = [str(self.programs / "bash"), script, *kind]
        with subprocess.Popen(
            command, env=environment, stdin=terminal, stdout=terminal, stderr=terminal
        ) as running:
            os.close(terminal)
            said = b""
            with contextlib.suppress(OSError):  # the terminal is gone
                while part := os.read(person, 4096):
                    said += part
        os.close(person)
        return running.returncode, said.decode()

    def set_up(self, *kind: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the set-up script where there is no terminal."""
        environment = {"PATH": str(self.programs), "HOME": str(self.home), **variables}
        script = str(self.checkout / "scripts" / "setup.sh")
        command = [str(self.programs / "bash"), script, *kind]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=60
        )


@pytest.fixture
def host(tmp_path: Path) -> FakeHost:
    """Return a Debian machine without root that has every package."""
    made = FakeHost(tmp_path)
    made.install("dpkg-query", INSTALLED)
    made.install("apt-get")
    for program in ("npm", "chromium"):
        made.install(program)
    return made


def test_complete_machine_is_left_alone(host: FakeHost) -> None:
    """Where every package is there, only .venv is made, and a second run does nothing."""
    first, second = host.set_up(), host.set_up()

    assert first.returncode == 0, first.stderr
    assert "installing system packages" not in first.stdout
    assert "--require-hashes --no-deps --requirement hashes.txt" in first.stdout
    assert "--no-deps --no-build-isolation --editable . --editable ./studies" in first.stdout
    assert "doctor ran" in first.stdout
    assert (second.returncode, second.stdout) == (0, "")


def test_changed_pins_are_installed(host: FakeHost) -> None:
    """A change of hashes.txt makes the next run install again, into the same .venv."""
    host.set_up()
    (host.checkout / "hashes.txt").write_text("httpx==0.28.1\n", encoding="utf-8")

    again = host.set_up()

    assert "installing the Python packages" in again.stdout
    assert "making .venv" not in again.stdout


def test_without_root_the_command_is_named(host: FakeHost) -> None:
    """Without root and sudo, what is missing is named with the command, and set-up goes on."""
    host.install("dpkg-query", "exit 1")
    (host.programs / "npm").unlink()
    (host.programs / "chromium").unlink()

    result = host.set_up()

    assert "sudo apt-get update && sudo apt-get install -y" in result.stdout
    last = (ROOT / "scripts" / "apt.txt").read_text(encoding="utf-8").split()[-1]
    assert f"{last} npm" in result.stdout
    assert "xvfb" not in result.stdout
    assert "xvfb" in host.set_up("desktop").stdout
    assert "python -m playwright install chromium" in result.stdout
    assert "doctor ran" in result.stdout


@pytest.mark.parametrize("user", ["0", "1000"])
def test_root_or_sudo_installs_what_is_missing(host: FakeHost, user: str) -> None:
    """As root, or with sudo that asks nothing, exactly the missing packages are installed."""
    log = host.checkout / "log"
    host.install("id", f"echo {user}")
    host.install("sudo", f'shift; echo "sudo $*" >> {log}; [ "$1" = true ] || "$@"')
    host.install("apt-get", f'echo "$*" >> {log}')
    host.install("dpkg-query", f'case "$*" in *fonts-inter*) exit 1;; esac\n{INSTALLED}')

    result = host.set_up()

    said = log.read_text(encoding="utf-8").splitlines()
    assert result.returncode == 0, result.stderr
    assert "install -y --no-install-recommends fonts-inter" in said
    assert any(line.startswith("sudo apt-get") for line in said) is (user != "0")


@pytest.mark.parametrize(
    ("answer", "variables", "installed"),
    [("\n", {}, True), ("n\n", {}, False), ("n\n", {"YES": "1"}, True)],
)
def test_a_person_is_asked_first(
    host: FakeHost, answer: str, variables: dict[str, str], *, installed: bool
) -> None:
    """At a terminal packages are named with their sizes, and installed only if wanted."""
    log = host.checkout / "log"
    host.install("id", "echo 0")
    host.install("apt-get", f'echo "$*" >> {log}; echo "Need to get 5,1 MB of archives."')
    host.install("apt-cache", 'echo "Package: x"; echo "Installed-Size: 20480"')
    host.install("dpkg-query", f'case "$*" in *fonts-inter*) exit 1;; esac\n{INSTALLED}')

    code, said = host.ask(answer, **variables)

    assert code == 0
    assert "fonts-inter                      20 MB" in said
    assert "Need to get 5,1 MB of archives." in said
    assert ("install them?" in said) is not bool(variables)
    ran = "install -y --no-install-recommends fonts-inter" in log.read_text("utf-8").splitlines()
    assert ran is installed
    assert ("stay missing: fonts-inter" in said) is not installed


def test_without_a_terminal_it_is_said_and_done(host: FakeHost) -> None:
    """Where nobody can be asked, what is installed is named, and so is that nobody was asked."""
    host.install("id", "echo 0")
    host.install("dpkg-query", f'case "$*" in *fonts-inter*) exit 1;; esac\n{INSTALLED}')

    result = host.set_up()

    assert result.returncode == 0
    assert "installing system packages: fonts-inter" in result.stdout
    assert "no terminal to ask at" in result.stdout


def test_what_desktops_need_comes_when_it_is_asked_for(host: FakeHost) -> None:
    """The set-up of desktop sources is one of its own, and includes the other."""
    host.install("dpkg-query", f'case "$*" in *kcalc*) exit 1;; esac\n{INSTALLED}')

    plain, desktop, again = host.set_up(), host.set_up("desktop"), host.set_up()

    assert "kcalc" not in plain.stdout
    assert "these stay missing: kcalc" in desktop.stdout
    assert again.stdout == ""


def test_venv_is_installed_for_debians_python(host: FakeHost) -> None:
    """Debian's python3 without venv gets it from apt-get, and set-up goes on."""
    done = host.checkout / "venv-installed"
    fits = f'case "$2" in *ensurepip*) [ -e {done} ] || exit 1;; esac\n'
    host.install("python3", fits + PYTHON)
    host.install("id", "echo 0")
    host.install("apt-get", f'case "$*" in *python3-venv*) : > {done};; esac')

    result = host.set_up()

    assert result.returncode == 0, result.stderr
    assert "installing system packages: python3-venv\n" in result.stdout


def test_failed_installation_is_told(host: FakeHost) -> None:
    """When apt-get fails, its last lines are shown and the exit code is 3."""
    host.install("id", "echo 0")
    host.install("dpkg-query", "exit 1")
    host.install("apt-get", "echo no network >&2; exit 100")

    result = host.set_up()

    assert result.returncode == 3
    assert "no network" in result.stderr
    assert "to try by hand" in result.stderr


def test_machine_without_apt_goes_on(host: FakeHost) -> None:
    """Where there is no apt-get, set-up says so and does the rest."""
    (host.programs / "apt-get").unlink()

    result = host.set_up()

    assert result.returncode == 0, result.stderr
    assert "no apt-get here" in result.stdout


@pytest.mark.parametrize(
    ("python", "message"),
    [
        (None, "no python3; to install it"),
        ('case "$2" in *version_info*) exit 1;; esac; echo Python 3.9.2', "3.11 or newer"),
        ('case "$2" in *ensurepip*) exit 1;; esac; exit 0', "apt-get install python3-venv"),
    ],
)
def test_unfit_python_is_told(host: FakeHost, python: str | None, message: str) -> None:
    """No Python, an old one, and one without venv are told apart, each with a remedy."""
    (host.programs / "python3").unlink()
    if python is not None:
        host.install("python3", python)

    result = host.set_up()

    assert result.returncode == 3
    assert message in result.stderr


def test_missing_component_stops_with_its_code(host: FakeHost) -> None:
    """When doctor misses something needed, set-up ends with 3 and looks again next time."""
    first, second = host.set_up(DOCTOR_EXIT="3"), host.set_up()

    assert first.returncode == 3
    assert "needed" in first.stderr
    assert "doctor ran" in second.stdout


@pytest.mark.parametrize("home", ["", "/no/such/home"])
def test_useless_home_is_replaced(host: FakeHost, home: str) -> None:
    """An empty or absent HOME is replaced by a folder of the checkout."""
    result = host.set_up(HOME=home)

    assert result.returncode == 0, result.stderr
    assert (host.checkout / ".cache" / "home").is_dir()


def test_scripts_may_be_run() -> None:
    """The scripts that make and the integration call are executable."""
    assert os.access(ROOT / "scripts" / "setup.sh", os.X_OK)
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
