#!/bin/bash
# Makes the samples of the languages' runtimes: make-languages.sh SAMPLES
# Each part is skipped where its compiler is missing. What the runtimes print is kept as it comes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
samples=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME COMMAND...: the output of a program that crashes.
run() {
  name=$1
  shift
  mkdir -p "$(dirname "$samples/$name")"
  timeout 20 "$@" > "$samples/$name" 2>&1 < /dev/null || true
}

if command -v go > /dev/null; then
  mkdir "$work/go"
  cp "$here/tern.go" "$work/go"
  printf 'module example.com/tern\ngo 1.19\n' > "$work/go/go.mod"
  (cd "$work/go" && go build -trimpath -o tern . && go build -race -trimpath -o tern-race .)
  run go-panic/index-again.txt "$work/go/tern" index
  GOTRACEBACK=crash run go-panic/null-read-all.txt "$work/go/tern" null
  run go-panic/race.txt "$work/go/tern-race" race
fi

if command -v rustc > /dev/null; then
  (cd "$here" && rustc -O -g --remap-path-prefix "$here=/app" -o "$work/tern-rust" tern.rs)
  RUST_BACKTRACE=1 run rust-panic/index-thread.txt "$work/tern-rust" index
  RUST_BACKTRACE=full run rust-panic/index-full.txt "$work/tern-rust" index
  RUST_BACKTRACE=1 run rust-panic/panic-in-drop.txt "$work/tern-rust" drop
fi

if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
  # Tracebacks have the folder of the program.
  cp "$here/tern.py" "$work"
  for bug in thread group fault; do
    run python-traceback/$bug.txt python3 "$work/tern.py" $bug
    sed -i "s#$work#/opt#" "$samples/python-traceback/$bug.txt"
  done
fi

if command -v javac > /dev/null; then
  javac -d "$work/java" "$here/Tern.java" 2> /dev/null
  java="env -i PATH=/usr/bin:/bin java -cp $work/java"
  run java-trace/chain.txt $java com.example.tern.Tern chain
  mkdir -p "$samples/java-hs-err"
  $java com.example.tern.Tern deadlock > "$samples/java-trace/deadlock.txt" 2>&1 &
  sleep 2
  kill -QUIT $!
  sleep 1
  kill -KILL $!
  run java-hs-err/summary.txt $java -XX:-CreateCoredumpOnCrash \
    -XX:ErrorFile="$samples/java-hs-err/null-write.log" com.example.tern.Tern crash
  sed -i "s#$work#/opt#; s#$samples#/opt#" "$samples"/java-hs-err/*
fi

# The languages that share a format.
if command -v lua5.4 > /dev/null; then
  (cd "$here" && run language-trace/lua.txt lua5.4 tern.lua)
fi
if command -v ocamlopt > /dev/null; then
  cp "$here/tern.ml" "$work"
  (cd "$work" && ocamlopt -g -inline 0 -o tern-ocaml tern.ml)
  OCAMLRUNPARAM=b run language-trace/ocaml.txt "$work/tern-ocaml"
fi
if command -v escript > /dev/null; then
  (cd "$here" && run language-trace/erlang.txt escript tern.escript)
fi
