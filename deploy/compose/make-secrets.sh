#!/usr/bin/env bash
# Writes the secret files that compose.yaml mounts into ./secrets; never overwrites one. Needs openssl.
set -euo pipefail
umask 077
folder=${1:-secrets}
mkdir -p "$folder"

# Runs the command after the name and keeps its output under that name, if there is no such file yet.
make() {
  local file=$folder/$1
  shift
  if [ -e "$file" ]; then return; fi
  "$@" >"$file.new"
  mv "$file.new" "$file"
  echo "wrote $file"
}

database_url() {
  printf 'postgresql://format_checker:%s@postgres:5432/format_checker\n' "$(cat "$folder/postgres_password")"
}

make postgres_password openssl rand -hex 24
make database_url database_url
make secret_key openssl rand -hex 32
make card_key openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256
make receipt_key openssl genpkey -algorithm ED25519
make admin_token openssl rand -hex 24
# The containers read the files as other users of this machine; the folder itself is closed to them.
chmod 0644 "$folder"/*
chmod 0700 "$folder"
