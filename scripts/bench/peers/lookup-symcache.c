// Looks offsets up in a symbol cache of symbolic's through its C interface, in a loop, and prints how
// many a second in each pass: lookup-symcache LIBRARY SYMCACHE OFFSETS
//
// The types are those of the library of symbolic 13.9.

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
  char *data;
  uintptr_t length;
  bool owned;
} Text;

typedef struct {
  uint64_t symbol_address, instruction_address;
  uint32_t line;
  Text language, symbol, path;
} Place;

typedef struct {
  Place *items;
  uintptr_t count;
} Answer;

static double processor_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void *needed(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    fprintf(stderr, "no %s\n", name);
    exit(1);
  }
  return function;
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void *(*open_cache)(const char *) = needed(library, "symbolic_symcache_open");
  Answer (*look_up)(const void *, uint64_t) = needed(library, "symbolic_symcache_lookup");
  void (*give_back)(Answer *) = needed(library, "symbolic_lookup_result_free");
  void *cache = open_cache(arguments[2]);
  FILE *file = fopen(arguments[3], "r");
  if (!cache || !file) return 1;
  size_t size = 0, room = 1 << 16;
  uint64_t *offsets = malloc(room * sizeof *offsets);
  unsigned long long offset;
  while (offsets && fscanf(file, "%llx", &offset) == 1) {
    if (size == room) offsets = realloc(offsets, (room *= 2) * sizeof *offsets);
    if (offsets) offsets[size++] = offset;
  }
  if (!offsets) return 1;
  for (int pass = 1; pass <= 3; ++pass) {
    size_t frames = 0;
    double start = processor_time();
    for (size_t index = 0; index < size; ++index) {
      Answer answer = look_up(cache, offsets[index]);
      frames += answer.count;
      give_back(&answer);
    }
    double time = processor_time() - start;
    printf("pass%d_lookups_per_second %.0f\n", pass, (double)size / (time > 1e-6 ? time : 1e-6));
    printf("frames_per_lookup %f\n", (double)frames / (double)(size ? size : 1));
  }
  return 0;
}
