#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
#
# A second, strict verifier of one SSH signature (ssh-ed25519, sha512): sh, coreutils, grep, awk, xxd, cmp and openssl.
#   verify-sshsig.sh KEY.pub NAMESPACE FILE SIGNATURE
# The signature's file is rebuilt from the key, the namespace and its last 64 bytes and must come out the same, so every
# signature has one file. Exit code 0: it is a signature of FILE; 1: it is not; 2: cannot run.
set -eu
LC_ALL=C
export LC_ALL
[ $# -eq 4 ] && [ -f "$1" ] && [ -f "$3" ] && [ -f "$4" ] || { echo "usage: $0 KEY.pub NAMESPACE FILE SIGNATURE" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
refuse() { echo "REJECT $1"; exit 1; }
u32() { printf '%08x' "$1" | xxd -r -p; }
text() { u32 "${#1}"; printf %s "$1"; }

awk '$1 == "ssh-ed25519" { print $2; exit }' "$1" | base64 -d > "$work/key" 2>/dev/null || refuse "not an ssh-ed25519 key"
[ "$(wc -c < "$work/key")" -eq 51 ] || refuse "not an ssh-ed25519 key"
tail -c 32 "$work/key" > "$work/point"
{ printf '302a300506032b6570032100' | xxd -r -p; cat "$work/point"; } |
    openssl pkey -pubin -inform DER -out "$work/public.pem" 2>/dev/null || refuse "key"

[ "$(wc -c < "$4")" -le 8192 ] || refuse "size"
grep -v -- '^-----' "$4" | base64 -d > "$work/blob" 2>/dev/null || refuse "armor"
tail -c 64 "$work/blob" > "$work/signature"
[ "$(wc -c < "$work/signature")" -eq 64 ] || refuse "length"

{ printf SSHSIG; u32 1; u32 51; cat "$work/key"; text "$2"; u32 0; text sha512; u32 83; text ssh-ed25519; u32 64
  cat "$work/signature"; } | cmp -s - "$work/blob" || refuse "blob"
{ echo '-----BEGIN SSH SIGNATURE-----'; base64 -w70 "$work/blob"; echo '-----END SSH SIGNATURE-----'; } | cmp -s - "$4" ||
    refuse "armor"
{ printf SSHSIG; text "$2"; u32 0; text sha512; u32 64; openssl dgst -sha512 -binary "$3"; } > "$work/signed"
openssl pkeyutl -verify -pubin -inkey "$work/public.pem" -rawin -in "$work/signed" -sigfile "$work/signature" >/dev/null 2>&1 ||
    refuse "signature"
echo "ACCEPT $(sha256sum < "$3" | cut -c1-64)"
