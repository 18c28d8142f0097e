# Inside: the programs of dumps.sh, and some in other languages, run into their bugs, and the cores of them: the
# kernel's, and qemu's of a program for another processor.
. /app/recipes/shell.sh

ulimit -c unlimited

# core NAME PROGRAM COMMAND...: the kernel's core of a crash: private memory and the first pages of programs. A
# small stack keeps it small.
core() {
  local name=$1 program=$2
  shift 2
  rm -rf /app/bin/*
  cp "/app/programs/$program" "/app/bin/${program%%-[0-9]*}"
  run "$@"
  mv /app/run/core* "$out/elf-core/$name.core"
  chmod 644 "$out/elf-core/$name.core"
}

# run COMMAND...: leaves its core in /app/run.
run() {
  mkdir -p "$out/elf-core" /app/run
  rm -rf /app/run/*
  (cd /app/run && ulimit -s 128 && echo 0x11 >/proc/self/coredump_filter && exec "$@" >/dev/null 2>&1) || :
  # The kernel's core_pattern may add the id of the process.
  [ -n "$(ls /app/run/core*)" ] || { echo "no core came from: $*; is core_pattern \"core\"?" >&2; exit 1; }
}

# trimmed NAME FILE COMMAND...: a core of a runtime that keeps much memory, without most of it.
trimmed() {
  local name=$1 file=$2
  shift 2
  run "$@"
  /app/recipes/trim-core.py /app/run/$file "$out/elf-core/$name.core"
}

new=1.1.0-gcc-O2
old=1.0.0-clang-O2
core "null-read-$new" "tern-$new" /app/bin/tern sell pen pencil
core "abort-$new" "tern-$new" /app/bin/tern audit 1250
core "worker-null-$old" "tern-$old" /app/bin/tern pick 2

folder=$out/debug/cores
mkdir -p "$folder" /app/bin

# kept PROGRAM TEXT: its debug information and the rules for its stacks, by its build id, or by its name.
kept() {
  local id file
  id=$(build_id "$1")
  file=${id:+.build-id/${id:0:2}/${id:2}}
  file=$folder/${file:-$(basename "$1")}.debug
  mkdir -p "$(dirname "$file")"
  objcopy --remove-section=.debug_loc --remove-section=.debug_gdb_scripts --remove-section=.debug_pubnames \
    --remove-section=.debug_pubtypes --compress-debug-sections=zlib "$1" /app/build/whole
  /app/recipes/rules.py /app/build/whole "$file" --debug
  printf '%s\t%s\t%s\n' "${id:-none}" "$(basename "$1")" "$2" >>"$folder/build-ids.tsv"
}

rm -rf /app/build /app/src
mkdir -p /app/build /app/src
cp /app/recipes/cores/* /app/src
cd /app/src

# Rust: the standard library without its debug information, which is large.
system=$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu
own=/app/build/sysroot/lib/rustlib/x86_64-unknown-linux-gnu
mkdir -p "$own/lib"
cp "$system"/lib/*.rlib "$own/lib/"
strip --strip-debug "$own"/lib/*.rlib
rustc --sysroot /app/build/sysroot -g -C opt-level=2 -C panic=abort -C link-arg=-Wl,--build-id=sha1 \
  -o /app/bin/quay quay.rs
kept /app/bin/quay "quay (Rust), rustc -O2 -g, with its rules"
trimmed expect-1.0.0-rustc-O2 'core*' /app/bin/quay pen quill

# Go leaves no build id of the kind that other linkers leave, so that its file is found by its name.
(HOME=/app/home GOFLAGS= GOCACHE=/app/home/go go build -trimpath -o /app/bin/buoy buoy.go)
kept /app/bin/buoy "buoy (Go), go build"
GOTRACEBACK=crash trimmed "nil-1.0.0-go" 'core*' /app/bin/buoy north west

# Swift: as in the step "desk", which keeps its debug information.
cd /app
sources desk 1.1.0
build_desk 1.1.0 -O tern-desk
SWIFT_BACKTRACE=enable=no trimmed index-out-of-range-1.1.0-swift-O 'core*' /app/bin/tern-desk show 7

# qemu's core of a program for 64-bit Arm, which is found by its name.
cd /app/src
cp /app/recipes/cores/* .
aarch64-linux-gnu-gcc -O2 -g -o "$folder/gull" gull.c
cp "$folder/gull" /app/bin/gull
printf '%s\t%s\t%s\n' "$(build_id /app/bin/gull)" gull "gull (C), gcc for 64-bit Arm -O2 -g, with its program" \
  >>"$folder/build-ids.tsv"
trimmed "null-read-1.0.0-gcc-O2-aarch64" 'qemu_*' qemu-aarch64 -L /usr/aarch64-linux-gnu /app/bin/gull empty
