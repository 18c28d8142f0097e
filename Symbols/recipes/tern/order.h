#pragma once

#include <string>
#include <vector>

#include "basket.h"

namespace tern {

struct Order {
  std::string customer;
  Basket basket;
  int number;
};

inline int lineCount(const Order& order) { return static_cast<int>(order.basket.lines().size()); }

class OrderBook {
 public:
  Order* open(const std::string& customer);
  void cancel(Order* order);
  void printReceipt(const Order* order) const;
  void archive(const Order* order);

  /// Adds up the day and stops the program if the drawer holds something else.
  void audit(Money drawer) const;

 private:
  std::vector<Order*> orders_;
};

}  // namespace tern
