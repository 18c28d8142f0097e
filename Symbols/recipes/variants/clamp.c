#include "tide.h"

enum { least = -3, most = 9 };

int tide_clamp(int height) {
  if (height < least) {
    tide_sink = height;
    return least;
  }
  return height > most ? most : height;
}

/* Nobody calls these two: with --gc-sections they go, and with --icf=all they would be one. */
int tide_unused(int height) { return height * 3 + tide_sink; }
int tide_unused_too(int height) { return height * 3 + tide_sink; }
