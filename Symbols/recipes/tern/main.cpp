// tern: a till for a small shop, with a bug behind every other command.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "label.h"
#include "order.h"
#include "rules.h"
#include "stock.h"

namespace tern {

using Arguments = std::vector<std::string>;

static int number(const Arguments& arguments, size_t index, int otherwise) {
  return index < arguments.size() ? std::atoi(arguments[index].c_str()) : otherwise;
}

static const std::string& word(const Arguments& arguments, size_t index) {
  static const std::string none = "none";
  return index < arguments.size() ? arguments[index] : none;
}

static int sell(const Arguments& arguments) {
  const Catalog catalog;
  Basket basket;
  for (const std::string& sku : arguments) basket.add(catalog, sku, 1);
  std::printf("%ld\n", basket.total().cents);
  return 0;
}

static int label(const Arguments& arguments) {
  char* text = tern_label_make(word(arguments, 0).c_str());
  std::puts(text);
  std::free(text);
  return 0;
}

static int cancel(const Arguments& arguments) {
  OrderBook book;
  Order* order = book.open(word(arguments, 0));
  book.cancel(order);
  book.printReceipt(order);
  return 0;
}

static int tree(const Arguments& arguments) {
  const Catalog catalog;
  std::printf("%d\n", catalog.columnWidth(word(arguments, 0), 0));
  return 0;
}

static int audit(const Arguments& arguments) {
  OrderBook book;
  book.audit({number(arguments, 0, 0)});
  return 0;
}

static int price(const Arguments& arguments) {
  const Catalog catalog;
  std::printf("%ld\n", catalog.listPrice(word(arguments, 0)).cents);
  return 0;
}

static int restock(const Arguments& arguments) {
  Stock stock;
  stock.restock(number(arguments, 0, 1000));
  return 0;
}

static int pick(const Arguments& arguments) {
  Stock stock;
  stock.pick(number(arguments, 0, 1));
  return 0;
}

static int discounted(const Arguments& arguments) {
  const Money off = discount(word(arguments, 0).c_str(), {5000});
  std::printf("%ld\n", off.cents);
  return 0;
}

static int loyalty(const Arguments& arguments) {
  std::printf("%d\n", points(number(arguments, 0, 100), number(arguments, 1, 1)));
  return 0;
}

static int archive(const Arguments& arguments) {
  OrderBook book;
  Order* order = book.open(word(arguments, 0));
  book.archive(order);
  book.cancel(order);
  return 0;
}

struct Command {
  const char* name;
  int (*run)(const Arguments&);
};

static int batch(const Arguments& arguments);

static const Command commands[] = {
    {"sell", sell},         {"label", label},          {"cancel", cancel},   {"tree", tree},
    {"audit", audit},       {"price", price},          {"restock", restock}, {"pick", pick},
    {"discount", discounted}, {"points", loyalty},     {"archive", archive}, {"batch", batch},
};

static int dispatch(const std::string& name, const Arguments& arguments) {
  for (const Command& command : commands) {
    if (name == command.name) return command.run(arguments);
  }
  std::fprintf(stderr, "tern: no command %s\n", name.c_str());
  return 2;
}

/// `tern batch COMMAND...`: the same command, one step further from main.
static int batch(const Arguments& arguments) {
  const int status = dispatch(word(arguments, 0), {arguments.begin() + 1, arguments.end()});
  std::printf("batch: %d\n", status);
  return status;
}

}  // namespace tern

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: tern COMMAND [ARGUMENT...]\n", stderr);
    return 2;
  }
  const int status = tern::dispatch(argv[1], {argv + 2, argv + argc});
  std::fflush(stdout);
  return status;
}
