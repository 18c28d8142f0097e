#include "tide.h"

static int larger(int a, int b) {
  if (a > b) return a;
  return b;
}

int tide_steepest(const struct tide *table, int count) {
  int most = 0;
  for (int i = 0; i + 1 < count; ++i) {
    most = larger(most, tide_slope(&table[i], &table[i + 1]));
    tide_sink = most;
  }
  return most;
}
