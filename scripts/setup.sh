#!/usr/bin/env bash
# Bring a Debian machine to the state that every other target needs; skip what is there.
#
#   1. system packages (scripts/apt.txt; npm and python3-venv if need be) through apt-get,
#      as root or with `sudo -n`; a person at a terminal is shown them with their sizes, and
#      asked first, unless YES=1
#   2. .venv with the files whose hashes are in hashes.txt, and the studies beside the package
#   3. Playwright's own Chromium, only where there is no system one
#   4. the scripts of the form renderers (scripts/build_forms.sh)
#   5. `surefoot doctor` has the last word on what is missing
#
# `scripts/setup.sh desktop` also brings the screen and the programs of desktop: sources
# (scripts/apt-desktop.txt). `scripts/setup.sh demo` brings only what the demo needs: of the
# Python packages those of scripts/demo.txt, and no scripts of form renderers.
# PYTHON names the interpreter to build the virtual environment from (default: python3).

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3}
kind=${1:-web}
lists=(scripts/apt.txt)
stamp=.venv/.set-up
if [ "$kind" = desktop ]; then
  lists+=(scripts/apt-desktop.txt)
  stamp=.venv/.set-up-desktop
elif [ "$kind" = demo ]; then
  stamp=.venv/.set-up-demo
fi
miniwob="297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9 37aefd67bcae51ecaf4bd3ba84e33eb904012a3459a7c342b338f81eae187048"

say() { printf 'setup: %s\n' "$*"; }

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 3
}

fingerprint() {
  { "$python" --version 2>&1 || true; pwd; cat "${lists[@]}" scripts/setup.sh constraints.txt hashes.txt pyproject.toml studies/pyproject.toml; } |
    sha256sum | cut -d ' ' -f 1
}

# An empty or unwritable HOME stops pip, npm and Chromium; give them one inside the checkout.
ensure_home() {
  if [ -z "${HOME:-}" ] || [ ! -w "$HOME" ]; then
    export HOME="$PWD/.cache/home"
    mkdir -p "$HOME"
  fi
}

missing_packages() {
  local package
  while read -r package; do
    [ "$package" = chromium ] && command -v chromium chromium-browser google-chrome >/dev/null && continue
    dpkg-query --show --showformat '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
      printf '%s\n' "$package"
  done < <(cat "${lists[@]}")
  command -v npm >/dev/null || printf 'npm\n'
  # Debian splits venv off its python3; an interpreter from elsewhere brings its own.
  if ! command -v "$python" >/dev/null; then
    printf 'python3\npython3-venv\n'
  elif ! can_make_environments && [ "$python" = python3 ]; then
    printf 'python3-venv\n'
  fi
}

can_make_environments() {
  "$python" -c 'import venv, ensurepip' 2>/dev/null
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "no apt-get here; going on without system packages (the last lines say what is missing)"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  local command="apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
    say "not root and no password-free sudo, so these stay missing: ${missing[*]}"
    say "to install them: sudo apt-get update && sudo $command"
    return
  fi
  export DEBIAN_FRONTEND=noninteractive
  local log=.cache/apt.log
  mkdir -p .cache
  # Sizes are known only from lists that are new.
  as_root apt-get update >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    fail "apt-get failed (whole output: $log); to try by hand: sudo apt-get update && sudo $command"
  }
  say "installing system packages: ${missing[*]}"
  tell_sizes "${missing[@]}"
  if ! agreed; then
    say "nothing was installed, so these stay missing: ${missing[*]}"
    say "to install them: YES=1 make setup, or sudo $command"
    return
  fi
  as_root $command >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    fail "apt-get failed (whole output: $log); to try by hand: sudo apt-get update && sudo $command"
  }
}

