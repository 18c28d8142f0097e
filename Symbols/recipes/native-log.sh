#!/bin/bash
# Writes Samples/native-log: what programs print of their own death, with glibc's functions and with glog.
# Needs g++ and libgoogle-glog-dev.
set -euo pipefail
out=$(cd "$(dirname "$0")/../../Samples/native-log" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > till.cpp <<'END'
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
struct Item { long count; long price; };
struct Cart { const Item *item; long total(long count) const; };
__attribute__((noinline)) long Cart::total(long count) const { return item->price * count; }
static void onSignal(int number) {
  void *stack[64];
  fprintf(stderr, "tern: got signal %d\n", number);
  backtrace_symbols_fd(stack, backtrace(stack, 64), 2);
  _exit(1);
}
int main() {
  signal(SIGSEGV, onSignal);
  Cart cart{nullptr};
  return (int)cart.total(2);
}
END
g++ -O1 -g -rdynamic -o tern till.cpp
setarch -R ./tern 2> "$out/null-read-glibc.txt" || true
cat > drawer.cpp <<'END'
#include <glog/logging.h>
struct Drawer { int coins; void open(int wanted) const; };
__attribute__((noinline)) void Drawer::open(int wanted) const {
  CHECK_GE(coins, wanted) << "the drawer is short";
}
int main(int, char **names) {
  google::InitGoogleLogging(names[0]);
  google::InstallFailureSignalHandler();
  FLAGS_logtostderr = true;
  LOG(INFO) << "tern 1.1.0";
  Drawer{3}.open(5);
}
END
g++ -O1 -g -rdynamic -o tern drawer.cpp -lglog
(setarch -R ./tern 2> "$out/check-failed-glog.txt") 2> /dev/null || true
