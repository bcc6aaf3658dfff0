#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# Measures what the readers promise: the tensor list of an 8 GiB safetensors file (sparse) in at most 100 ms, comparison of
# cached files at 4 GB/s a core or more with at most 64 MiB of memory of its own, one flipped bit found in a 1 GB tensor.
#   resources/scripts/measure_readers.sh [ISOBIT] [FOLDER]    needs 3 GiB of free disk below FOLDER
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
isobit=${1:-$root/build/release/bin/isobit}
folder=$(mktemp -d "${2:-${TMPDIR:-/tmp}}/isobit-measure-XXXXXX")
trap 'rm -rf "$folder"' EXIT

# safetensors FILE TENSORS ELEMENTS: bf16 tensors of zeros, sparse.
safetensors() {
    awk -v n="$2" -v elements="$3" 'BEGIN {
        header = "{"
        for (i = 0; i < n; i++)
            header = header sprintf("%s\"layers.%d.w\":{\"dtype\":\"BF16\",\"shape\":[%d],\"data_offsets\":[%.0f,%.0f]}", i ? "," : "", i, elements, i * elements * 2, (i + 1) * elements * 2)
        printf "%s}", header
    }' > "$folder/header"
    local length
    length=$(stat -c %s "$folder/header")
    { printf "\\x$(printf %02x $((length & 255)))\\x$(printf %02x $((length >> 8 & 255)))\\x$(printf %02x $((length >> 16 & 255)))"
      printf '\0\0\0\0\0'
      cat "$folder/header"; } > "$1"
    truncate -s $((8 + length + $2 * $3 * 2)) "$1"
}

# Runs a command, prints its seconds and the most anonymous memory (RssAnon) that it was seen to have, in MiB.
measured() {
    local begin end most=0 now
    begin=$(date +%s%N)
    "$@" > "$folder/out" 2>&1 &
    local child=$!
    while now=$(awk '/RssAnon/ {print $2}' "/proc/$child/status" 2> /dev/null) && [ -n "$now" ]; do
        if [ "$now" -gt "$most" ]; then most=$now; fi
        sleep 0.002
    done
    local status=0
    wait $child || status=$?
    end=$(date +%s%N)
    echo "$(((end - begin) / 1000)) $((most / 1024)) $status"
}

safetensors "$folder/large.safetensors" 400 10737418
for _ in 1 2 3; do
    read -r microseconds _ status < <(measured "$isobit" open "$folder/large.safetensors" --json)
    echo "list: $(stat -c %s "$folder/large.safetensors") bytes, 400 tensors, $((microseconds / 1000)) ms, exit $status"
done

safetensors "$folder/a.safetensors" 1 500000000
head -c 1000000000 /dev/urandom | dd of="$folder/a.safetensors" bs=1M seek=4096 oflag=seek_bytes conv=notrunc status=none
truncate -s $((8 + $(stat -c %s "$folder/header") + 1000000000)) "$folder/a.safetensors"
cp "$folder/a.safetensors" "$folder/b.safetensors"
cat "$folder/a.safetensors" "$folder/b.safetensors" > /dev/null
for _ in 1 2 3; do
    read -r microseconds mebibytes status < <(measured "$isobit" compare "$folder/a.safetensors" "$folder/b.safetensors" --threads 1)
    echo "compare, 1 thread: 2 times 1 GB, $((microseconds / 1000)) ms, $((2000000 / (microseconds / 1000))) MB/s, $mebibytes MiB of its own, exit $status"
done
TIMEFORMAT='%U %S'
read -r user system < <({ time "$isobit" compare "$folder/a.safetensors" "$folder/b.safetensors" --threads 1 > /dev/null; } 2>&1)
awk -v user="$user" -v kernel="$system" 'BEGIN { printf "compare, processor time: %.3f s, %.1f GB/s a core\n", user + kernel, 2 / (user + kernel) }'
byte=$(od -An -tu1 -j 700000000 -N 1 "$folder/b.safetensors")
printf "\\x$(printf %02x $((byte ^ 1)))" | dd of="$folder/b.safetensors" bs=1 seek=700000000 conv=notrunc status=none
"$isobit" compare "$folder/a.safetensors" "$folder/b.safetensors" --json | grep -E '"verdict"|"elements"|"first_index"|"max_ulp"' | head -8 || true
