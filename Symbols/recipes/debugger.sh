#!/bin/bash
# Writes Samples/debugger: what gdb prints of a program that reads through a null pointer.
set -euo pipefail
out=$(cd "$(dirname "$0")/../../Samples/debugger" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/app"
cat > "$work/app/till.cpp" <<'END'
#include <pthread.h>
#include <string>
#include <unistd.h>
struct Item { long count; long price; };
struct Cart { const Item *item; long total(const std::string &name) const; };
static inline __attribute__((always_inline)) long priceOf(const Item *item) { return item->price; }
__attribute__((noinline)) long Cart::total(const std::string &name) const {
  return priceOf(item) * (long)name.size();
}
static void *wait(void *) { for (;;) pause(); }
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, wait, nullptr);
  usleep(100000);
  Cart cart{nullptr};
  return (int)cart.total("2 (two) reams");
}
END
cd "$work/app"
g++ -O1 -g -o tern till.cpp -pthread
gdb -batch -nx -ex 'set width 80' -ex run -ex 'thread apply all bt full' ./tern 2>/dev/null |
  sed "s|$work||g" > "$out/null-read-gdb.txt"
