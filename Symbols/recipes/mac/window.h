#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Shows the window and does what the button says with what the field holds. */
int tern_window_run(const char *button, const char *field);

#ifdef __cplusplus
}
#endif
