#include "ledger.h"

#include "system.h"

namespace tern {

Receipt* Ledger::write(Money total) {
  day_.cents += total.cents;
  return new Receipt{total, "thank you", nullptr};
}

void Ledger::discard(Receipt* receipt) { delete receipt; }

int Ledger::print(const Receipt* receipt) const { return puts(firstLine(receipt)); }

static inline void invariant(bool holds) {
  if (!holds) abort();
}

void Ledger::audit(Money drawer) const { invariant(drawer.cents == day_.cents); }

static inline unsigned await(unsigned seconds) { return sleep(seconds); }

int Ledger::send(int seconds) {
  int left = 0;
  while (day_.cents >= 0) left += await(seconds);
  return left;
}

}  // namespace tern
