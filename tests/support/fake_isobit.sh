#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# fake_isobit.sh sweep PRESET --stream --out FILE: plays the lines that a test put beside this script in FOLDER/stream.jsonl
# (the plan and some cells), then ends as PRESET says.
folder=$(dirname "$0")
preset=$2
out=$5
case $preset in
    failing-once) [ -e "$out.partial" ] || { cat "$folder/stream.jsonl"; : > "$out.partial"; kill -SEGV $$; }
        [ "$6" = --resume ] || exit 2
        head -n 1 "$folder/stream.jsonl"; : > "$out"; exit 1 ;;
    refused) echo "isobit sweep: axis M: 0 is out of range" >&2; exit 2 ;;
    garbled) echo '{"plan": '; sleep 5; exit 0 ;;
esac
cat "$folder/stream.jsonl"
case $preset in
    crashes) kill -SEGV $$ ;;
    # Neither asks nor tells: ignores the request to stop, as a hung child would.
    hangs) trap '' TERM; while :; do sleep 0.05; done ;;
esac
: > "$out"
exit 1
