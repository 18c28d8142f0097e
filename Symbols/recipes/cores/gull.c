// Sorts berths, of which one has no ship.
#include <stdlib.h>

struct ship {
  int length;
};

struct berth {
  const struct ship *ship;
};

static int length(const struct berth *berth) { return berth->ship->length; }

static int compare(const void *left, const void *right) { return length(left) - length(right); }

__attribute__((noinline)) static int longest(struct berth *berths, size_t count) {
  qsort(berths, count, sizeof *berths, compare);
  return length(&berths[count - 1]);
}

int main(int count, char **names) {
  static const struct ship ships[] = {{31}, {12}, {24}};
  struct berth berths[4] = {{&ships[0]}, {&ships[1]}, {&ships[2]}, {NULL}};
  (void)names;
  return longest(berths, 3 + (size_t)(count > 1));
}
