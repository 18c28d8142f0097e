#include "label.h"

#include <stdlib.h>

enum { label_size = 24 };

static inline char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static inline void copy_upper(char *to, const char *from) {
  while (*from) *to++ = upper(*from++);
  *to = 0;
}

char *tern_label_make(const char *name) {
  char *label = malloc(label_size);
  if (label) copy_upper(label, name);
  return label;
}
