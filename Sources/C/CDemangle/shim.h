#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

// libiberty hands its output to a callback in pieces. A short mangled name can stand for an output
// that doubles with each back reference, so the collector must be able to stop the demangler, and
// only a jump can: the demanglers keep their state on the stack.

struct demangle_sink {
  jmp_buf stop;
  char *buffer;
  size_t capacity;
  size_t count;
};

static inline void demangle_collect(const char *piece, size_t count, void *opaque) {
  struct demangle_sink *sink = (struct demangle_sink *)opaque;
  if (count > sink->capacity - sink->count) longjmp(sink->stop, 1);
  memcpy(sink->buffer + sink->count, piece, count);
  sink->count += count;
}

/// Writes the demangled text of a Rust name into `buffer`. Returns the number of bytes, -1 when it is not
/// such a name, -2 when the text does not fit.
static inline long rust_demangle_into(const char *name, char *buffer, size_t capacity) {
  struct demangle_sink sink;
  sink.buffer = buffer;
  sink.capacity = capacity;
  sink.count = 0;
  if (setjmp(sink.stop)) return -2;
  return rust_demangle_callback(name, 0, demangle_collect, &sink) ? (long)sink.count : -1;
}
