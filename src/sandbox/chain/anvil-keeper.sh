#!/bin/sh
# Runs anvil for as long as standard input stays open, then asks it to save its state and leave.
#
# The service holds the other end of that pipe. However the service ends, by stop, crash or SIGKILL, the
# system closes the pipe and this script ends anvil; nothing is left behind and no block is lost.
# usage: anvil-keeper.sh keep|discard DIRECTORY ANVIL [argument...]
what=$1
home=$2
running=$home/chain-running
shift 2
exec 3<&0

# The process that creates this file owns the directory; two that start at once cannot both make it.
if ! (set -C && echo "$$" >"$running") 2>/dev/null; then
  echo taken
  exit 1
fi
"$@" </dev/null >"$home/chain.log" 2>&1 3<&- &
anvil=$!
echo "$anvil" >"$running"
echo "$anvil"

(
  read -r _ <&3
  kill -TERM "$anvil" 2>/dev/null
) >/dev/null 2>&1 &
watch=$!

wait "$anvil"
code=$?
kill "$watch" 2>/dev/null
# Only an orderly end saves the state; after any other the file stays and says so.
[ "$code" -eq 0 ] && rm -f "$running"
[ "$what" = discard ] && rm -rf "$home"
exit "$code"
