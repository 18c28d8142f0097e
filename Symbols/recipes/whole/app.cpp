// Reads through a null pointer in the first instruction of a function, as skiff does, without a system's headers.
struct Item { long long pad[8]; long long price; };
extern "C" void abort(void);
__attribute__((noinline)) long long taxOf(const Item *item) { return item->pad[1] / 5; }
__attribute__((noinline)) long long priceOf(const Item *item) { return item->price * 3; }
__attribute__((noinline)) long long total(const Item **items, int count) {
  long long sum = 0;
  for (int index = 0; index < count; index++) sum += priceOf(items[index]) + taxOf(items[index]);
  return sum;
}
extern "C" __attribute__((noinline)) void onSignal(int) { abort(); }
extern "C" __attribute__((noinline)) int sell(int count) {
  const Item *items[2] = {nullptr, nullptr};
  return (int)total(items, count + 1) & 1;
}
