#include "stock.h"

#include <thread>

namespace tern {

void Stock::receive(int deliveries) {
  for (int i = 0; i < deliveries; ++i) ++pieces_;
}

void Stock::restock(int deliveries) {
  std::thread first([=] { receive(deliveries); });
  std::thread second([=] { receive(deliveries); });
  first.join();
  second.join();
}

void Stock::walk(int steps) {
  Shelf* shelf = &front_;
  while (steps-- > 0) shelf = shelf->next;
  take(shelf, 1);
}

void Stock::pick(int steps) {
  std::thread picker([=] { walk(steps); });
  picker.join();
}

}  // namespace tern
