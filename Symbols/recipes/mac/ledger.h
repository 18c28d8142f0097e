#pragma once

#include "basket.h"

namespace tern {

struct Receipt {
  Money total;
  const char* text;
  Receipt* previous;
};

inline const char* firstLine(const Receipt* receipt) { return receipt->previous->text; }

class Ledger {
 public:
  Receipt* write(Money total);
  void discard(Receipt* receipt);
  int print(const Receipt* receipt) const;
  void audit(Money drawer) const;
  int send(int seconds);

 private:
  Money day_;
};

}  // namespace tern
