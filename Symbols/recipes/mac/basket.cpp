#include "basket.h"

#include "system.h"

namespace tern {

static inline void raise(const char* reason) { objc_exception_throw(reason); }

void Basket::add(const Item* item, int count) {
  if (count_ == 8) raise("the basket is full");
  lines_[count_++] = {item, count};
}

Money Basket::total() const {
  Money sum;
  for (int i = 0; i < count_; ++i) sum.cents += lineTotal(lines_[i]).cents;
  return sum;
}

/// A wrong percentage is a mistake of ours: stop here rather than give money away.
static inline int checked(int percent) {
  if (percent < 0 || percent > 5) __builtin_trap();
  return percent;
}

Money Basket::discounted(int percent) const {
  Money sum = total();
  sum.cents -= sum.cents * checked(percent) / 100;
  return sum;
}

}  // namespace tern
