#!/usr/bin/env bash
# Follows README.md word by word on a clean clone: its commands and programs in their order, as a newcomer would paste
# them. Takes a minute; with --test also the second of the two commands, which takes some more. Port 4021 must be free.
set -euo pipefail

source=$(cd "$(dirname "$0")/.." && pwd)
clone=$(mktemp -d)
started=
trap 'if [ -n "$started" ]; then kill -- "-$started" 2>/dev/null || true; fi; rm -rf "$clone"' EXIT

step() { printf '\n=== %s (after %d s)\n' "$1" "$SECONDS"; }

# The text of the given block (counted from 1) of the given language; blocks that need the outside world do not count.
block() {
  awk -v language="$1" -v wanted="$2" '
    /^<!-- needs the outside world/ { outside = 1; next }
    /^```/ && !inside && outside { inside = 1; outside = 0; show = 0; next }
    $0 == "```" language && !inside { count++; inside = 1; show = count == wanted; next }
    /^```/ { inside = !inside; show = 0; next }
    show' "$clone/README.md"
}

step 'a clean clone'
git clone -q "$source" "$clone"
cd "$clone"

start=$(block sh 1 | sed -n 1p)
prove=$(block sh 1 | sed -n 2p)
step "$start"
setsid bash -c "$start" >"$clone.log" 2>&1 &
started=$!
until grep -q '^first paid check: ' "$clone.log"; do
  kill -0 "$started" 2>/dev/null || { cat "$clone.log"; exit 1; }
  sleep 0.5
done
tail -n 1 "$clone.log"

for ((n = 2; ; n++)); do
  commands=$(block sh "$n")
  [ -n "$commands" ] || break
  step "$commands"
  bash -e -c "$commands"
done

for ((n = 1; ; n++)); do
  program=$(block js "$n")
  [ -n "$program" ] || break
  step "program $n"
  # All but the first go on below it.
  { block js 1; if [ "$n" -gt 1 ]; then printf '%s\n' "$program"; fi; } >"program-$n.mjs"
  node "program-$n.mjs" >"program-$n.out"
  grep -m 1 'valid: true' "program-$n.out"
done

kill -- "-$started"
wait "$started" || true
started=
if [ "${1:-}" = --test ]; then
  step "$prove"
  bash -c "$prove"
fi
step 'README holds'
rm -f "$clone.log"
