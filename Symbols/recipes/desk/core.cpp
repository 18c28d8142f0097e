#include "core.h"

#include "till.h"

namespace tern {

static const Till& till() {
  static const Till shop;
  return shop;
}

__attribute__((noinline)) static Money sum(const Slip& slip) { return lineTotal(slip); }

}  // namespace tern

long tern_core_total(const char *sku, int count) {
  const tern::Slip slip{tern::till().find(sku), count};
  return withTax(tern::sum(slip)).cents;
}

long tern_core_list_price(const char *sku) {
  return withTax(tern::till().printed(sku)).cents;
}
