#!/usr/bin/env bash
# What is worth a machine with a GPU, most valuable first: scripts/gpu_day.sh OUT
#
# Each step has its own limit of minutes and writes as it goes. A step that is through is not done
# again, one that was stopped goes on from its last checkpoint. Of Surefoot's dependencies it needs
# msgspec and typer, beside numpy, Pillow, torch and transformers; nothing is fetched.
#
#   DEVICE=cpu WORKERS=0 READER=recipe.json MINUTES=1 scripts/gpu_day.sh OUT   # a try-out
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

out=${1:?"name a folder for the results: scripts/gpu_day.sh OUT"}
device=${DEVICE:-cuda}
python=${PYTHON:-python3}
export PYTHONPATH="$PWD/src:$PWD/studies/src${PYTHONPATH:+:$PYTHONPATH}"
mkdir -p "$out"

# step NAME MINUTES COMMAND...: does it once, and stops it a minute after its limit.
step() {
  local name=$1 minutes=$2
  shift 2
  if [ -e "$out/$name.done" ]; then
    echo "$name: done before"
    return
  fi
  echo "$name: at most $minutes minutes"
  timeout --signal=INT --kill-after=60 $((minutes * 60 + 60)) "$@" 2>&1 | tee -a "$out/$name.log"
  local code=${PIPESTATUS[0]}
  if [ "$code" -eq 0 ]; then touch "$out/$name.done"; else echo "$name: ended with $code"; fi
}

# 1. A model of the same code, some tens of millions of weights, that reads words of buttons.
step reader "${MINUTES:-8}" "$python" -m surefoot_studies.tiny train \
  --recipe "${READER:-reader}" --device "$device" --workers "${WORKERS:-12}" \
  --minutes "${MINUTES:-8}" --out "$out/reader"

[ -e "$out/reader.done" ]
