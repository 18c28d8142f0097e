// C++ over the same header: namespaces, a template, a lambda, a class that another unit defines.
extern "C" {
#include "tide.h"
}

namespace harbour {

template <typename Value>
struct Range {
  Value low, high;
  bool holds(Value value) const { return value >= low && value <= high; }
};

class Gate {
 public:
  explicit Gate(int sill) : sill_(sill) {}
  bool passes(const tide& now, int draught) const;

 private:
  int depth(const tide& now) const { return now.height - sill_; }
  int sill_;
};

bool Gate::passes(const tide& now, int draught) const {
  const Range<int> range{draught, 40};
  const auto clear = [&](int margin) { return range.holds(depth(now) - margin); };
  return clear(1) && clear(tide_sink);
}

}  // namespace harbour

extern "C" int harbour_open(const tide* now, int draught) {
  return harbour::Gate(2).passes(*now, draught);
}