# Name each package with its size on the disk, and what all take with what they need.
tell_sizes() {
  local package line total
  if command -v apt-cache >/dev/null; then
    for package in "$@"; do
      line=$(apt-cache show --no-all-versions "$package" 2>/dev/null | grep -m 1 '^Installed-Size:' || true)
      line=${line#*: }
      printf '  %-28s %6d MB\n' "$package" "$((${line:-0} / 1024))"
    done
  fi
  total=$(LC_ALL=C as_root apt-get install --assume-no --no-install-recommends "$@" 2>/dev/null |
    grep -E '^(Need to get|After this operation)' || true)
  [ -z "$total" ] || say "with what they need themselves:" $total
}

# Ask a person; where nobody is there to be asked, or YES=1, the answer is yes.
agreed() {
  if [ "${YES:-}" = 1 ]; then return 0; fi
  if [ ! -t 0 ] || [ ! -t 1 ]; then
    say "no terminal to ask at, so they are installed (a person is asked first)"
    return 0
  fi
  local answer
  read -r -p 'setup: install them? [Y/n] ' answer || answer=no
  case "$answer" in '' | [Yy]*) return 0 ;; *) return 1 ;; esac
}

check_python() {
  command -v "$python" >/dev/null ||
    fail "no $python; to install it: sudo apt-get install python3 python3-venv"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Python 3.11 or newer is needed, found $("$python" --version 2>&1)" \
      "to use another: make setup PYTHON=/path/to/python3.11"
  can_make_environments ||
    fail "$python cannot make virtual environments; to install that: sudo apt-get install python3-venv"
}

build_environment() {
  if [ ! -x .venv/bin/python ]; then
    say "making .venv with $("$python" --version)"
    "$python" -m venv .venv
  fi
  if [ "$kind" = demo ]; then
    say "installing the Python packages of scripts/demo.txt into .venv"
    # A block of hashes.txt is a name and the lines below it that go on.
    awk 'NR == FNR { wanted[$1]; next }
         /^[a-z0-9]/ { split($1, part, "=="); on = part[1] in wanted }
         on' scripts/demo.txt hashes.txt |
      .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
        --no-deps --requirement /dev/stdin
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
      --no-deps --no-build-isolation --editable .
    return
  fi
  say "installing the Python packages of hashes.txt into .venv"
  # Nothing is taken but what has a hash here; our own two packages are built by the backend
  # among them, and fetch nothing.
  # PyTorch's build for processors alone comes first, where pip knows of a place that has it:
  # of two files of one version pip takes the one whose hash its index tells beforehand.
  sed -n '/^torch==/,/[^\\]$/p' hashes.txt | sed '1s/ \\$/+cpu \\/' |
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
      --requirement /dev/stdin 2>/dev/null || true
  .venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --require-hashes --no-deps --requirement hashes.txt
  .venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation --editable . --editable ./studies
  # On Linux some indexes have PyTorch for NVIDIA's processors alone; it then asks for libraries
  # that no hash here names.
  .venv/bin/python -c 'import torch' 2>/dev/null || {
    say "fetching the libraries that this build of PyTorch needs"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check \
      --constraint constraints.txt torch ||
      say "PyTorch cannot be used; what needs it (hf:, xli) is not to be had"
  }
  # Only its pages are used: what its code asks for is left out.
  printf 'miniwob==1.1.0 --hash=sha256:%s --hash=sha256:%s\n' $miniwob |
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
      --requirement /dev/stdin ||
    say "the pages of MiniWoB++ could not be fetched; what needs them is skipped"
}

ensure_chromium() {
  command -v chromium chromium-browser google-chrome >/dev/null && return
  say "no system Chromium; fetching Playwright's own"
  .venv/bin/python -m playwright install chromium ||
    say "Playwright's Chromium could not be fetched either; to try by hand: .venv/bin/python -m playwright install chromium"
}

# Forms in plain HTML need none of it, so that set-up goes on without.
build_forms() {
  [ "$kind" != demo ] || return 0
  [ -x scripts/build_forms.sh ] || return 0
  scripts/build_forms.sh ||
    say "the scripts of the form renderers could not be built; to try by hand: scripts/build_forms.sh"
}

main() {
  if [ -x .venv/bin/surefoot ] && [ "$(cat "$stamp" 2>/dev/null)" = "$(fingerprint)" ]; then
    build_forms
    return
  fi
  ensure_home
  install_packages
  check_python
  build_environment
  ensure_chromium
  build_forms
  .venv/bin/surefoot doctor || fail "the components marked 'missing' above are needed"
  fingerprint >"$stamp"
  # What desktop: sources need is more than what all else does, and the demo needs least.
  lists=(scripts/apt.txt)
  if [ "$kind" != demo ]; then
    fingerprint >.venv/.set-up
    fingerprint >.venv/.set-up-demo
  fi
  say "done"
}

main "$@"
