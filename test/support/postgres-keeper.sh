#!/bin/sh
# Runs a PostgreSQL server for as long as standard input stays open; then ends it and removes DIRECTORY.
#
# The tests hold the other end of that pipe. However they end, SIGKILL included, the system closes it and nothing is
# left behind. A server that ends otherwise leaves its data, to be started again.
# usage: postgres-keeper.sh DIRECTORY POSTGRES [argument...]
home=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(
  read -r _ <&3
  touch "$home/abandoned"
  kill -QUIT "$server" 2>/dev/null
) &
watch=$!
wait "$server"
code=$?
kill "$watch" 2>/dev/null
[ -e "$home/abandoned" ] && rm -rf "$home"
exit "$code"
