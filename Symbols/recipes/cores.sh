# Inside: the programs of dumps.sh run into their bugs, and the kernel's cores of them.
. /app/recipes/shell.sh

ulimit -c unlimited

# core NAME PROGRAM COMMAND...: the kernel's core of a crash: private memory and the first pages of programs. A
# small stack keeps it small.
core() {
  local name=$1 program=$2 file
  shift 2
  mkdir -p "$out/elf-core" /app/run
  rm -rf /app/run/* /app/bin/*
  cp "/app/programs/$program" "/app/bin/${program%%-[0-9]*}"
  (cd /app/run && ulimit -s 128 && echo 0x11 >/proc/self/coredump_filter && exec "$@" >/dev/null 2>&1) || :
  # The kernel's core_pattern may add the id of the process.
  for file in /app/run/core*; do
    [ -s "$file" ] || { echo "no core came from: $*; is core_pattern \"core\"?" >&2; exit 1; }
    mv "$file" "$out/elf-core/$name.core"
    chmod 644 "$out/elf-core/$name.core"
  done
}

new=1.1.0-gcc-O2
old=1.0.0-clang-O2
core "null-read-$new" "tern-$new" /app/bin/tern sell pen pencil
core "abort-$new" "tern-$new" /app/bin/tern audit 1250
core "worker-null-$old" "tern-$old" /app/bin/tern pick 2
