#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian 12 packages of this list that are missing. Does nothing when all are there.
set -euo pipefail
folder=$(dirname "$0")
mapfile -t wanted < <(grep -v '^#' "$folder/packages.txt" | awk '{print $1}' | grep .)
missing=()
for package in "${wanted[@]}"; do
    [ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}"
