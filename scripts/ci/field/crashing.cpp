// Crashes in the way that its argument names, for answers.json.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <unistd.h>

#define KEPT __attribute__((noinline))

namespace shop {

struct Item {
  long weight;
  long price;
};

static Item *volatile item;

static KEPT long price_of(const Item *of) { return of->price * 3; }

KEPT long total(int count) {
  long sum = 0;
  for (int i = 0; i < count; i++) sum += price_of(item) + i;
  return sum;
}

KEPT int depth(int level) {
  volatile char room[4096];
  room[level % 4096] = 1;
  return depth(level + 1) + room[0];
}

KEPT void refuse() { abort(); }

}  // namespace shop

static KEPT void print_stack(int) {
  void *calls[64];
  int count = backtrace(calls, 64);
  backtrace_symbols_fd(calls, count, 2);
  _exit(1);
}

int main(int count, char **words) {
  const char *how = count > 1 ? words[1] : "null";
  if (*how == 'h') signal(SIGSEGV, print_stack);
  if (*how == 'd') return shop::depth(0);
  if (*how == 'a') shop::refuse();
  if (*how == 'u') {
    shop::item = new shop::Item{1, 2};
    delete shop::item;
  }
  return shop::total(2) & 1;
}
