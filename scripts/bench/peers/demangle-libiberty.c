// Names from standard input, demangled by libiberty; prints how many a second.
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char buffer[65536];
static size_t count, total;

static void collect(const char *piece, size_t length, void *opaque) {
  (void)opaque;
  if (length > sizeof buffer - count) return;
  memcpy(buffer + count, piece, length);
  count += length;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  char *line = NULL, **names = NULL;
  size_t capacity = 0, found = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    line[strcspn(line, "\n")] = 0;
    if (!(found & (found + 1))) names = realloc(names, (2 * found + 2) * sizeof *names);
    names[found++] = strdup(line);
  }
  clock_t start = clock();
  for (int round = 0; round < rounds; round++)
    for (size_t index = 0; index < found; index++) {
      count = 0;
      if (!cplus_demangle_v3_callback(names[index], DMGL_PARAMS | DMGL_TYPES, collect, NULL)) continue;
      // A caller keeps the text.
      char *text = malloc(count + 1);
      memcpy(text, buffer, count);
      total += count;
      free(text);
    }
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("names_per_second %.0f\nbytes %zu\n", rounds * found / seconds, total);
}
