#!/bin/sh
# What `tsmux waybar --slot N` does, in a tenth of its memory: writes the lines that the daemon sends, says so while
# there is no daemon, and comes back. It ends when nobody reads its lines any more: the daemon sends the line again
# from time to time, and a write to a bar that has gone fails. Or our parent has gone: Waybar 0.9.17 hands each module
# the reading ends of the pipes of all modules before it, and while one of those lives no write fails.
# usage: slot-client.sh nc|curl CLIENT SOCKET KIND QUERY AWAY PROGRAM...
how=$1 client=$2 socket=$3 kind=$4 query=$5 away=$6
shift 6
# Without the right to ask for it, only a failed write tells.
bar=$PPID
kill -0 "$bar" 2>/dev/null || bar=$$
path=/v1/bar/$kind?keep-alive=1${query:+&$query}

# Under a bar that ignores SIGPIPE the write fails instead; both end this script.
tell() {
  kill -0 "$bar" && printf '%s\n' "$1"
} 2>/dev/null

cr=$(printf '\r')
# curl wants its headers without.
eol=$cr
if [ "$how" = curl ]; then eol=; fi
# The daemon learns from its clients where the display is. What would need escaping is left out.
set_header() {
  case $2 in
  '' | *[!A-Za-z0-9:./_-]*) ;;
  *) headers="$headers$1: $2$eol
" ;;
  esac
}
headers=
set_header env-display "$DISPLAY"
set_header env-xauthority "$XAUTHORITY"
set_header env-i3sock "$I3SOCK"
set_header env-swaysock "$SWAYSOCK"

# A child asks, and writes the answer where we read it: HTTP/1.0 has no chunks. A pipe of the shell's would cost one
# more shell. A daemon that says nothing for so long hangs: it is as good as gone.
ask_nc() {
  "$client" -w 40 -U "$socket" >"$answer" <<END &
GET $path HTTP/1.0$eol
$headers$eol
END
}
ask_curl() {
  "$client" -q -sN -i -0 --noproxy '*' -y 40 -Y 1 -H @- --unix-socket "$socket" "http://tsmux$path" >"$answer" <<END &
$headers
END
}
child=
answer=$socket.$$
trap 'rm -f "$answer"; [ -z "$child" ] || kill "$child"' EXIT
trap 'exit 0' HUP INT TERM PIPE

# Status 0: the stream ended; 3: nobody reads our lines.
follow() {
  mkfifo -m 600 "$answer" || return 0
  "ask_$how"
  child=$!
  # Waits until the child has opened its end.
  exec 3<"$answer"
  rm -f "$answer"
  gone=0
  IFS= read -r status <&3
  case $status in 'HTTP/1.'?' 200'*)
    while IFS= read -r head <&3 && [ "$head" != "$cr" ]; do :; done
    while IFS= read -r line <&3; do
      tell "$line" || { gone=3 && break; }
    done
    ;;
  esac
  exec 3<&-
  kill "$child"
  wait "$child"
  child=
  return $gone
}

# A bar starts dozens of these at once, and one Node.js in ten seconds is enough for all of them: it is run by whoever makes
# this file, which says when. Status 0: it was us.
starting=$socket.starting
start_daemon() {
  mkdir -m 700 "${socket%/*}"
  for try in old new; do
    if (set -C && echo "$now" >"$starting"); then
      "$@" list >/dev/null </dev/null
      return 0
    fi
    read -r at <"$starting"
    case $at in '' | *[!0-9]*) at=0 ;; esac
    if [ $((now - at)) -ge 0 ] && [ $((now - at)) -lt 10 ]; then return 1; fi
    rm -f "$starting"
  done
  return 1
} 2>/dev/null

begun=
wait=1
while :; do
  before=$(date +%s)
  if [ -S "$socket" ] && [ -O "$socket" ]; then
    begun=1
    follow 2>/dev/null || exit 0
  fi
  tell "$away" || exit 0
  now=$(date +%s)
  if [ $((now - before)) -ge 5 ]; then wait=1; fi
  # A daemon that was stopped in order takes its socket with it, and is not started again behind the user's back.
  if [ -z "$begun" ] || [ -S "$socket" ]; then start_daemon "$@" && begun=1; fi
  sleep $wait
  if [ $wait -lt 4 ]; then wait=$((wait * 2)); fi
done
