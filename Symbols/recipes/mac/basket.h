#pragma once

namespace tern {

struct Money {
  long cents = 0;
};

struct Item {
  const char* sku;
  const char* parent;
  Money price;
};

inline Money times(Money unit, int count) { return {unit.cents * count}; }
inline Money priceOf(const Item* item) { return item->price; }

/// The item sold under `sku`, or null.
const Item* find(const char* sku);

/// The price on the printed list; throws `NotPrinted`.
Money listPrice(const char* sku);

/// How wide `category` and all above it are printed.
unsigned long width(const char* category, int depth);

struct NotPrinted {
  const char* sku;
};

struct Line {
  const Item* item;
  int count;
};

inline Money lineTotal(const Line& line) { return times(priceOf(line.item), line.count); }

class Basket {
 public:
  void add(const Item* item, int count);
  Money total() const;
  Money discounted(int percent) const;

 private:
  Line lines_[8] = {};
  int count_ = 0;
};

}  // namespace tern
