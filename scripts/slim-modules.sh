#!/bin/sh
# Removes from an installed node_modules what a running service never reads.
# Usage: slim-modules.sh NODE_MODULES [amd64|arm64], the machine's own without one.
set -eu
modules=$1
arch=$(echo "${2:-$(dpkg --print-architecture)}" | sed s/amd64/x64/)

# The sandbox's local chain, since production refuses the sandbox.
rm -rf "$modules/@foundry-rs"
# Sources, and binaries of other platforms.
rm -rf "$modules/better-sqlite3/deps" "$modules/better-sqlite3/src"
find "$modules/better-sqlite3/prebuilds" -mindepth 1 -not -name "linux-$arch.node" -delete
find "$modules/secp256k1/prebuilds" -mindepth 1 -maxdepth 1 -not -name "linux-$arch" -exec rm -rf {} +
# Source maps and declarations; Node reads neither.
find "$modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# viem's sources in TypeScript.
find "$modules/viem" "$modules/ox" "$modules/abitype" -type f -name '*.ts' -delete
