#pragma once

#include <string>

namespace tern {

struct Shelf {
  int count = 0;
  Shelf* next = nullptr;
};

inline void take(Shelf* shelf, int count) { shelf->count -= count; }

class Stock {
 public:
  /// Two clerks book deliveries at the same time.
  void restock(int deliveries);

  /// A picker walks `steps` shelves in the background and takes one piece from the last.
  void pick(int steps);

 private:
  void receive(int deliveries);
  void walk(int steps);

  int pieces_ = 0;
  Shelf back_;
  Shelf front_{5, &back_};
};

}  // namespace tern
