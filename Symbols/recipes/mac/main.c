#include "window.h"

int main(int argc, char **argv) {
  int status = 0;
  for (int i = 1; i + 1 < argc; i += 2) status |= tern_window_run(argv[i], argv[i + 1]);
  return status;
}
