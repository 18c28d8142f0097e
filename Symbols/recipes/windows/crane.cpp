// Calls within calls, of members and of functions in namespaces, from several lines and files.
extern "C" {
#include "tide.h"
}
#include "rope.h"

namespace {

struct Crane {
  harbour::Rope rope;

  int lift(int weight) {
    int height = rope.pull(weight) + rope.pull(weight + 1);
    for (int i = 0; i < weight; ++i) {
      if (height > tide_sink)
        height -= rope.slack();
      else
        height += rope.pull(height);
    }
    return height;
  }
};

template <int Factor>
int scaled(int value) {
  return value * Factor + tide_sink;
}

}  // namespace

extern "C" int crane_lift(int weight) {
  Crane crane{{weight, 3}};
  const auto twice = [&](int more) { return crane.lift(more) + crane.lift(more + 1); };
  return scaled<3>(twice(weight)) + scaled<5>(tide_sink);
}

// The division that 32-bit ARM has no instruction for.
#ifdef __arm__
extern "C" int __rt_sdiv(int divisor, int value) {
  int times = 0;
  for (; value >= divisor; value -= divisor) ++times;
  return times;
}
#endif
