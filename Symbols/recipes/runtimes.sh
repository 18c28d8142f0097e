#!/bin/sh
# Makes the samples of runtimes that print their own stacks: runtimes.sh [FOLDER OF SAMPLES]
#
# Needs the programs that it names; what is missing is skipped. The samples are committed, and differ from one
# run to the next in addresses and process ids.
set -u
here=$(cd "$(dirname "$0")" && pwd)
samples=${1:-$here/../../Samples}
work=/app/tern
mkdir -p "$work" && cp "$here"/runtimes/* "$work" && cd "$work" || exit 1

has() { command -v "$1" >/dev/null; }
run() { out=$1; shift; env -i PATH=/usr/bin:/bin HOME=/ "$@" >"$samples/$out" 2>&1; }

if has mono && has mcs; then
  mcs -debug -out:Till.exe Till.cs
  run dotnet/missing-price-1.0.0-mono.txt mono --debug Till.exe
  run dotnet/open-drawer-1.0.0-mono.txt mono --debug Till.exe fail
  mv mono_crash.*.json "$samples/mono-crash/open-drawer-1.0.0.json"
fi
if has node; then
  node=$(command -v node)
  run javascript/missing-price-1.0.0-node20.txt "$node" till.js
  run javascript/memory-1.0.0-node20.txt "$node" --max-old-space-size=20 till.js heap
  # The host's name and all processors but two were taken out by hand.
  env -i PATH=/usr/bin:/bin HOME=/ "$node" --report-uncaught-exception --report-exclude-network \
    --report-filename="$samples/node-report/missing-price-1.0.0.json" till.js >/dev/null 2>&1
fi
if has ruby; then
  run ruby/missing-price-1.0.0.txt ruby till.rb
  run ruby/killed-1.0.0.txt ruby --disable-gems till.rb crash
fi
has php && run php/missing-price-1.0.0.txt php -d display_errors=1 -d log_errors=1 -d html_errors=0 till.php
has perl && run perl/missing-price-1.0.0.txt perl till.pl
