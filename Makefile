# Every target does the set-up it needs first and skips what is there.

.DEFAULT_GOAL := help
.PHONY: help setup setup-desktop setup-demo demo test test-long test-fast attack check bench docs notebooks forms-oracle multilingual tiny measured format pins sbom clean

# An empty or unwritable HOME stops Chromium, npm and pip.
export HOME := $(shell test -n "$$HOME" -a -w "$$HOME" && echo "$$HOME" || echo "$(CURDIR)/.cache/home")

# The demo's folder; `make demo OUT=elsewhere` puts it there.
OUT ?= out/demo

help:  ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

setup:  ## install .venv, Chromium, fonts, OCR languages, npm; asks before system packages (YES=1: does not)
	@PYTHON="$(PYTHON)" scripts/setup.sh

setup-desktop:  ## the same, and the screen and programs of desktop: sources
	@PYTHON="$(PYTHON)" scripts/setup.sh desktop

setup-demo:  ## what the demo needs alone
	@PYTHON="$(PYTHON)" scripts/setup.sh demo

demo: setup-demo  ## real pages -> benchmark -> built-in model -> report
	@.venv/bin/surefoot quickstart --out $(OUT) || { \
	  [ $$? -eq 1 ] && echo "the units listed above failed; the report is made from all others"; }

# Two workers for each processor, since tests of programs, pages and servers mostly wait; a file
# stays with one worker, dear files go first. More threads than one each would only wait.
WORKERS := $(shell echo $$((2 * $$(nproc))))
# Threads of several trainings wait for each other asleep: spinning, they take the cores.
PYTEST := OPENBLAS_NUM_THREADS=1 OMP_WAIT_POLICY=passive .venv/bin/pytest --numprocesses $(WORKERS) --maxprocesses 8 --dist loadfile --no-loadscope-reorder

test: setup-desktop  ## the suite: every promise, on all processors; the closing lines name what was skipped
	@$(PYTEST) -m 'not long'

test-long: setup-desktop  ## attacks, kills, real programs, and more seeds and examples of what test proves
	@$(PYTEST) -m 'long or hypothesis' --hypothesis-profile at-length

test-fast: setup-desktop  ## the suite without the tests marked slow
	@$(PYTEST) -m 'not slow and not long'
	@echo "left out: the tests marked 'slow' (make test runs them) and 'long' (make test-long)"

attack: setup-desktop  ## break every promise if you can: kills, faults, hostile pages and servers, counted
	@.venv/bin/python -m attacks --write studies/docs/attacks.md

check: setup  ## format, lint, types, layers
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

bench: setup-desktop  ## ratios against bare loops, measured in this run; Ray's want its environment
	@for script in $(filter-out bench/ray_%,$(wildcard bench/*.py)); do echo "== $$script"; .venv/bin/python $$script || exit 1; done

docs: setup  ## build the site of the documentation into out/site; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet && echo "built out/site/index.html"

notebooks: setup  ## execute the notebooks of the documentation anew, and keep what they show
	@.venv/bin/python scripts/notebooks.py

forms-oracle: setup  ## the oracle, and a model told all, on all forms x looks x languages: an hour
	@.venv/bin/surefoot-studies perfect --out out/forms-oracle

multilingual: setup  ## the benchmark over all applications in six languages, built and proven: hours
	@YES=1 .venv/bin/python scripts/multilingual.py

tiny: setup  ## a toy vision-language model, trained from nothing on drawn screens: a quarter of an hour
	@.venv/bin/python -m surefoot_studies.tiny train --out out/tiny
	@.venv/bin/python -m surefoot_studies.tiny measure out/tiny/model --out out/tiny/benches

measured: setup  ## numbers and pictures of the documents anew, from the demo in OUT, made where it is not
	@[ -f $(OUT)/report.html ] || $(MAKE) demo OUT=$(OUT)
	@.venv/bin/python scripts/measured.py demo $(OUT)

format: setup  ## let ruff rewrite
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .

pins: setup  ## write what .venv holds into constraints.txt, and its hashes into hashes.txt
	@.venv/bin/python scripts/pins.py

sbom: setup  ## write out/sbom.json: every package with version, hashes and licence (CycloneDX)
	@.venv/bin/python scripts/sbom.py

clean:  ## remove .venv, caches and outputs (system packages stay)
	rm -rf .venv .cache .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis out
