// tern, a till: charges a basket in which a price is missing.
class Basket {
  constructor(items) { this.items = items; }
  total() { return this.items.map((item) => item.price.cents).reduce((a, b) => a + b); }
}
class PaymentError extends Error { name = 'PaymentError'; }
function charge(basket) {
  try {
    return basket.total();
  } catch (error) {
    throw Object.assign(new PaymentError('checkout failed', { cause: error }), { code: 'E_DECLINED' });
  }
}
const basket = new Basket([{ price: { cents: 120 } }, { pencil: true }]);
if (process.argv[2] === 'heap') {
  const all = [];
  for (;;) all.push(new Array(1e5).fill({ basket }));
}
charge(basket);
