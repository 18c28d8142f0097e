# Sourced by the steps that run inside: compilers, captures, debug files.

clang=/opt/swift/usr/bin/clang
clangxx=/opt/swift/usr/bin/clang++
swiftc=/opt/swift/usr/bin/swiftc
toolchain=/opt/swift/usr/bin

out=/app/out
runs=0

ulimit -S -c 0
ulimit -s 8192

# sources FOLDER VERSION: puts that version's sources into /app/src. The newer version is a patch.
sources() {
  rm -rf /app/src
  cp -r "/app/recipes/$1" /app/src
  [ "$2" = 1.0.0 ] || patch -s -p1 -d /app/src <"/app/recipes/$1-$2.patch"
  find /app/src -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
}

# capture FILE fixed|random COMMAND...: runs the command and keeps its standard error. "fixed" runs it
# without address randomisation, so that the same report comes out every time; the process ids are
# chosen too.
capture() {
  local file=$1 layout=$2 setarch=
  shift 2
  runs=$((runs + 1))
  [ "$layout" = random ] || setarch="setarch -R"
  mkdir -p "$(dirname "$file")"
  { echo $((4000 + runs * 37)) >/proc/sys/kernel/ns_last_pid; } 2>/dev/null || :
  # shellcheck disable=SC2086
  (cd /app && $setarch "$@" >/dev/null 2>"$file") 2>/dev/null || :
  [ -s "$file" ] || { echo "nothing came from: $*" >&2; exit 1; }
}

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

# file_debug PROGRAM FOLDER FORMAT: files the program's debug information, without its code, under its
# build id; FORMAT is none, zlib or zstd.
file_debug() {
  local id
  id=$(build_id "$1")
  [ -n "$id" ] || { echo "$1 has no build id" >&2; exit 1; }
  local target=$2/.build-id/${id:0:2}/${id:2}.debug
  only_debug "$1" "$target" "$3"
  printf '%s\t%s\t%s\n' "$id" "$(basename "$1")" "$4" >>"$2/build-ids.tsv"
}

only_debug() {
  mkdir -p "$(dirname "$2")"
  objcopy --only-keep-debug --compress-debug-sections="$3" "$1" "$2"
  chmod 644 "$2"
}
