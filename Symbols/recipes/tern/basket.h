#pragma once

#include <string>
#include <vector>

#include "catalog.h"

namespace tern {

struct Line {
  const Item* item;
  int count;
};

inline Money lineTotal(const Line& line) { return times(priceOf(line.item), line.count); }

class Basket {
 public:
  void add(const Catalog& catalog, const std::string& sku, int count);
  Money total() const;
  const std::vector<Line>& lines() const { return lines_; }

 private:
  std::vector<Line> lines_;
};

}  // namespace tern
