#include "window.h"

#include "system.h"
#include "till.h"

namespace tern {

struct Event {
  const char* button;
  const char* field;
};

static inline bool pressed(const Event& event, const char* name) {
  return strcmp(event.button, name) == 0;
}

class Window {
 public:
  int handle(const Event& event);

 private:
  Till till_;
};

__attribute__((noinline)) int Window::handle(const Event& event) {
  if (pressed(event, "sell")) return till_.sell(event.field);
  if (pressed(event, "fill")) return till_.fill(event.field);
  if (pressed(event, "price")) return till_.showPrice(event.field);
  if (pressed(event, "close")) return till_.closeDay();
  if (pressed(event, "discount")) return till_.discount(event.field);
  if (pressed(event, "tree")) return till_.showTree(event.field);
  if (pressed(event, "receipt")) return till_.printReceipt();
  if (pressed(event, "pick")) return till_.pick();
  if (pressed(event, "sync")) return till_.synchronise();
  return -1;
}

}  // namespace tern

int tern_window_run(const char* button, const char* field) {
  tern::Window window;
  return window.handle({button, field});
}
