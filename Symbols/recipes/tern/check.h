#pragma once

#include <cstdio>
#include <cstdlib>

namespace tern {

/// Stops the program when the books are wrong; nothing sold from here on could be trusted.
inline void invariant(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "tern: invariant broken: %s\n", what);
  std::abort();
}

}  // namespace tern
