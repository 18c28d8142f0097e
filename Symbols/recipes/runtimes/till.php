<?php
// tern, a till: charges a basket in which a price is missing.
namespace Tern;

class PaymentError extends \Exception {}

class Basket {
  public function __construct(private array $items) {}

  public function total(): int {
    return array_sum(array_map(fn($item) => intdiv($item['price'], $item['count']), $this->items));
  }
}

function charge(Basket $basket): int {
  try {
    return $basket->total();
  } catch (\DivisionByZeroError $error) {
    throw new PaymentError('checkout failed', 0, $error);
  }
}

charge(new Basket([['price' => 120, 'count' => 2], ['price' => 80, 'count' => 0]]));
