/* A tide table: enough code to be inlined over three files, and none of the system's. */
#pragma once

struct tide {
  int hour;
  int height;
};

extern volatile int tide_sink;

static inline int tide_rise(const struct tide *low, const struct tide *high) {
  return high->height - low->height;
}

static inline int tide_slope(const struct tide *low, const struct tide *high) {
  const int hours = high->hour - low->hour;
  return hours ? tide_rise(low, high) / hours : 0;
}

int tide_steepest(const struct tide *table, int count);
int tide_clamp(int height);
int tide_unused(int height);
