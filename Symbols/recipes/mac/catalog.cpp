#include "basket.h"
#include "system.h"

namespace tern {

static const Item items[] = {
    {"pen", "stationery", {1250}},
    {"ink", "stationery", {890}},
    {"gifts", "seasonal", {0}},
    {"seasonal", "gifts", {0}},
};

const Item* find(const char* sku) {
  for (const Item& item : items) {
    if (strcmp(item.sku, sku) == 0) return &item;
  }
  return nullptr;
}

static inline const Item& require(const Item* item, const char* sku) {
  if (!item) throw NotPrinted{sku};
  return *item;
}

Money listPrice(const char* sku) { return priceOf(&require(find(sku), sku)); }

unsigned long width(const char* category, int depth) {
  volatile char title[64] = {};
  title[depth & 63] = category[0];
  const unsigned long own = strlen(category);
  const Item* item = find(category);
  if (!item) return own;
  const unsigned long above = width(item->parent, depth + 1);
  return above > own ? above : own + (title[0] == 0);
}

}  // namespace tern
