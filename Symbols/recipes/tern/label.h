#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* A shelf label for `name`, to be freed by the caller. */
char *tern_label_make(const char *name);

#ifdef __cplusplus
}
#endif
