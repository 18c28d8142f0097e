#include "till.h"

#include "system.h"

namespace tern {

static inline int shown(Money amount) { return puts(amount.cents > 0 ? "paid" : "free"); }

int Till::sell(const char* sku) {
  basket_.add(find(sku), 1);
  return shown(basket_.total());
}

int Till::fill(const char* sku) {
  for (int i = 0; sku[i]; ++i) basket_.add(find(sku), i);
  return shown(basket_.total());
}

int Till::showPrice(const char* sku) { return shown(listPrice(sku)); }

int Till::closeDay() {
  ledger_.audit(basket_.total());
  return puts("closed");
}

int Till::discount(const char* percent) { return shown(basket_.discounted(percent[0] - '0')); }

int Till::showTree(const char* category) { return width(category, 0) > 0 ? puts(category) : 1; }

int Till::printReceipt() {
  Receipt* receipt = ledger_.write(basket_.total());
  ledger_.discard(receipt);
  return ledger_.print(receipt);
}

int Till::pick() { return stock_.pick(); }

int Till::synchronise() { return ledger_.send(8); }

}  // namespace tern
