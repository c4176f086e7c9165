#!/usr/bin/env bash
# The first step of action.yml, which has no key: installs the command at PACKAGE into FOLDER if its SHA-256 is the one given.
set -euo pipefail
export npm_config_logs_max=0
mkdir -p "$FOLDER"
tarball=$FOLDER/format-checker.tgz
if [ -f "$PACKAGE" ]; then cp "$PACKAGE" "$tarball"; else curl -fsSL --proto '=https' -o "$tarball" "$PACKAGE"; fi
found=$(node -e 'console.log(require("node:crypto").createHash("sha256").update(require("node:fs").readFileSync(process.argv[1])).digest("hex"))' "$tarball")
if [ "$found" != "$SHA256" ]; then
  echo "package: its SHA-256 is $found, and not that of the input sha256; nothing was installed" >&2
  exit 2
fi
npm install --prefix "$FOLDER" --ignore-scripts --no-audit --no-fund --loglevel error "$tarball" >/dev/null
