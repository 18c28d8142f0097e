#include "basket.h"

namespace tern {

void Basket::add(const Catalog& catalog, const std::string& sku, int count) {
  lines_.push_back({catalog.find(sku), count});
}

Money Basket::total() const {
  Money sum;
  for (const Line& line : lines_) sum = sum + lineTotal(line);
  return sum;
}

}  // namespace tern
