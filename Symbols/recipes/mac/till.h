#pragma once

#include "basket.h"
#include "ledger.h"
#include "stock.h"

namespace tern {

class Till {
 public:
  int sell(const char* sku);
  int fill(const char* sku);
  int showPrice(const char* sku);
  int closeDay();
  int discount(const char* percent);
  int showTree(const char* category);
  int printReceipt();
  int pick();
  int synchronise();

 private:
  Basket basket_;
  Ledger ledger_;
  Stock stock_;
};

}  // namespace tern
