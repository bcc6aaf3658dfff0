#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# public_test_key.sh 1|2|3 FILE: writes a test vector's Ed25519 key (RFC 8032, section 7.1) as FILE and FILE.pub, for
# ssh-keygen. Everybody has these private keys: what they sign vouches for nothing, and Isobit says so wherever it shows.
# The records of this repository are signed with 1 and reviewed with 2.
set -euo pipefail
seeds=(9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
       4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb
       c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7)
points=(d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
        3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c
        fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025)
[ $# -eq 2 ] && [[ $1 == [123] ]] || { echo "usage: $0 1|2|3 FILE" >&2; exit 2; }
seed=${seeds[$1 - 1]} point=${points[$1 - 1]} file=$2

# SSH's data types as hexadecimal digits: a number of 32 bits; a string of the given digits.
number() { printf '%08x' "$1"; }
string() { number $((${#1} / 2)); printf %s "$1"; }
text() { printf %s "$1" | xxd -p | tr -d '\n'; }

public=$(string "$(text ssh-ed25519)")$(string "$point")
# Two equal check numbers, the key pair, the comment, padding 1 2 3 ... to a multiple of 8 bytes.
comment="public TEST KEY $1 of RFC 8032"
private=$(number 0)$(number 0)$public$(string "$seed$point")$(string "$(text "$comment")")
for ((i = 1; (${#private} / 2) % 8 != 0; ++i)); do private+=$(printf '%02x' "$i"); done
umask 077
{ echo '-----BEGIN OPENSSH' 'PRIVATE KEY-----'
  echo "$(text openssh-key-v1)00$(string "$(text none)")$(string "$(text none)")$(string "")$(number 1)$(string "$public")$(string "$private")" |
      xxd -r -p | base64 -w70
  echo '-----END OPENSSH' 'PRIVATE KEY-----'; } > "$file"
echo "ssh-ed25519 $(echo "$public" | xxd -r -p | base64 -w0) $comment" > "$file.pub"
