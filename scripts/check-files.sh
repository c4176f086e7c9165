#!/usr/bin/env bash
# What action.yml runs; its inputs are in the environment. Prints file, row and code of what is not valid, never a value.
set -euo pipefail
# Where install-command.sh has put the command.
command=$FOLDER/node_modules/.bin/format-checker
files=()
# Bash 3.2 of macOS has no mapfile.
while IFS= read -r file; do files+=("$file"); done < <(grep -v '^[[:space:]]*$' <<<"$FILES")
if [ "${#files[@]}" = 0 ]; then
  echo 'files: names no file' >&2
  exit 2
fi
column=()
if [ -n "${COLUMN:-}" ]; then column=(--column "$COLUMN"); fi

if [ -z "${BUYER_PRIVATE_KEY:-}" ]; then
  exec "$command" try --files "$TYPE" ${column[@]+"${column[@]}"} -- "${files[@]}"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
for file in "${files[@]}"; do
  rm -f "$folder"/*
  code=0
  "$command" buy "$TYPE" --file "$file" ${column[@]+"${column[@]}"} --out "$folder/checked.jsonl" --format jsonl \
    --max-spend "$MAX_SPEND" --url "$URL" --quiet || code=$?
  # A list that was not finished has no results; one with rows that were left out has them, and exits with 1.
  [ -f "$folder/checked.jsonl" ] || exit "$code"
  # The result of a row begins with valid and code, numbered where the list has members of these names.
  node -e '
    const [path, file] = process.argv.slice(1)
    const rows = require("node:fs").readFileSync(path, "utf8").trimEnd().split("\n").filter(Boolean)
    rows.forEach((line, index) => {
      const cells = Object.entries(JSON.parse(line))
      const at = cells.findLastIndex(([name]) => /^valid(_\d+)?$/.test(name))
      const [[, valid], [, code]] = cells.slice(at)
      if (valid === true || ["empty", "totals_row", "rule"].includes(code)) return
      console.log(`${file}: row ${index + 1}: ${code}`)
      process.exitCode = 1
    })' "$folder/checked.jsonl" "$file" || failed=1
done
exit "$failed"
