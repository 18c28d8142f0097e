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

# build_desk VERSION LEVEL NAME: /app/bin/NAME, tern-desk of the sources in /app/src; the core is always optimised,
# the Swift half only with -O.
runtime=/opt/swift/usr/lib/swift/linux
build_desk() {
  echo "swiftc $*" >&2
  rm -rf /app/build && mkdir /app/build
  # The linker's own digest differs from run to run, though code and debug information do not: the
  # build id is that of everything that goes in.
  local id
  id=$({ cat /app/src/* && $swiftc --version 2>&1 && echo "$*"; } | sha1sum | cut -d ' ' -f 1)
  (cd /app/src
   for source in core till; do
     $clangxx -std=c++17 -O2 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -c /app/src/$source.cpp -o /app/build/$source.o
   done
   $swiftc "$2" -g -swift-version 6 -module-name TernDesk -import-objc-header core.h -disable-bridging-pch \
     -module-cache-path /app/home/cache -parse-as-library -Xcc -fno-omit-frame-pointer -Xcc -mno-omit-leaf-frame-pointer $([ "$2" != -O ] || echo -wmo) \
     Cart.swift Customers.swift Desk.swift Store.swift Sync.swift /app/build/core.o /app/build/till.o \
     -lstdc++ -Xlinker --build-id=0x$id -Xlinker -rpath -Xlinker $runtime -o "/app/bin/$3")
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
