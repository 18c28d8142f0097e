#!/bin/sh
# Triages a folder with GNU parallel on this machine, or on those of --sshlogin: parallel.sh [OPTION...]
# Options are those of parallel. A share that was killed is done again.
set -eu
: "${DUMPS:=dumps}" "${SYMBOLS:=symbols}" "${PARTS:=parts}" "${SHARES:=16}"
mkdir -p "$PARTS"
seq "$SHARES" | parallel --retries 3 --halt now,fail=1 "$@" \
  mayday triage "$DUMPS" --symbols "$SYMBOLS" --shard "{}/$SHARES" --partial "$PARTS/{}.mdp"
mayday triage --merge "$PARTS"/*.mdp --json > groups.json
