#!/bin/bash
# Stands between a bar and its status command and writes down what passes: FOLDER/lines gets the command's
# stdout, FOLDER/clicks its stdin, FOLDER/stderr its stderr. It becomes the command, so that the bar's signals, the command's exit and
# the process group are just what they are without it.
# usage: record-bar.sh FOLDER COMMAND...
folder=$1
shift
exec 3<&0 4>&1
exec 0< <(exec tee -a "$folder/clicks" <&3 3<&- 4>&-) 1> >(exec tee -a "$folder/lines" >&4 3<&- 4>&-) 2>>"$folder/stderr" 3<&- 4>&-
exec "$@"
