#pragma once

namespace tern {

/// An amount in the smallest unit of the currency.
struct Money {
  long cents = 0;
};

inline Money operator+(Money a, Money b) { return {a.cents + b.cents}; }
inline bool operator==(Money a, Money b) { return a.cents == b.cents; }

inline Money times(Money unit, int count) { return {unit.cents * count}; }

}  // namespace tern
