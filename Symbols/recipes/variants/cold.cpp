// Functions whose unlikely half the compiler moves away: their ranges have two parts.
#include <stdexcept>
#include <string>

struct Berth {
  int length;
  int taken;
};

__attribute__((noinline)) int moor(Berth& berth, int length) {
  if (__builtin_expect(length > berth.length, 0)) {
    throw std::invalid_argument("too long by " + std::to_string(length - berth.length));
  }
  if (__builtin_expect(berth.taken != 0, 0)) {
    berth.taken = -berth.taken;
    throw std::runtime_error("taken since " + std::to_string(berth.taken));
  }
  berth.taken = length;
  return berth.length - length;
}

static inline int tryToMoor(Berth& berth, int length) {
  try {
    return moor(berth, length);
  } catch (const std::runtime_error& error) {
    return static_cast<int>(std::string(error.what()).size());
  }
}

int main(int count, char**) {
  Berth berth{12, 0};
  int left = 0;
  for (int i = 0; i < count + 2; ++i) left += tryToMoor(berth, 5 + count);
  return left;
}
