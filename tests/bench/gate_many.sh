#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# gate_many.sh ISOBIT [COUNT [FOLDER]]: makes a repository with COUNT (500) sealed, signed and reviewed artifacts of a whole
# rmsnorm-72 run, and measures `isobit evidence gate` on two cores. FOLDER keeps the repository for the next time.
set -euo pipefail
isobit=$(realpath "$1") count=${2:-500}
work=${3:-$(mktemp -d)}
[ -n "${3:-}" ] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
scripts=$(realpath "$(dirname "$0")/../../resources/scripts")
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Bench GIT_AUTHOR_EMAIL=bench@example.invalid
export GIT_COMMITTER_NAME=Bench GIT_COMMITTER_EMAIL=bench@example.invalid
cd "$work"
if [ ! -d r ]; then
    for key in 1 2; do rm -f key$key; "$scripts/public_test_key.sh" $key key$key; done
    "$isobit" sweep rmsnorm-72 --out run.h5 > /dev/null
    git init -q -b main r
    mkdir -p r/kernels r/evidence/policy
    echo '// a kernel' > r/kernels/norm.cu
    echo "author@example.invalid namespaces=\"evidence-result-v1@isobit\" $(cut -d' ' -f1,2 key1.pub)" > r/evidence/policy/allowed_signers
    echo "reviewer@example.invalid namespaces=\"evidence-review-v1@isobit\" $(cut -d' ' -f1,2 key2.pub)" >> r/evidence/policy/allowed_signers
    git -C r add -A
    git -C r commit -q -m Start
    # One artifact is sealed; the others are the same run with their own run_id, each signed and reviewed by itself.
    "$isobit" evidence seal run.h5 --out r/evidence/records/rmsnorm-72/run-0 > /dev/null
    seal() {
        local folder=r/evidence/records/rmsnorm-72/run-$1
        [ "$1" = 0 ] || cp -r r/evidence/records/rmsnorm-72/run-0 "$folder"
        sed -i "s/\"run_id\": \"[0-9a-f]*\"/\"run_id\": \"$(printf '%032x' "$1")\"/" "$folder/manifest.json"
        ssh-keygen -q -Y sign -f key1 -n evidence-result-v1@isobit "$folder/manifest.json"
        mv "$folder/manifest.json.sig" "$folder/manifest.json.author.sshsig"
    }
    for ((i = count - 1; i >= 0; --i)); do [ $i = 0 ] || seal $i; done
    seal 0
    for ((i = 0; i < count; ++i)); do
        "$isobit" evidence review r/evidence/records/rmsnorm-72/run-$i --key key2 --cells none --base HEAD > /dev/null 2>&1
    done
    git -C r add -A
    git -C r commit -q -m 'Add evidence'
fi
TIMEFORMAT='%R s, user %U s, system %S s'
time taskset -c 0,1 "$isobit" evidence gate r | tail -1
