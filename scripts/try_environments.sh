#!/usr/bin/env bash
# Play one episode by our driver, Gymnasium, Playwright alone, OpenEnv and BrowserGym, compare
# what it came to, and run the documentation's example of browser-use. OpenEnv, BrowserGym and
# browser-use get environments of their own, as for users. Then one question on its live page,
# by Playwright's MCP server as well. Last the tests of Inspect AI and of Ray, beside them.
#
# PYTHON names the interpreter (default: python3).

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pip() { "$1/bin/python" -m pip install --quiet --disable-pip-version-check "$2"; }

.venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
  --no-build-isolation --wheel-dir "$work" .
wheel=$(echo "$work"/surefoot-*.whl)
for extra in openenv browsergym inspect ray; do
  "$python" -m venv "$work/$extra"
  pip "$work/$extra" "$wheel[$extra]"
done
"$python" -m venv "$work/browser-use"
pip "$work/browser-use" 'browser-use>=0.13,<0.14'
npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$work/mcp" @playwright/mcp@0.0.83
unset PYTHONPATH
.venv/bin/python -m scripts.environments.compare "$work"
.venv/bin/python -m scripts.environments.compare_questions "$work"
# Their own packages come before those that the tests need of ours.
for extra in inspect ray; do
  printf '%s\n' "$PWD"/.venv/lib/python*/site-packages "$PWD/studies/src" \
    > "$(echo "$work/$extra"/lib/python*/site-packages)/ours.pth"
done
"$work/inspect/bin/python" -m pytest -q -p no:cacheprovider -p no:randomly tests/run/inspect
# RAY_MARKS=long: thirty kills of each.
"$work/ray/bin/python" -m pytest -q -p no:cacheprovider -p no:randomly -m "${RAY_MARKS:-not long}" \
  tests/run/engine/test_ray_cluster.py tests/run/engine/test_ray_workers.py
