#include "catalog.h"

#include <cstdio>
#include <cstring>

namespace tern {

Catalog::Catalog()
    : items_{{"pen", "Fountain pen", {1250}},
             {"ink", "Bottle of ink", {890}},
             {"pad", "Writing pad", {420}}},
      printed_{{"pen", {1250}}, {"ink", {890}}},
      parents_{{"pens", "stationery"}, {"gifts", "seasonal"}, {"seasonal", "gifts"}} {}

const Item* Catalog::find(const std::string& sku) const {
  for (const Item& item : items_) {
    if (item.sku == sku) return &item;
  }
  return nullptr;
}

Money Catalog::listPrice(const std::string& sku) const { return printed_.at(sku); }

int Catalog::columnWidth(const std::string& category, int depth) const {
  char title[160];
  std::snprintf(title, sizeof title, "%*s%s", depth % 8, "", category.c_str());
  const int own = static_cast<int>(std::strlen(title));
  const auto parent = parents_.find(category);
  if (parent == parents_.end()) return own;
  const int above = columnWidth(parent->second, depth + 1);
  return above > own ? above : own;
}

}  // namespace tern
