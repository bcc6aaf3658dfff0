#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# A pairing is saved, edited and read back; the answer follows it. $1: isobit, $2: folder of small captures.
set -eu
isobit=$1
captures=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trainer=$captures/rope_trainer.safetensors
sampler=$captures/rope_sampler.safetensors

fail() {
    echo "$1" >&2
    exit 1
}

# compare exits with 1, since tensors differ.
compare() {
    code=0
    "$isobit" compare "$trainer" "$sampler" "$@" >"$folder/out" 2>"$folder/err" || code=$?
}

compare --save-pairing "$folder/pairing.json"
[ $code = 1 ] || fail "saving: exit code $code"
cp "$folder/out" "$folder/automatic"
compare --pairing "$folder/pairing.json"
[ $code = 1 ] || fail "reading back: exit code $code"
grep -q "33 of 41 tensors differ" "$folder/out" || fail "the pairing read back gives another answer"
grep -q "culprit: RoPE" "$folder/out" || fail "the pairing read back gives another culprit"

# Only one pair, the rest left out: equal.
printf '%s' '{"format": "isobit.pairing/1", "others": "left_out", "pairs": [
  {"trainer": {"tensor": "layers.00.q_norm"}, "sampler": {"tensor": "layers.00.q_norm"}}]}' >"$folder/one.json"
compare --pairing "$folder/one.json"
[ $code = 0 ] || fail "one equal pair: exit code $code"
grep -q "EQUAL: all 1 tensors" "$folder/out" || fail "one equal pair is not equal"

# A name that is not there: one sentence, exit code 2, nothing on stdout.
sed 's/"tensor": "embed"/"tensor": "embedding_of_another"/' "$folder/pairing.json" >"$folder/bad.json"
compare --pairing "$folder/bad.json"
[ $code = 2 ] || fail "an unknown name: exit code $code"
[ ! -s "$folder/out" ] || fail "an unknown name: output"
grep -q 'has no tensor "embedding_of_another"' "$folder/err" || fail "an unknown name is not said"

# A pairing is never half written over an unwritable place.
compare --save-pairing "$folder/missing/pairing.json"
[ $code = 2 ] || fail "an unwritable place: exit code $code"
