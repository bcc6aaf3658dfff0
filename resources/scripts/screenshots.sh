#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# screenshots.sh BIN OUT [CAPTURES]: makes the pictures of the README from real runs and the real window, on a virtual
# screen. Without the folder of captures the pictures of the walk, the element and the replay stay as they are.
set -euo pipefail
bin=$1
out=$2
captures=${3:-}
records=$(cd "$(dirname "$0")/../records" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$out"

# A sweep that finds differences ends with 1: an answer, not an error.
sweep() { "$bin/isobit" sweep "$1" --out "$folder/$1.h5" > /dev/null || [ $? -eq 1 ]; }
shoot() { xvfb-run -a -s "-screen 0 2800x1800x24" "$bin/isobit-workbench" --screenshot "$out/$1.png" "${@:2}"; }

sweep rmsnorm-eager-vs-v2
sweep rmsnorm-threshold
shoot grid-light --theme light "$folder/rmsnorm-eager-vs-v2.h5"
shoot grid-dark --theme dark "$folder/rmsnorm-eager-vs-v2.h5"
shoot threshold --theme light --size 1100x640 "$folder/rmsnorm-threshold.h5"
record=$(dirname "$0")/../../evidence/records/rmsnorm-72/h200-2
shoot signoff-light --theme light --size 1280x860 "$record"
shoot signoff-dark --theme dark --size 1280x860 "$record"
shoot timing-light --theme light --size 1500x1000 --view timing --cell h12288_m32 "$records/norm_v2_h200.h5"
shoot timing-dark --theme dark --size 1500x1000 --view timing --cell h12288_m32 --overlay "$records/norm_v2_h200_second.h5" "$records/norm_v2_h200.h5"
receipts=$(dirname "$0")/../../tests/data/engagement
shoot engagement-light --theme light --size 1280x720 "$receipts/trainer_downcast.json" "$receipts/sampler.json"
shoot start --theme light --size 1100x640 --start-page

rope="$captures/rope_class_a_vs_b"
[ -r "${rope}_trainer.safetensors" ] || exit 0
pair=("${rope}_trainer.safetensors" "${rope}_sampler.safetensors")
shoot walk-light --theme light "${pair[@]}"
shoot walk-dark --theme dark "${pair[@]}"
shoot element-light --theme light --view element "${pair[@]}"
shoot element-dark --theme dark --view element --size 1100x640 "${pair[@]}"
shoot replay-light --theme light --view replay "${pair[@]}"
