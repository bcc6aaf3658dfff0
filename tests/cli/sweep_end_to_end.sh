#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# sweep_end_to_end.sh ISOBIT: the sweep command as a process: equal bytes, kill, stop, stream, a disk with no room.
set -uo pipefail
isobit=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() { echo "FAILED: $*"; exit 1; }
expect_exit() { # CODE COMMAND...
    local expected=$1 code=0
    shift
    "$@" >out.txt 2>err.txt || code=$?
    [ "$code" = "$expected" ] || fail "exit code $code, expected $expected: $* ($(cat err.txt))"
}
one_sentence() { [ "$(wc -l <err.txt)" = 1 ] || fail "not one sentence: $(cat err.txt)"; }
nothing_left() { [ -z "$(ls -A "$1")" ] || fail "left in $1: $(ls -A "$1")"; }

small=(--axis H=2048,3840 --axis M=1,8,64)
expect_exit 0 "$isobit" sweep rmsnorm-72 "${small[@]}" --threads 1
[ -f rmsnorm-72.h5 ] || fail "no run file of the preset's name"
[ ! -e rmsnorm-72.h5.partial ] || fail "the checkpoint of a finished sweep is still there"
expect_exit 0 "$isobit" sweep rmsnorm-72 "${small[@]}" --threads 3 --out again.h5
cmp rmsnorm-72.h5 again.h5 || fail "two runs gave different bytes"
expect_exit 0 "$isobit" show again.h5
expect_exit 0 "$isobit" show again.h5 --cell h3840_m64 --json
expect_exit 2 "$isobit" show again.h5 --cell h1_m1

# Killed in the middle: the checkpoint is there, the run file is not, and a resumed run has the same bytes.
larger=(--axis H=4096,8192,16384 --axis M=64,256,512,1024 --threads 1)
expect_exit 0 "$isobit" sweep rmsnorm-72 "${larger[@]}" --out undisturbed.h5
kill_after_cells() { # SIGNAL CELLS FILE
    : >stream.txt  # there, and empty, before the sweep has begun
    "$isobit" sweep rmsnorm-72 "${larger[@]}" --out "$3" --stream >stream.txt 2>err.txt &
    local sweep=$!
    while kill -0 $sweep 2>/dev/null && [ "$(wc -l <stream.txt)" -le "$2" ]; do sleep 0.005; done
    kill -s "$1" $sweep 2>/dev/null
    wait $sweep
    return $?
}
kill_after_cells KILL 2 killed.h5
[ ! -e killed.h5 ] || fail "a killed sweep left a run file"
[ -s killed.h5.partial ] || fail "a killed sweep left no checkpoint"
expect_exit 2 "$isobit" sweep rmsnorm-72 "${small[@]}" --out killed.h5 --resume
grep -q "another plan" err.txt || fail "a checkpoint of another plan was taken"
expect_exit 0 "$isobit" sweep rmsnorm-72 "${larger[@]}" --out killed.h5 --resume
cmp undisturbed.h5 killed.h5 || fail "a resumed run gave other bytes"
[ ! -e killed.h5.partial ] || fail "the checkpoint is still there"

kill_after_cells TERM 1 stopped.h5
[ $? = 2 ] || fail "a stopped sweep did not end with 2"
grep -q "are kept in stopped.h5.partial" err.txt || fail "the stop names no checkpoint: $(cat err.txt)"
tail -n 1 stream.txt | grep -q '"kind":"summary".*"stopped":true' || fail "the stream of a stopped sweep has no summary"
expect_exit 0 "$isobit" sweep rmsnorm-72 "${larger[@]}" --out stopped.h5 --resume
cmp undisturbed.h5 stopped.h5 || fail "a stopped and resumed run gave other bytes"

expect_exit 0 "$isobit" sweep rmsnorm-72 "${small[@]}" --stream
head -n 1 out.txt | grep -q '^{"kind":"plan","plan":{"preset":"rmsnorm-72"' || fail "the stream does not begin with the plan"
[ "$(grep -c '^{"kind":"cell"' out.txt)" = 6 ] || fail "not one line a cell"
tail -n 1 out.txt | grep -q '"cells_equal":6.*"stopped":false' || fail "the stream does not end with the summary"

# No room: every write beyond 4 KiB fails, as on a full disk.
mkdir full
(trap '' XFSZ; ulimit -f 4; "$isobit" sweep rmsnorm-72 --axis H=64 --axis M=1 --out full/run.h5) >out.txt 2>err.txt
[ $? = 2 ] || fail "a full disk did not end with 2"
one_sentence
[ ! -e full/run.h5 ] || fail "a half-written run file"
[ "$(ls -A full | grep -vc partial)" = 0 ] || fail "left on a full disk: $(ls -A full)"

# Room for the checkpoint but not for the run file: the work is not lost.
(trap '' XFSZ; ulimit -f 8; "$isobit" sweep rmsnorm-72 --axis H=64 --axis M=1 --out full/run.h5) >out.txt 2>err.txt
[ $? = 2 ] || fail "a run file without room did not end with 2"
one_sentence
grep -q "the finished cells are kept in full/run.h5.partial" err.txt || fail "no word of the checkpoint: $(cat err.txt)"
[ "$(ls -A full)" = run.h5.partial ] || fail "left on a full disk: $(ls -A full)"
expect_exit 0 "$isobit" sweep rmsnorm-72 --axis H=64 --axis M=1 --out full/run.h5 --resume
expect_exit 0 "$isobit" sweep rmsnorm-72 --axis H=64 --axis M=1 --out room.h5
cmp full/run.h5 room.h5 || fail "the resumed run gave other bytes"

mkdir bad
expect_exit 2 "$isobit" sweep rmsnorm-72 --out none/run.h5; one_sentence
expect_exit 2 "$isobit" sweep no-such-preset --out bad/run.h5; one_sentence
grep -q "known: rmsnorm-72, rmsnorm-threshold" err.txt || fail "the known presets are not listed"
expect_exit 2 "$isobit" sweep rmsnorm-72 --axis M=0 --out bad/run.h5; one_sentence
expect_exit 2 "$isobit" sweep rmsnorm-72 --axis M=1099511627776 --out bad/run.h5; one_sentence
expect_exit 2 "$isobit" sweep rmsnorm-72 --axis K=1 --out bad/run.h5; one_sentence
expect_exit 2 "$isobit" sweep rmsnorm-72 --sampler reference:nothing --out bad/run.h5; one_sentence
expect_exit 2 "$isobit" sweep rmsnorm-72 --out bad; one_sentence
grep -q "bad: is not a regular file" err.txt || fail "a folder in place of the run file: $(cat err.txt)"
nothing_left bad

head -c 2000 undisturbed.h5 >truncated.h5
expect_exit 2 "$isobit" show truncated.h5; one_sentence
seq 1000 >foreign.h5
expect_exit 2 "$isobit" show foreign.h5; one_sentence
expect_exit 2 "$isobit" show missing.h5; one_sentence

# A pair that is not careful: the edge, and which output it is in.
expect_exit 1 "$isobit" sweep rmsnorm-threshold --json
grep -A 8 '"axis": "M"' out.txt | tr -d ' \n' |
    grep -q '"axis":"M","below":255,"above":256,"outputs":\["out"\],"unchanged_outputs":\["residual_out"\]' ||
    fail "the edge between 255 and 256 is not named: $(grep -A 8 '"edges"' out.txt)"
grep -q '"sum": 16777216' out.txt && grep -q '"sum": 16777218' out.txt || fail "the sums of the toy row"
echo passed
