#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# end_to_end.sh ISOBIT SOURCE: the whole way of a result, as its author, its reviewer and CI walk it, with fresh keys.
set -euo pipefail
isobit=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Test GIT_AUTHOR_EMAIL=test@example.invalid
export GIT_COMMITTER_NAME=Test GIT_COMMITTER_EMAIL=test@example.invalid
step() { echo "== $*"; }
expect() { local code=0; "${@:2}" > "$work/out" 2> "$work/err" || code=$?; [ "$code" = "$1" ] || { cat "$work/out" "$work/err"; echo "exit code $code, expected $1: ${*:2}"; exit 1; }; }
has() { grep -q -- "$1" "$work/out" || { cat "$work/out"; echo "the output lacks $1"; exit 1; }; }

step "keys, repository, policy"
ssh-keygen -q -t ed25519 -N '' -C author -f "$work/author"
ssh-keygen -q -t ed25519 -N '' -C reviewer -f "$work/reviewer"
ssh-keygen -q -t ed25519 -N '' -C stranger -f "$work/stranger"
key() { cut -d' ' -f1,2 "$work/$1.pub"; }
mkdir -p "$work/r/evidence/policy" "$work/r/kernels"
cd "$work/r"
git init -q -b main
echo '// a kernel' > kernels/norm.cu
{ echo "author@example.invalid namespaces=\"evidence-result-v1@isobit\" $(key author)"
  echo "reviewer@example.invalid namespaces=\"evidence-review-v1@isobit\" $(key reviewer)"; } > evidence/policy/allowed_signers
git add -A
git commit -q -m Start
git checkout -q -b change

step "sweep, seal, sign, verify"
expect 0 "$isobit" sweep rmsnorm-72 --axis H=2048,3840 --axis M=1,8 --out "$work/run.h5"
artifact=evidence/records/rmsnorm-72/first
expect 0 "$isobit" evidence seal "$work/run.h5" --out $artifact --json
has '"result": "PASSED"'
expect 1 "$isobit" evidence verify $artifact --base main --json
has '"state": "UNSIGNED"'
expect 2 "$isobit" evidence seal "$work/run.h5" --out $artifact
expect 0 "$isobit" evidence sign $artifact --key "$work/author"
grep -q 'namespace  evidence-result-v1@isobit' "$work/err"
expect 2 "$isobit" evidence sign $artifact --key "$work/author"
expect 0 "$isobit" evidence verify $artifact --base main --json
has '"state": "VERIFIED"'
expect 1 "$isobit" evidence gate . --base main --json
has '"state": "UNSIGNED"'

step "compute again, review"
expect 0 "$isobit" evidence rerun $artifact --cells all --json
has '"equal": 4'
expect 0 "$isobit" evidence rerun $artifact --cells all --stream
has '"done":4,"all":4'
expect 0 "$isobit" evidence rerun $artifact --cells random:2 --json
has '"cells_rerun": 2'
expect 0 "$isobit" evidence rerun $artifact --cells h2048_m1 h3840_m8
expect 2 "$isobit" evidence rerun $artifact --cells h1_m1
expect 2 "$isobit" evidence review $artifact --base main --key "$work/author"
expect 2 "$isobit" evidence review $artifact --base main --key "$work/stranger"
expect 0 "$isobit" evidence review $artifact --base main --key "$work/reviewer" --note 'h2048_m1=question:why so few rows'
expect 0 "$isobit" evidence verify $artifact --base main --json
has '"verdict": "APPROVED"'

step "commit, gate, scripts"
git add -A
git commit -q -m 'Add evidence'
expect 0 "$isobit" evidence gate . --base main --json
has '"passes": true'
git show main:evidence/policy/allowed_signers > "$work/signers"
expect 0 "$source/resources/verify-evidence.sh" $artifact "$work/signers"
has '^ACCEPT'
expect 0 "$source/resources/verify-sshsig.sh" "$work/author.pub" evidence-result-v1@isobit $artifact/manifest.json $artifact/manifest.json.author.sshsig
expect 0 "$source/resources/verify-sshsig.sh" "$work/reviewer.pub" evidence-review-v1@isobit $artifact/review.reviewer.json $artifact/review.reviewer.json.sshsig
expect 0 "$isobit" evidence show $artifact --base main
has 'Not claimed'
expect 0 "$isobit" evidence show $artifact --base main --format html
has '<svg'
openssl genpkey -algorithm ed25519 -out "$work/dsse.pem" 2> /dev/null
expect 0 "$isobit" evidence show $artifact --format dsse --key "$work/dsse.pem"
jq -r .payload "$work/out" | base64 -d | cmp - $artifact/manifest.json
jq -r '.signatures[0].sig' "$work/out" | base64 -d > "$work/dsse.sig"
type=application/vnd.in-toto+json
{ printf 'DSSEv1 %d %s %d ' ${#type} $type "$(stat -c %s $artifact/manifest.json)"; cat $artifact/manifest.json; } > "$work/pae"
openssl pkeyutl -verify -inkey "$work/dsse.pem" -rawin -in "$work/pae" -sigfile "$work/dsse.sig" > /dev/null

step "what must not pass"
expect 0 "$isobit" evidence seal "$work/run.h5" --out evidence/records/rmsnorm-72/second
expect 1 "$isobit" evidence diff $artifact evidence/records/rmsnorm-72/second
has 'predicate.run_id'
expect 2 "$isobit" evidence diff $artifact
expect 0 "$isobit" evidence seal "$work/run.h5" --out evidence/records/rmsnorm-72/renewed --supersedes "$(sha256sum < $artifact/manifest.json | cut -c1-64)"
expect 1 "$isobit" evidence diff evidence/records/rmsnorm-72/renewed
has 'predicate.supersedes'
rm -r evidence/records/rmsnorm-72/renewed
expect 0 "$isobit" evidence sign evidence/records/rmsnorm-72/second --key "$work/stranger" --describe
has 'namespace  evidence-result-v1@isobit'
expect 2 "$isobit" evidence sign evidence/records/rmsnorm-72/second --key "$work/stranger" --manifest "$(printf %064d 0)"
expect 0 "$isobit" evidence sign evidence/records/rmsnorm-72/second --key "$work/stranger"
expect 1 "$isobit" evidence verify evidence/records/rmsnorm-72/second --base main
has '^UNKNOWN-KEY'
rm -r evidence/records/rmsnorm-72/second
echo '// another kernel' > kernels/norm.cu
expect 1 "$isobit" evidence verify $artifact --base main
has '^VERIFIED-STALE'
expect 1 "$isobit" evidence gate . --base main
git checkout -q kernels
expect 0 "$isobit" evidence gate . --base main
expect 2 "$isobit" evidence gate "$work" --base main
expect 2 "$isobit" evidence verify "$work/nowhere"
echo "seal, sign, verify, compute again, review and gate work"
