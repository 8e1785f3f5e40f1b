#!/usr/bin/env bash
# Bring a Debian machine to the state that every other target needs; skip what is there.
#
#   1. system packages (scripts/apt.txt; npm and python3-venv if need be) through apt-get,
#      as root or with `sudo -n`
#   2. .venv with the files whose hashes are in hashes.txt, and the studies beside the package
#   3. Playwright's own Chromium, only where there is no system one
#   4. the scripts of the form renderers (scripts/build_forms.sh)
#   5. `surefoot doctor` has the last word on what is missing
#
# PYTHON names the interpreter to build the virtual environment from (default: python3).

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3}
stamp=.venv/.set-up
miniwob="297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9 37aefd67bcae51ecaf4bd3ba84e33eb904012a3459a7c342b338f81eae187048"

say() { printf 'setup: %s\n' "$*"; }

fail() {
  printf 'setup: %s\n' "$@" >&2
  exit 3
}

fingerprint() {
  { "$python" --version 2>&1 || true; pwd; cat scripts/apt.txt scripts/setup.sh constraints.txt hashes.txt pyproject.toml studies/pyproject.toml; } |
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
  done <scripts/apt.txt
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
  say "installing system packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local log=.cache/apt.log
  mkdir -p .cache
  { as_root apt-get update && as_root $command; } >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    fail "apt-get failed (whole output: $log); to try by hand: sudo apt-get update && sudo $command"
  }
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
  say "installing the Python packages of hashes.txt into .venv"
  # Nothing is taken but what has a hash here; our own two packages are built by the backend
  # among them, and fetch nothing.
  .venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --require-hashes --no-deps --requirement hashes.txt
  .venv/bin/python -m pip install --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation --editable . --editable ./studies
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
  say "done"
}

main "$@"
