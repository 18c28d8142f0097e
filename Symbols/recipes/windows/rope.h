#pragma once

namespace harbour {

inline int stretch(int length, int weight) {
  if (weight > tide_sink) {
    tide_sink = weight;
    return length + weight / 2;
  }
  return length;
}

struct Rope {
  int length;
  int strands;

  int slack() const { return length - stretch(length, strands); }
  int pull(int weight) {
    length = stretch(length, weight) - 1;
    return length * strands;
  }
};

}  // namespace harbour
