#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# What `make run` shows after building: the main job on the CPU model, a pair that is not careful, and the window where
# there is a display. Run files go to build/runs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
isobit=$root/build/release/bin/isobit
workbench=$root/build/release/bin/isobit-workbench
runs=$root/build/runs
mkdir -p "$runs"

echo "== A careless pair: the thread count of the reduction follows the number of rows"
"$isobit" sweep rmsnorm-threshold --out "$runs/rmsnorm-threshold.h5" || [ $? -eq 1 ]
echo
echo "== The main job: trainer and sampler on 72 shapes, in Hopper's own bits, with no GPU"
"$isobit" sweep rmsnorm-72 --out "$runs/rmsnorm-72.h5"

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ -x "$workbench" ]; then
    echo "Opening the workbench; close its window to come back."
    "$workbench" "$runs/rmsnorm-72.h5"
fi
