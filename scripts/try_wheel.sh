#!/usr/bin/env bash
# Build the wheel from a clean clone, install it into a fresh environment, and try it there.
#
# The base install must stay under 400 MB and say what to install for a page; then every
# `surefoot` command of README.md is run as it stands, with the extras that README names (and
# parquet, for scripts/try_python.py); the built-in model "center" stands in for a server, and --fix is left out, which installs.
#
# PYTHON names the interpreter (default: python3). With --write the size of the base install is
# written into docs/measured and the documents that quote it.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

here=$PWD
python=${PYTHON:-python3}
most_mb=400
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf 'try_wheel: %s\n' "$*"; }

build_wheel() {
  git clone --quiet "$here" "$work/clone"
  # The same scripts again, where set-up has built them from the same sources.
  local dist=src/surefoot/forms/renderers/web/dist
  [ ! -d "$dist" ] || cp -r "$dist" "$work/clone/$dist"
  .venv/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --wheel-dir "$work" "$work/clone"
  wheel=$(echo "$work"/*.whl)
  say "built $(basename "$wheel"), $(du --apparent-size -k "$wheel" | cut -f 1) kB"
}

install() {
  "$work/env/bin/python" -m pip install --quiet --disable-pip-version-check \
    --constraint constraints.txt "$1"
}

readme_commands() {
  .venv/bin/python - <<'PYTHON'
import pathlib, re

page = pathlib.Path("README.md").read_text("utf-8")
blocks = re.findall(r"^```(?:console|sh)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
lines = re.sub(r"\\\n\s*", "", "".join(blocks)).splitlines()
for line in lines:
    if line.startswith("surefoot ") and "--fix" not in line:
        print(re.sub(r"openai:\S+", "center", line))
PYTHON
}

build_wheel
"$python" -m venv "$work/env"
install "$wheel"
size=$(du -sm "$work/env" | cut -f 1)
say "the base install has $size MB"
[ "${1:-}" != --write ] || .venv/bin/python scripts/measured.py install "$size"
[ "$size" -lt "$most_mb" ] || { say "more than $most_mb MB" >&2; exit 1; }

mkdir "$work/reader" && cd "$work/reader"
export PATH="$work/env/bin:$PATH"
unset PYTHONPATH
surefoot --version
surefoot models >models.txt
if surefoot capture page.html --out nothing 2>error.txt; then
  say "a page was captured without the extra 'web'" >&2 && exit 1
fi
grep --quiet "pip install 'surefoot\[web\]'" error.txt || { cat error.txt >&2; exit 1; }

cd "$here" && install "${wheel}[web,forms,view,parquet]"
readme_commands >"$work/commands"
[ -s "$work/commands" ] || { say "README has no command to run" >&2; exit 1; }
cd "$work/reader"
while read -r command; do
  say "$command"
  bash -c "$command" >log.txt 2>&1 </dev/null || { tail -n 5 log.txt >&2; say "failed: $command" >&2; exit 1; }
done <"$work/commands"
sed -n '/^```python$/,/^```$/{/^```/d;p}' "$here/README.md" >readme.py
python readme.py || { say "README's Python failed" >&2; exit 1; }
mkdir outside && cd outside
python "$here/scripts/try_python.py" || { say "scripts/try_python.py failed" >&2; exit 1; }
say "all $(wc -l <"$work/commands") commands of README.md ran"
