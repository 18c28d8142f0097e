#include "rules.h"

#include <cstring>

namespace tern {

static Rule* lookUp(const char* code) {
  Rule* rule = new Rule;
  if (std::strcmp(code, "SPRING") == 0) *rule = {10, 1000};
  return rule;
}

static inline bool applies(const Rule& rule, Money total) { return total.cents >= rule.least; }

Money discount(const char* code, Money total) {
  const Rule* rule = lookUp(code);
  Money off;
  if (applies(*rule, total)) off = {total.cents * rule->percent / 100};
  delete rule;
  return off;
}

static inline int bonus(int total, int factor) { return total * factor; }

int points(int total, int level) {
  const int factor = 1 << level;
  return bonus(total, factor) + level;
}

}  // namespace tern
