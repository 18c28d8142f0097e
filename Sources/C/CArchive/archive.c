#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <wchar.h>

/* The library's own calls of these functions must not bind here. The headers above, which its header
   includes too, are of the C library and stay as they are. */
#pragma GCC visibility push(hidden)
#include "CArchive.h"
#pragma GCC visibility pop
#include "CLoading.h"

/* The version of its interface since libarchive 3.0. */
static struct loading_library library = {.name = "libarchive.so.13"};

void archive_load(void) { loading_load(&library); }

/* A function that passes its arguments to the library's function of the same name. */
#define FUNCTION(result, name, parameters, arguments) \
    result name parameters \
    { \
        static void *place; \
        return ((result (*) parameters)loading_find(&library, &place, #name)) arguments; \
    }
#define ARCHIVE(result, name) FUNCTION(result, name, (struct archive *a), (a))
#define ENTRY(result, name) FUNCTION(result, name, (struct archive_entry *e), (e))

FUNCTION(struct archive *, archive_read_new, (void), ())
ARCHIVE(int, archive_read_free)
ARCHIVE(int, archive_read_support_filter_bzip2)
ARCHIVE(int, archive_read_support_filter_gzip)
ARCHIVE(int, archive_read_support_filter_lz4)
ARCHIVE(int, archive_read_support_filter_xz)
ARCHIVE(int, archive_read_support_filter_zstd)
ARCHIVE(int, archive_read_support_format_empty)
ARCHIVE(int, archive_read_support_format_raw)
ARCHIVE(int, archive_read_support_format_tar)
ARCHIVE(int, archive_read_support_format_zip)
FUNCTION(int, archive_read_open_fd, (struct archive *a, int file, size_t block), (a, file, block))
FUNCTION(int, archive_read_next_header, (struct archive *a, struct archive_entry **e), (a, e))
FUNCTION(la_ssize_t, archive_read_data, (struct archive *a, void *to, size_t count), (a, to, count))

FUNCTION(struct archive *, archive_write_new, (void), ())
ARCHIVE(int, archive_write_free)
ARCHIVE(int, archive_write_fail)
ARCHIVE(int, archive_write_close)
ARCHIVE(int, archive_write_add_filter_bzip2)
ARCHIVE(int, archive_write_add_filter_gzip)
ARCHIVE(int, archive_write_add_filter_xz)
ARCHIVE(int, archive_write_add_filter_zstd)
ARCHIVE(int, archive_write_set_format_pax_restricted)
ARCHIVE(int, archive_write_set_format_raw)
ARCHIVE(int, archive_write_set_format_zip)
ARCHIVE(int, archive_write_zip_set_compression_deflate)
ARCHIVE(int, archive_write_finish_entry)
FUNCTION(int, archive_write_set_bytes_per_block, (struct archive *a, int count), (a, count))
FUNCTION(int, archive_write_set_bytes_in_last_block, (struct archive *a, int count), (a, count))
FUNCTION(
    int, archive_write_set_format_option,
    (struct archive *a, const char *module, const char *option, const char *value),
    (a, module, option, value))
FUNCTION(int, archive_write_open_fd, (struct archive *a, int file), (a, file))
FUNCTION(
    int, archive_write_open_memory,
    (struct archive *a, void *to, size_t count, size_t *used), (a, to, count, used))
FUNCTION(int, archive_write_header, (struct archive *a, struct archive_entry *e), (a, e))
FUNCTION(
    la_ssize_t, archive_write_data, (struct archive *a, const void *from, size_t count),
    (a, from, count))

ARCHIVE(int, archive_errno)
ARCHIVE(const char *, archive_error_string)
ARCHIVE(int, archive_filter_count)
ARCHIVE(int, archive_format)

FUNCTION(struct archive_entry *, archive_entry_new, (void), ())
ENTRY(struct archive_entry *, archive_entry_clear)
ENTRY(__LA_MODE_T, archive_entry_filetype)
ENTRY(const char *, archive_entry_hardlink)
ENTRY(int, archive_entry_is_data_encrypted)
ENTRY(const char *, archive_entry_pathname)
ENTRY(const char *, archive_entry_pathname_utf8)
ENTRY(la_int64_t, archive_entry_size)
ENTRY(int, archive_entry_size_is_set)

/* Functions without a result. */
#define SETTER(name, parameters, arguments) \
    void name parameters \
    { \
        static void *place; \
        ((void (*) parameters)loading_find(&library, &place, #name)) arguments; \
    }

SETTER(archive_entry_free, (struct archive_entry *e), (e))
SETTER(archive_entry_set_filetype, (struct archive_entry *e, unsigned int type), (e, type))
SETTER(archive_entry_set_mtime, (struct archive_entry *e, time_t time, long part), (e, time, part))
SETTER(archive_entry_set_pathname, (struct archive_entry *e, const char *name), (e, name))
SETTER(archive_entry_set_perm, (struct archive_entry *e, __LA_MODE_T mode), (e, mode))
SETTER(archive_entry_set_size, (struct archive_entry *e, la_int64_t size), (e, size))
