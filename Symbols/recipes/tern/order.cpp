#include "order.h"

#include <algorithm>
#include <cstdio>

#include "check.h"

namespace tern {

Order* OrderBook::open(const std::string& customer) {
  orders_.push_back(new Order{customer, {}, static_cast<int>(orders_.size()) + 1});
  return orders_.back();
}

void OrderBook::cancel(Order* order) {
  orders_.erase(std::find(orders_.begin(), orders_.end(), order));
  delete order;
}

void OrderBook::printReceipt(const Order* order) const {
  std::printf("order %d: %d lines\n", order->number, lineCount(*order));
}

void OrderBook::archive(const Order* order) {
  char* slip = new char[64];
  std::snprintf(slip, 64, "%d %s", order->number, order->customer.c_str());
  std::puts(slip);
}

void OrderBook::audit(Money drawer) const {
  Money day;
  for (const Order* order : orders_) day = day + order->basket.total();
  invariant(day == drawer, "the drawer does not hold what was sold");
}

}  // namespace tern
