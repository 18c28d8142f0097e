#include "tide.h"

volatile int tide_sink;

static const struct tide table[] = {{0, 1}, {6, 7}, {12, 0}, {18, 8}};

static int twice(int value) { return tide_clamp(value) + tide_clamp(value + 1); }
int tide_thrice(int value) { return tide_clamp(value) + tide_clamp(value + 1) + tide_clamp(value + 2); }
int tide_triple(int value) { return tide_clamp(value) + tide_clamp(value + 1) + tide_clamp(value + 2); }

void _start(void) {
  const int steepest = tide_steepest(table, 4);
  tide_sink = twice(steepest);
  tide_sink = tide_thrice(steepest) + tide_triple(steepest);
  for (;;) tide_sink = tide_sink + 1;
}

/* What 32-bit ARM's unwind tables refer to, and the division that it has no instruction for. */
#ifdef __arm__
void __aeabi_unwind_cpp_pr0(void) {}
int __aeabi_idiv(int a, int b) {
  int times = 0;
  for (; a >= b; a -= b) ++times;
  return times;
}
#endif
