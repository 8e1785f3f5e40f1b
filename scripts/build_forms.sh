#!/usr/bin/env bash
# Build the scripts of the form renderers into their dist folder; skip where nothing changed.
#
# The packages of package-lock.json (about 330 MB) are fetched, bundled into 4 MB, and
# removed again; KEEP_NODE_MODULES=1 keeps them for whoever works on the scripts.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../src/surefoot/forms/renderers/web"

stamp=dist/.built

fingerprint() {
  { cat package.json package-lock.json build.mjs notices.mjs ../shared/sender.js; find src -type f | LC_ALL=C sort | xargs cat; } |
    sha256sum | cut -d ' ' -f 1
}

if [ "$(cat "$stamp" 2>/dev/null)" = "$(fingerprint)" ]; then
  exit 0
fi
command -v npm >/dev/null || {
  echo "build_forms: no npm; to install it: sudo apt-get install npm" >&2
  exit 3
}
if [ ! -d node_modules ] || [ "$(cat node_modules/.lock 2>/dev/null)" != "$(sha256sum <package-lock.json)" ]; then
  echo "build_forms: fetching the packages of the form renderers"
  npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
  sha256sum <package-lock.json >node_modules/.lock
fi
node build.mjs
fingerprint >"$stamp"
[ "${KEEP_NODE_MODULES:-}" = 1 ] || rm -rf node_modules
echo "build_forms: built $(du -sh dist | cut -f 1)"
