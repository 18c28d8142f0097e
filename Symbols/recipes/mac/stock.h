#pragma once

namespace tern {

struct Shelf {
  long pieces = 0;
  Shelf* next = nullptr;
};

inline void take(Shelf* shelf) { shelf->pieces -= 1; }

class Stock {
 public:
  /// A picker walks to the last shelf in the background.
  int pick();

  void walk(int steps);

 private:
  Shelf back_;
  Shelf front_{5, &back_};
};

}  // namespace tern
