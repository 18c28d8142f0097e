// What things cost at the desk.
const prices = new Map([
  ["ferry", { cents: 450 }],
  ["rowing boat", { cents: 900 }],
]);

export function priceOf(item) {
  return prices.get(item).cents;
}
