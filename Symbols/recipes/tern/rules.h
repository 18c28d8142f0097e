#pragma once

#include "money.h"

namespace tern {

struct Rule {
  int percent;
  int least;
};

/// What `code` takes off `total`.
Money discount(const char* code, Money total);

/// Loyalty points for `total`, `level` being the customer's.
int points(int total, int level);

}  // namespace tern
