# Inside: tern built by clang and gcc under every sanitizer, run into its bugs without symbols.
. /app/recipes/shell.sh

export ASAN_OPTIONS=symbolize=0:handle_abort=1
export HWASAN_OPTIONS=symbolize=0
export LSAN_OPTIONS=symbolize=0
export MSAN_OPTIONS=symbolize=0
export TSAN_OPTIONS=symbolize=0:halt_on_error=1
export UBSAN_OPTIONS=symbolize=0:print_stacktrace=1

# Clang links its runtimes statically. They come with debug information and symbols of their own, a
# megabyte in each program; as in most released toolchains, they are used here without.
resources=/app/clang
mkdir -p $resources
cp -r $($clang -print-resource-dir)/include $resources/
mkdir -p $resources/lib/linux
cp $($clang -print-resource-dir)/lib/linux/* $resources/lib/linux/
for runtime in asan asan_cxx asan-preinit asan_static hwasan_aliases hwasan_aliases_cxx lsan msan msan_cxx tsan \
  tsan_cxx ubsan_standalone ubsan_standalone_cxx; do
  objcopy --strip-debug --discard-all $resources/lib/linux/libclang_rt.$runtime-x86_64.a
done

# build COMPILER VERSION SANITIZER LEVEL PROGRAM
build() {
  local cc cxx flags link object=/app/build folder=
  case $1 in
    clang)
      cc="$clang -resource-dir $resources" cxx="$clangxx -resource-dir $resources"
      link="-fuse-ld=lld -Wl,--build-id=sha1" ;;
    gcc) cc=gcc cxx=g++ link="-Wl,--build-id=sha1" ;;
  esac
  flags="-$4 -g -fsanitize=$3 -fno-omit-frame-pointer"
  case $1-$3 in
    clang-hwaddress) flags="$flags -fsanitize-hwaddress-experimental-aliasing" ;;
    clang-memory) flags="$flags -fsanitize-memory-track-origins" ;;
    clang-thread) link="$link -L/opt/swift/usr/lib/swift/linux -ldispatch -lBlocksRuntime -Wl,-rpath,/opt/swift/usr/lib/swift/linux" ;;
  esac
  # Clang is given absolute paths, gcc relative ones: reports and debug files hold both kinds.
  [ $1 != clang ] || folder=/app/src/
  rm -rf $object && mkdir $object
  # shellcheck disable=SC2086
  (cd /app/src
   for source in *.c *.cpp; do
     case $source in
       *.c) echo $cc -std=c11 $flags -c $folder$source -o $object/${source%.c}.o ;;
       *.cpp) echo $cxx -std=c++17 $flags -pthread -c $folder$source -o $object/${source%.cpp}.o ;;
     esac
   done | xargs -d '\n' -P 2 -n 1 sh -c
   $cxx $flags -pthread $object/*.o $link -o "$5")
}

# clang VERSION SANITIZER LEVEL: /app/bin/tern, known by its build id.
clang_build() {
  echo "clang $*" >&2
  build clang "$1" "$2" "$3" /app/bin/tern
  file_debug /app/bin/tern $out/debug/tern zlib "tern $1, clang -$3 -g -fsanitize=$2"
}

# gcc VERSION SANITIZER LEVEL: its runtime prints no build id, so each build has a name of its own and
# its debug file is found by that name.
gcc_build() {
  echo "gcc $*" >&2
  name=tern-$1-gcc-$2-$3
  build gcc "$1" "$2" "$3" "/app/bin/$name"
  only_debug "/app/bin/$name" "$out/debug/gcc/$name.debug" zlib
  printf '%s\t%s\t%s\n' "$(build_id "/app/bin/$name")" "$name" "tern $1, gcc -$3 -g -fsanitize=$2" \
    >>$out/debug/gcc/build-ids.tsv
}

report() { echo "$out/sanitizer/$1.txt"; }

# memory_bugs PROGRAM SUFFIX LAYOUT: what the address sanitizer catches, in this version.
memory_bugs() {
  local program=$1 suffix=$2 layout=$3
  capture "$(report "null-read-$suffix")" "$layout" "$program" sell pen pencil
  capture "$(report "heap-overflow-$suffix")" "$layout" "$program" label "Fountain pens, all colours"
  capture "$(report "abort-$suffix")" "$layout" "$program" audit 1250
  capture "$(report "uncaught-exception-$suffix")" "$layout" "$program" price pad
  capture "$(report "stack-overflow-$suffix")" "$layout" "$program" tree gifts
  capture "$(report "worker-null-$suffix")" "$layout" "$program" pick 2
  capture "$(report "leak-$suffix")" "$layout" "$program" archive wren
  case $version in
    1.0.0) capture "$(report "use-after-free-$suffix")" "$layout" "$program" cancel wren ;;
    *) capture "$(report "divide-by-zero-$suffix")" "$layout" "$program" split 0 ;;
  esac
}

mkdir -p $out/debug/tern $out/debug/gcc

for version in 1.0.0 1.1.0; do
  sources tern $version

  clang_build $version address O0
  memory_bugs /app/bin/tern "asan-$version-clang-O0" fixed
  clang_build $version address O2
  memory_bugs /app/bin/tern "asan-$version-clang-O2" random
  # One step further from main, and once with symbols, which the runtime asks llvm-symbolizer for.
  capture "$(report "null-read-asan-$version-clang-O2-batch")" random /app/bin/tern batch sell ink quill
  case $version in
    1.1.0)
      capture "$(report "divide-by-zero-asan-$version-clang-O2-batch")" random /app/bin/tern batch split none
      capture "$(report "null-read-asan-$version-clang-O2-symbolized")" random \
        env -u LSAN_OPTIONS -u UBSAN_OPTIONS ASAN_OPTIONS=handle_abort=1 ASAN_SYMBOLIZER_PATH=$toolchain/llvm-symbolizer \
        /app/bin/tern sell pen pencil
      ;;
    1.0.0) capture "$(report "use-after-free-asan-$version-clang-O2-batch")" random /app/bin/tern batch cancel robin ;;
  esac

  level=O0
  [ $version = 1.0.0 ] || level=O2
  gcc_build $version address $level
  memory_bugs /app/bin/$name "asan-$version-gcc-$level" fixed

  clang_build $version thread O2
  capture "$(report "data-race-tsan-$version-clang-O2")" fixed /app/bin/tern restock 100000
  capture "$(report "data-race-tsan-$version-clang-O2-batch")" fixed /app/bin/tern batch restock 50000
  gcc_build $version thread O1
  capture "$(report "data-race-tsan-$version-gcc-O1")" fixed /app/bin/$name restock 100000
  [ $version = 1.0.0 ] ||
    capture "$(report "data-race-tsan-$version-gcc-O1-symbolized")" fixed env TSAN_OPTIONS=halt_on_error=1 \
      /app/bin/$name batch restock 70000

  clang_build $version memory O1
  capture "$(report "uninitialized-msan-$version-clang-O1")" fixed /app/bin/tern discount WINTER
  capture "$(report "uninitialized-msan-$version-clang-O1-batch")" fixed /app/bin/tern batch discount HARVEST

  clang_build $version undefined $level
  capture "$(report "signed-overflow-ubsan-$version-clang-$level")" fixed /app/bin/tern points 2000000000 1
  capture "$(report "shift-ubsan-$version-clang-$level")" fixed /app/bin/tern points 10 40
  gcc_build $version undefined O2
  capture "$(report "signed-overflow-ubsan-$version-gcc-O2")" fixed /app/bin/$name points 2000000000 1
  capture "$(report "shift-ubsan-$version-gcc-O2")" fixed /app/bin/$name points 10 33

  clang_build $version hwaddress O2
  capture "$(report "heap-overflow-hwasan-$version-clang-O2")" fixed /app/bin/tern label "Writing pads, ruled and plain, all sizes"
  [ $version != 1.0.0 ] ||
    capture "$(report "use-after-free-hwasan-$version-clang-O2")" fixed /app/bin/tern cancel wren
done

clang_build 1.1.0 leak O2
capture "$(report "leak-lsan-1.1.0-clang-O2")" fixed /app/bin/tern archive wren
