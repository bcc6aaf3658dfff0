#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# Runs every libFuzzer target of the readers at the same time, under the address and undefined-behaviour sanitizers, and
# prints a line a target: seconds, inputs, coverage, findings. Findings and logs stay in the folder that is named.
#   cmake --preset fuzz && cmake --build --preset fuzz && resources/scripts/fuzz_readers.sh [SECONDS] [FOLDER]
# hdf5_child runs the HDF5 library without its child process and goes on after a crash: the library has known faults, which
# the child contains, so there only a fault in this project's own code counts.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-600}
folder=${2:-$root/build/fuzz/findings}
mkdir -p "$folder"

fuzz() { # NAME FLAGS... with seeds in $seeds
    local name=$1
    shift
    mkdir -p "$folder/corpus/$name" "$folder/findings/$name"
    nice "$root/build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$folder/findings/$name/" "$@" "$folder/corpus/$name" "$seeds" \
        > "$folder/$name.log" 2>&1 || true
    local inputs coverage
    inputs=$(grep -o 'number_of_executed_units: [0-9]*\|^#[0-9]*' "$folder/$name.log" | tail -1 | grep -o '[0-9]*$' || true)
    coverage=$(grep -o 'cov: [0-9]*' "$folder/$name.log" | tail -1 || true)
    echo "$name: ${inputs:-0} inputs, ${coverage:-cov: 0}, $(find "$folder/findings/$name" -type f | wc -l) findings"
}

for seeds in "$root"/tests/fuzz/seeds/* "$root"/tests/fuzz/evidence_seeds/* "$root"/tests/fuzz/document_seeds/*; do
    set=$(basename "$(dirname "$seeds")")
    name=${set%seeds}$(basename "$seeds")
    [ -x "$root/build/fuzz/bin/fuzz_$name" ] || continue
    case $name in
        hdf5) fuzz hdf5 -timeout=100 & ;;  # the child may take its 20 s of processor time
        hdf5_child) fuzz hdf5_child -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 & ;;
        *) fuzz "$name" & ;;
    esac
done
wait
