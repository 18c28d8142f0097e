#include <ini.h>

/* The library's settings are global variables, which Swift treats as a race; they are set once, before
   the first file is read. A value is the rest of its line: no comment is cut off, and an indented line does
   not continue the one before. Source: ini.h of inih 55. */
static inline void mayday_ini_configure(int longest_line) {
  ini_max_line = longest_line;
  ini_allow_multiline = false;
  ini_allow_inline_comments = false;
  ini_stop_on_first_error = true;
}
