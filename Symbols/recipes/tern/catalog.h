#pragma once

#include <map>
#include <string>
#include <vector>

#include "money.h"

namespace tern {

struct Item {
  std::string sku;
  std::string name;
  Money price;
};

/// The price of an item that the catalog found.
inline Money priceOf(const Item* item) { return item->price; }

class Catalog {
 public:
  Catalog();

  /// The item sold under `sku`, or null.
  const Item* find(const std::string& sku) const;

  /// The printed price; throws when there is none.
  Money listPrice(const std::string& sku) const;

  /// How wide the column for `category` and all that stands above it must be.
  int columnWidth(const std::string& category, int depth) const;

 private:
  std::vector<Item> items_;
  std::map<std::string, Money> printed_;
  std::map<std::string, std::string> parents_;
};

}  // namespace tern
