# Inside: tern without sanitizers, run into its bugs under Crashpad's handler.
. /app/recipes/shell.sh

# Chromium's own modules are large, but the handler reads the crashed program alone.
handler=/usr/lib/chromium/chrome_crashpad_handler
gcc -shared -fPIC -O1 -o /app/client.so /app/recipes/dumps/client.c

# build VERSION COMPILER LEVEL [FLAG...]: /app/bin/tern. gcc's is kept whole; of clang's, the debug information and
# the stripped program, which has the rules for its stacks.
build() {
  local version=$1 compiler=$2 level=$3 cc=gcc cxx=g++ folder object=/app/build name
  shift 3
  echo "$compiler $version $level $*" >&2
  [ "$compiler" = gcc ] || cc=$clang cxx=$clangxx
  rm -rf $object && mkdir $object
  (cd /app/src
   for source in *.c *.cpp; do
     case $source in
       *.c) $cc -std=c11 -$level -g "$@" -c "$source" -o $object/${source%.c}.o ;;
       *.cpp) $cxx -std=c++17 -$level -g "$@" -pthread -c "$source" -o $object/${source%.cpp}.o ;;
     esac
   done)
  $cxx -$level "$@" -pthread $object/*.o -Wl,--build-id=sha1 -o /app/bin/tern
  folder=$out/debug/dumps
  name=tern-$version-$compiler-$level
  mkdir -p "$folder"
  if [ "$compiler" = gcc ]; then
    objcopy --compress-debug-sections=zlib /app/bin/tern "$folder/$name"
    printf '%s\t%s\t%s\n' "$(build_id /app/bin/tern)" tern "tern $version, $compiler -$level -g, with its program" \
      >>"$folder/build-ids.tsv"
  else
    file_debug /app/bin/tern "$folder" zlib "tern $version, $compiler -$level -g, with its program"
    strip -o "$folder/$name" /app/bin/tern
  fi
}

# dump NAME COMMAND...: the minidump of a crash. It holds the whole stack, so a stack that overflows is small.
dump() {
  local name=$1 dumps=/app/dumps
  shift
  rm -rf $dumps
  mkdir -p $dumps "$out/minidump"
  (cd /app && ulimit -s $stack && DUMPS=$dumps VERSION=$version HANDLER=$handler LD_PRELOAD=/app/client.so "$@" >/dev/null 2>&1) || :
  mv $dumps/pending/*.dmp "$out/minidump/$name.dmp"
  chmod 644 "$out/minidump/$name.dmp"
}

# overflow NAME COMMAND...: of a stack that overflowed. The handler takes the wrong memory for the stack when the
# stack pointer is outside of it already: in a function with large variables.
overflow() {
  local size
  for size in 128 132 136 140 144 148 152; do
    stack=$size
    dump "$@"
    [ "$(stat -c %s "$out/minidump/$1.dmp")" -lt 100000 ] || break
  done
  stack=128
}

stack=128
for version in 1.0.0 1.1.0; do
  sources tern $version
  case $version in
    1.0.0) compiler=clang level=O2 ;;
    *) compiler=gcc level=O2 ;;
  esac
  build $version $compiler $level
  suffix=$version-$compiler-$level
  dump "null-read-$suffix" bin/tern sell pen pencil
  dump "abort-$suffix" bin/tern audit 1250
  dump "uncaught-exception-$suffix" bin/tern price pad
  dump "worker-null-$suffix" bin/tern pick 2
  overflow "stack-overflow-$suffix" bin/tern tree gifts
  [ $version = 1.0.0 ] || dump "divide-by-zero-$suffix" bin/tern split 0
done

# What the stacks need of the libraries that the dumps name.
folder=$out/debug/dumps
for library in libc.so.6 libstdc++.so.6 libgcc_s.so.1 ld-linux-x86-64.so.2; do
  id=$(build_id /lib/x86_64-linux-gnu/$library)
  mkdir -p "$folder/.build-id/${id:0:2}"
  /app/recipes/rules.py /lib/x86_64-linux-gnu/$library "$folder/.build-id/${id:0:2}/${id:2}.debug"
  printf '%s\t%s\t%s\n' "$id" $library "Debian 12, unwind rules alone" >>"$folder/build-ids.tsv"
done
