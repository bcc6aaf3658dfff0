#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# seal_records.sh ISOBIT NAME [RUN...]: makes the record evidence/records/rmsnorm-72/NAME of this checkout, signed and
# reviewed with the public test keys. NAME is cpu-model or h200, or one of them and a number (h200-2), which supersedes
# the one before. RUNs are run files of the grid, the first sealed, the others as its replays; without any the CPU model
# runs the sweep. The tree must be clean.
set -euo pipefail
isobit=$1 name=$2
cd "$(dirname "$0")/../.."
record=evidence/records/rmsnorm-72/$name
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for key in 1 2; do resources/scripts/public_test_key.sh $key "$work/key$key"; done

# What decides the bits of norm v2, and nothing else: a result is stale as soon as one of these changes.
bound=(core/arithmetic/{mean,norm_evaluate,reduction,row_kernels}.{cpp,h} core/arithmetic/norm_arithmetic.h
       core/arithmetic/norm_values.cpp core/numeric/{float_format,word}.h core/silicon/{ieee_operations,sm90_approximations}.h
       core/silicon/{sm90_library,sm90_mufu,sm90_tables,silicon}.h core/silicon/sm90_silicon.cpp
       resources/silicon/sm_90.table)
case $name in
    h200*) bound+=(kernels/norm.{cpp,h} kernels/norm_{block,cluster,narrow,row,split,stream}.cu kernels/norm_{device,row}.cuh) ;;
esac

options=()
for path in "${bound[@]}"; do options+=(--bind "$path"); done
if [[ $name =~ ^(.*)-([0-9]+)$ ]]; then
    before=${BASH_REMATCH[1]}-$((BASH_REMATCH[2] - 1))
    options+=(--supersedes "$(sha256sum < "evidence/records/rmsnorm-72/${before%-1}/manifest.json" | cut -c1-64)")
fi

runs=("${@:3}")
if [ ${#runs[@]} -eq 0 ]; then
    runs=("$work/run.h5")
    "$isobit" sweep rmsnorm-72 --out "${runs[0]}"
fi
"$isobit" evidence seal "${runs[@]}" --out "$record" "${options[@]}"
"$isobit" evidence sign "$record" --key "$work/key1"
"$isobit" evidence review "$record" --base HEAD --key "$work/key2" --cells all
