#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
#
# Verifies an evidence artifact without Isobit: bash, coreutils, findutils, grep, diffutils, jq, ssh-keygen and git.
#   verify-evidence.sh DIR ALLOWED_SIGNERS [AUTHOR [VERIFY_TIME [REVOKED_KEYS]]]
# Run it from the root of the repository that the artifact belongs to, with the signers of its base branch:
#   git show origin/main:evidence/policy/allowed_signers > signers
# AUTHOR defaults to whoever the signers file says the key belongs to; VERIFY_TIME is YYYYMMDDHHMMSSZ, by default now.
# Prints ACCEPT and the manifest's SHA-256, exit code 0; or REJECT and the reason, exit code 1; 2: cannot run.
# What it cannot see, because ssh-keygen does not: a signature whose S is not reduced, and a filled reserved field.
# verify-sshsig.sh sees both.
set -euo pipefail
export LC_ALL=C TZ=UTC0

refuse() { echo "REJECT $*"; exit 1; }
[ $# -ge 2 ] && [ -d "$1" ] && [ -f "$2" ] || { echo "usage: $0 DIR ALLOWED_SIGNERS [AUTHOR [VERIFY_TIME [REVOKED_KEYS]]]" >&2; exit 2; }
folder=${1%/} signers=$2 author=${3:-} time=${4:-} revoked=${5:-}
manifest=$folder/manifest.json signature=$folder/manifest.json.author.sshsig

# One document of the profile: ASCII, canonical, integers of 53 bits, no null. $1: file.
check_document() {
    [ "$(stat -c %s -- "$1")" -le 4194304 ] || refuse "size of $1"
    ! grep -q $'\r' "$1" || refuse "$1 has carriage returns: line endings were converted (core.autocrlf)"
    ! grep -qP '[^\x0a\x20-\x7e]' "$1" || refuse "$1 has a byte outside printable ASCII"
    [ "$(jq -s length "$1" 2>/dev/null)" = 1 ] || refuse "$1 is not one JSON document"
    jq -S --indent 2 . "$1" | cmp -s - "$1" || refuse "$1 is not canonical"
    jq -e '[..|numbers|select(. != floor or . < 0 or . > 9007199254740991)]|length==0' "$1" >/dev/null || refuse "number in $1"
    ! jq -c '[..|numbers]' "$1" | grep -qE '(^|[^0-9])-0([^0-9.]|$)' || refuse "-0 in $1"
    jq -e '[..|select(. == null)]|length==0' "$1" >/dev/null || refuse "null in $1"
    jq -e '[..|strings,(objects|keys_unsorted[])|select(test("[\u0000-\u001f]"))]|length==0' "$1" >/dev/null || refuse "escape in $1"
}

# A signature in a role, in the one form that ssh-keygen writes. $1: file, $2: signature, $3: namespace, $4: principal or
# nothing. Sets signer.
check_signature() {
    local options=()
    [ -f "$2" ] || refuse "unsigned: $2 is missing"
    [ "$(stat -c %s -- "$2")" -le 8192 ] || refuse "size of $2"
    signer=$4
    [ -z "$time" ] || options+=("-Overify-time=$time")
    # find-principals takes no namespace, so every principal that it names is tried in the role.
    local candidates=$4
    [ -n "$candidates" ] || candidates=$(ssh-keygen -Y find-principals "${options[@]}" -f "$signers" -s "$2" 2>/dev/null) ||
        refuse "unknown or expired key: $2"
    [ -z "$revoked" ] || options+=(-r "$revoked")
    for signer in $candidates; do
        ssh-keygen -Y verify "${options[@]}" -f "$signers" -I "$signer" -n "$3" -s "$2" < "$1" >/dev/null 2>&1 && break
        signer=
    done
    [ -n "$signer" ] || refuse "signature $2"
    grep -v '^-----' "$2" | base64 -d 2>/dev/null | { echo '-----BEGIN SSH SIGNATURE-----'; base64 -w70; echo '-----END SSH SIGNATURE-----'; } |
        cmp -s - "$2" || refuse "armor of $2"
}

# Only plain files with one name, only names of this artifact.
[ -z "$(find "$folder" ! -type f ! -type d -print -quit)" ] || refuse "link or special file"
[ -z "$(find "$folder" -type f -links +1 -print -quit)" ] || refuse "file with a second name"
[ -f "$manifest" ] || refuse "no manifest.json"
while read -r name; do
    case $name in
        manifest.json|manifest.json.author.sshsig|data/*) ;;
        review.*.json) ;;
        review.*.json.sshsig) [ -f "$folder/${name%.sshsig}" ] || refuse "$name signs no review" ;;
        *) refuse "file set: $name" ;;
    esac
done < <(cd "$folder" && find . -type f -printf '%P\n' | sort)

# The author's signature over the stored bytes, before anything is read out of them.
[ "$(stat -c %s -- "$manifest")" -le 4194304 ] || refuse "size of $manifest"
check_signature "$manifest" "$signature" evidence-result-v1@isobit "$author"
author=$signer
check_document "$manifest"

# Types, versions, names, digests: exactly these.
jq -e '._type=="https://in-toto.io/Statement/v1" and .predicateType=="urn:isobit:evidence-result:v1" and .predicate.schema==1
    and (keys==["_type","predicate","predicateType","subject"]) and .predicate.source.dirty==false
    and (.subject|type=="array" and length>0 and length<=4096)
    and all(.subject[]; keys==["annotations","digest","name"] and (.name|type=="string") and (.digest|keys==["sha256"])
        and (.digest.sha256|test("^[0-9a-f]{64}$")) and (.annotations|keys==["size"]) and (.annotations.size|type=="number"))
    and ([.subject[].name]|.==(sort|unique)) and (.predicate.source.paths|length>0)' "$manifest" >/dev/null || refuse "schema"
jq -e 'all(.subject[].name; length<=200
    and test("^data/[a-z0-9][a-z0-9_-]*([.][a-z0-9_-]+)*(/[a-z0-9][a-z0-9_-]*([.][a-z0-9_-]+)*)*$")
    and (test("(^|/)(con|nul|aux|prn|com[0-9]|lpt[0-9])([.]|/|$)")|not))' "$manifest" >/dev/null || refuse "name"
jq -e 'all(.predicate.source.paths[]; (.path|test("^[A-Za-z0-9_+][A-Za-z0-9._+-]*(/[A-Za-z0-9_+][A-Za-z0-9._+-]*)*$")))' \
    "$manifest" >/dev/null || refuse "bound path"

# The result follows from the cells, and the cells are those of the grid.
jq -e '.predicate as $p | [$p.cells[].status] as $s | ($s|map(select(.=="DIFFERENT"))|length) as $d
    | ($s|map(select(.=="EQUAL"))|length) as $e | ($s|map(select(.=="ERROR"))|length) as $x
    | $p.sweep.cells_expected==($s|length) and ([$p.sweep.axes[].values|length]|reduce .[] as $n (1; .*$n))==($s|length)
    and $p.sweep.cells_bit_equal==$e and $p.sweep.cells_bit_different==$d and $p.sweep.cells_error==$x
    and $p.sweep.cells_present==$e+$d+$x
    and ([$p.cells[].id]|.==(sort|unique))
    and all($p.cells[]; (.status=="EQUAL")==(all(.outputs[]; .trainer_sha256==.sampler_sha256) and (.outputs|length>0)))
    and $p.result==(if $d>0 then "FAILED" elif $e==($s|length) and $e>0 then "PASSED" else "INCOMPLETE" end)' \
    "$manifest" >/dev/null || refuse "result"

# The files: the set, then sizes, then digests.
diff <(jq -r '.subject[].name' "$manifest") <(cd "$folder" && find data -type f | sort) >/dev/null || refuse "file set"
while read -r size name; do
    [ "$(stat -c %s -- "$folder/$name")" = "$size" ] || refuse "size of $name"
done < <(jq -r '.subject[]|"\(.annotations.size) \(.name)"' "$manifest")
(cd "$folder" && jq -r '.subject[]|"\(.digest.sha256)  \(.name)"' manifest.json | sha256sum -c --strict --quiet >/dev/null 2>&1) ||
    refuse "digest"

# The sources that the result stands for are those of HEAD and of the work tree.
while read -r tree path; do
    [ "$(git rev-parse --verify --quiet "HEAD:$path")" = "$tree" ] || refuse "stale: $path is not what was sealed"
done < <(jq -r '.predicate.source.paths[]|"\(.git_tree) \(.path)"' "$manifest")
while read -r digest path; do
    [ "$(git ls-files -z -- "$path" | sort -z | xargs -0 -r sha256sum | sha256sum | cut -c1-64)" = "$digest" ] ||
        refuse "stale: the files of $path are not those that were sealed"
done < <(jq -r '.predicate.source.paths[]|"\(.dir_sha256) \(.path)"' "$manifest")

# Reviews: another role, another person, this manifest and this signature.
for review in "$folder"/review.*.json; do
    [ -e "$review" ] || continue
    [[ ${review##*/} =~ ^review\.[a-z0-9][a-z0-9_-]*([.][a-z0-9_-]+)*\.json$ ]] || refuse "file set: ${review##*/}"
    check_signature "$review" "$review.sshsig" evidence-review-v1@isobit ""
    check_document "$review"
    [ "$signer" != "$author" ] || refuse "$author reviewed their own result"
    jq -e '._type=="https://in-toto.io/Statement/v1" and .predicateType=="urn:isobit:evidence-review:v1" and .predicate.schema==1
        and [.subject[].name]==["manifest.json","manifest.json.author.sshsig"]
        and all(.subject[]; (.digest|keys==["sha256"]) and (.digest.sha256|test("^[0-9a-f]{64}$")))' "$review" >/dev/null ||
        refuse "schema of $review"
    (cd "$folder" && jq -r '.subject[]|"\(.digest.sha256)  \(.name)"' "${review##*/}" | sha256sum -c --strict --quiet >/dev/null 2>&1) ||
        refuse "$review reviews something else"
    echo "review ${review##*/}: $(jq -r .predicate.verdict "$review") by $signer"
done
echo "ACCEPT $(sha256sum < "$manifest" | cut -c1-64)"
