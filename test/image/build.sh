#!/usr/bin/env bash
# Builds the unchanged Dockerfile where Docker is not, and prints the folder of the image's files: buildah with chroot
# isolation, as root, on a base of debootstrap and npm's Node that stands in for the official one (kept in $1/base).
set -euo pipefail
cd "$(dirname "$0")/../.."
cache=$(realpath -m "$1")
name=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' Dockerfile | head -1)
stored() { buildah --root "$cache/storage" --runroot "$cache/run" "$@"; }
mkdir -p "$cache"

if [ ! -d "$cache/base" ]; then
  rm -rf "$cache/new"
  debootstrap --variant=minbase --include=ca-certificates,libatomic1,libstdc++6 bookworm "$cache/new" >&2
  install node_modules/node/bin/node "$cache/new/usr/local/bin/node"
  npm install --silent --no-fund --no-audit --global --prefix "$cache/new/usr/local" "npm@$(npm --version)" >&2
  chroot "$cache/new" useradd --uid 1000 --create-home node
  # The authorities of this machine, for the registry it reaches.
  cp /etc/ssl/certs/ca-certificates.crt "$cache/new/etc/ssl/certs/"
  mkdir -p "$cache/new/usr/local/etc"
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$cache/new/usr/local/etc/npmrc"
  mv "$cache/new" "$cache/base"
fi
if ! stored inspect --type image "localhost/$name" >/dev/null 2>&1; then
  base=$(stored from scratch)
  stored add -q "$base" "$cache/base" / >/dev/null
  stored commit -q "$base" "localhost/$name" >/dev/null
  stored rm "$base" >/dev/null
fi
stored build --quiet --format docker --isolation chroot --network host --pull-never --tag format-checker-test . >&2
stored rm --all >/dev/null
stored mount "$(stored from --pull-never localhost/format-checker-test)"
