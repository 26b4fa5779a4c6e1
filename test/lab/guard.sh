#!/bin/sh
# Ends a lab: every process that carries the lab's folder in its environment, then the folder. It waits for the
# end of its stdin, so it does its work when the tests ask for it and also when the test run was killed.
# The environment is the mark because nothing else survives everything that a lab runs: daemons leave their
# process group, tmux servers and D-Bus services leave their parents.
# As root it first claims a user for the lab and prints the name: two labs of one user would see each other's
# sessions. The lock on the name lasts as long as the guard does.
# usage: guard.sh FOLDER
folder=$1
if [ "$(id -u)" = 0 ]; then
  number=1
  while exec 9>"/run/tsmux-lab-$number.lock" && ! flock -n 9; do number=$((number + 1)); done
  echo "lab$number"
fi
cat >/dev/null

marked() {
  grep -lazF "$folder" /proc/[0-9]*/environ 2>/dev/null | sed 's|/proc/\(.*\)/environ|\1|'
}

signal=TERM
tries=0
while pids=$(marked) && [ -n "$pids" ]; do
  # SIGCONT as well: a stopped bar would never take its SIGTERM.
  kill -s "$signal" $pids 2>/dev/null
  kill -s CONT $pids 2>/dev/null
  tries=$((tries + 1))
  if [ "$tries" -ge 30 ]; then signal=KILL; fi
  sleep 0.02
done
rm -rf "$folder"
