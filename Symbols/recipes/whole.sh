#!/bin/bash
# Writes Symbols/whole: programs as users have them, with code and debug information in one file (`-g`, not split)
# and without a build id, so that reports find them by name and their addresses are compared with the code. And
# the samples that they print or leave: Samples/*/*-whole*.
#
#     Symbols/recipes/whole.sh
#
# Needs g++ with libasan, gdb and python3.
. "$(dirname "$0")/whole-scratch.sh"
mkdir -p "$symbols/whole" /srv/bin /srv/run
cd /srv
cat > skiff.cpp <<'END'
// Reads through a null pointer in the first instruction of a function: an address that is taken for a return
// address is looked up in the function before it.
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct Item { long pad[8]; long price; };
__attribute__((noinline)) long taxOf(const Item *item) { return item->pad[1] / 5; }
__attribute__((noinline)) long priceOf(const Item *item) { return item->price * 3; }
__attribute__((noinline)) long total(Item **items, int count) {
  long sum = 0;
  for (int index = 0; index < count; index++) sum += priceOf(items[index]) + taxOf(items[index]);
  return sum;
}
#ifdef HANDLER
static void onSignal(int number) {
  void *stack[64];
  int count = backtrace(stack, 64);
  dprintf(2, "Caught signal %d\n", number);
  if (getenv("SKIFF_PRINTS")) backtrace_symbols_fd(stack, count, 2);
  abort();
}
#endif
int main(int count, char **) {
#ifdef HANDLER
  signal(SIGSEGV, onSignal);
#endif
  Item *items[2] = {nullptr, nullptr};
  return total(items, count + 1) & 1;
}
END
flags="-g -O1 -ffile-prefix-map=/srv=/app/src -Wl,--build-id=none"
g++ $flags -fsanitize=address -o bin/skiff-asan skiff.cpp
g++ $flags -DHANDLER -o bin/skiff-pie skiff.cpp
g++ $flags -DHANDLER -no-pie -o bin/skiff-fixed skiff.cpp
g++ $flags -o bin/skiff-core skiff.cpp
cp bin/skiff-* "$symbols/whole/"

{ ASAN_OPTIONS=symbolize=0 setarch -R /srv/bin/skiff-asan 2>&1 || :; } \
  > "$samples/sanitizer/null-read-asan-whole.txt"
for name in pie fixed; do
  (cd bin && { SKIFF_PRINTS=1 setarch -R "./skiff-$name" || :; }) \
    2> "$samples/native-log/null-read-whole-$name.txt"
  sed -i '/Aborted/d' "$samples/native-log/null-read-whole-$name.txt"
done

# What systemd-coredump writes, of the stack that gdb has, without any names: the library has no debug file.
gdb -q -batch -ex 'set confirm off' -ex 'handle SIGSEGV nostop noprint pass' -ex run \
  -ex 'python
import gdb
print("frames-begin")
frame = gdb.newest_frame()
index = 0
maps = gdb.execute("info proc mappings", to_string=True).splitlines()
def place(address):
    base = None
    for line in maps:
        words = line.split()
        if len(words) < 5 or not words[0].startswith("0x"): continue
        start, end, offset = int(words[0], 16), int(words[1], 16), int(words[3], 16)
        name = words[-1].split("/")[-1]
        if start <= address < end: return name, address - start + offset
    return "n/a", 0
while frame is not None:
    if frame.type() != gdb.INLINE_FRAME:
        name, offset = place(frame.pc())
        print("#%-2d 0x%016x n/a (%s + 0x%x)" % (index, frame.pc(), name, offset))
        index += 1
    frame = frame.older()
print("frames-end")' bin/skiff-pie 2>/dev/null < /dev/null | sed -n '/^frames-begin/,/^frames-end/p' | grep '^#' > frames
[ -s frames ]
{
  echo "2026-05-01T10:12:44+0000 counter systemd-coredump[2219]: Process 2217 (skiff-pie) of user 1000 dumped core."
  indent=$(printf '%57s' '')
  echo "$indent"
  echo "${indent}Stack trace of thread 2217:"
  sed "s/^/$indent/" frames
  echo "${indent}ELF object binary architecture: AMD x86-64"
} > "$samples/systemd-coredump/handler-abort-whole.txt"

(cd run && ulimit -c unlimited && ulimit -s 128 && echo 0x11 >/proc/self/coredump_filter \
  && exec env -i /srv/bin/skiff-core >/dev/null 2>&1) || :
if ls run/core* >/dev/null 2>&1; then
  "$recipes/trim-core.py" run/core* "$samples/elf-core/null-read-whole.core"
else
  echo "whole.sh: no core; is core_pattern \"core\"?" >&2
fi
ls -l "$symbols/whole"
