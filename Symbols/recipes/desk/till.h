#pragma once

namespace tern {

struct Money {
  long cents = 0;
};

struct Goods {
  const char* sku;
  Money price;
};

struct Slip {
  const Goods* goods;
  int count;
};

inline Money priceOf(const Goods* goods) { return goods->price; }
inline Money times(Money unit, int count) { return {unit.cents * count}; }
inline Money lineTotal(const Slip& slip) { return times(priceOf(slip.goods), slip.count); }
inline Money withTax(Money net) { return {net.cents + net.cents * 19 / 100}; }

class Till {
 public:
  /// The goods sold under `sku`, or null.
  const Goods* find(const char* sku) const;

  /// Throws `NotPrinted` when the list has no such line.
  Money printed(const char* sku) const;
};

}  // namespace tern
