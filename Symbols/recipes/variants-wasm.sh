# Sourced by variants.sh: WebAssembly modules.

# wasm NAME TRIPLE LINKER-FLAGS -- COMPILER-FLAGS
wasm() {
  local name=$1 triple=$2 linker=() source
  shift 2
  while [ "$1" != -- ]; do
    linker+=("$1")
    shift
  done
  shift
  rm -f $build/*.o
  for source in steepest clamp start; do
    $clang --target="$triple" -std=c11 -ffreestanding "$@" -c $source.c -o $build/$source.o
  done
  $clangxx --target="$triple" -std=c++17 -ffreestanding -fno-exceptions "$@" -c harbour.cpp -o $build/harbour.o
  $toolchain/wasm-ld --no-entry --export=_start --export=harbour_open --gc-sections "${linker[@]}" $build/*.o -o $variants/$name
}

wasm wasm32-dwarf5.wasm wasm32 --build-id=sha1 -- -O2 -gdwarf-5
wasm wasm32-dwarf4.wasm wasm32 --build-id -- -O1 -gdwarf-4
wasm wasm64.wasm wasm64 -mwasm64 --build-id=0x0123456789abcdef0123456789abcdef -- -O1 -gdwarf-5
wasm wasm32-unoptimised.wasm wasm32 -- -O0 -g

# Without the debug information: the module names where it is, as emscripten's -gseparate-dwarf does.
python3 - $variants/wasm32-dwarf5.wasm $variants/wasm32-split.wasm wasm32-dwarf5.wasm <<'PYTHON'
import sys


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


source, target, debug = sys.argv[1:]
data = open(source, "rb").read()
output, at = data[:8], 8
while at < len(data):
    size, start = number(data, at + 1)
    end = start + size
    count, name = number(data, start)
    if data[at] != 0 or not data[name : name + count].startswith(b".debug_"):
        output += data[at:end]
    at = end
title, path = b"external_debug_info", debug.encode()
body = bytes([len(title)]) + title + bytes([len(path)]) + path
output += b"\0" + bytes([len(body)]) + body
open(target, "wb").write(output)
PYTHON
