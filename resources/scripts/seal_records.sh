#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# seal_records.sh ISOBIT [NAME]: makes the two records of rmsnorm-72 in this checkout's evidence/records, from a sweep of
# the CPU model and from the kept runs of an NVIDIA H200, signed and reviewed with the public test keys. The tree must be
# clean. NAME ends the records' folder names and makes them supersede those without it.
set -euo pipefail
isobit=$1 suffix=${2:+-$2}
cd "$(dirname "$0")/../.."
records=evidence/records/rmsnorm-72
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for key in 1 2; do resources/scripts/public_test_key.sh $key "$work/key$key"; done

# What decides the bits of norm v2, and nothing else: a result is stale as soon as one of these changes.
model=(core/arithmetic/{mean,norm_evaluate,reduction,row_kernels}.{cpp,h} core/arithmetic/norm_arithmetic.h
       core/arithmetic/norm_values.cpp core/numeric/{float_format,word}.h core/silicon/{ieee_operations,sm90_approximations}.h
       core/silicon/{sm90_library,sm90_mufu,sm90_tables,silicon}.h core/silicon/sm90_silicon.cpp
       resources/silicon/sm_90.table)
device=(kernels/norm.{cpp,h} kernels/norm_{block,cluster,narrow,row,split,stream}.cu kernels/norm_{device,row}.cuh)

# seal NAME RUNS BOUND...
seal() {
    local folder=$records/$1$suffix options=() path
    [ -z "$suffix" ] || options+=(--supersedes "$(sha256sum < "$records/$1/manifest.json" | cut -c1-64)")
    for path in "${@:3}"; do options+=(--bind "$path"); done
    "$isobit" evidence seal $2 --out "$folder" "${options[@]}"
    "$isobit" evidence sign "$folder" --key "$work/key1"
}
review() { "$isobit" evidence review "$records/$1$suffix" --base HEAD --key "$work/key2" --cells all; }

"$isobit" sweep rmsnorm-72 --out "$work/cpu-model.h5"
seal cpu-model "$work/cpu-model.h5" "${model[@]}"
seal h200 "resources/records/norm_v2_h200.h5 resources/records/norm_v2_h200_second.h5" "${model[@]}" "${device[@]}"
review cpu-model
review h200
