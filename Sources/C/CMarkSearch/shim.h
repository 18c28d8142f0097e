#pragma once
/* The inner loop of a search for many marks: Swift has no instruction that looks sixteen bytes up in a table. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* The bytes of a window: those from two before an anchor to two after it. */
enum { mark_window = 5, mark_window_before = 2, mark_window_after = 2 };

/* The most sets of groups. */
enum { mark_most_sets = 4 };

/* The windows of marks. Marks are divided into groups, eight to a set, a bit each; each byte of a window is looked
   up by its lower and its upper half. */
struct mark_tables {
    uint8_t lower[mark_most_sets][mark_window][16];
    uint8_t upper[mark_most_sets][mark_window][16];
    /* The number of sets that have groups, at least one. */
    uint8_t sets;
    /* For each byte, the index of the row of the marks with this anchor; 255 if there are none. */
    uint8_t rows[256];
};

/* The marks with one anchor. */
struct mark_row {
    /* The index of the first entry. The entries are in the order of their marks. */
    uint16_t entries;
    /* The number of words that hold a bit for each entry. */
    uint16_t words;
    /* The index of the row's first word: three times 256 sets of entries, those that allow each byte before the
       anchor, as the first one after it and as the second one after it. */
    uint32_t bits;
};

struct mark_entry {
    const uint8_t *text;
    uint16_t length;
    /* The offset of the anchor in the text. */
    uint16_t anchor;
    /* The index in the list of marks. */
    uint16_t mark;
    /* Whether a type name is before the mark. */
    uint8_t after_type;
};

struct mark_search {
    const struct mark_tables *tables;
    const struct mark_row *rows;
    const uint64_t *bits;
    const struct mark_entry *entries;
};

/* A mark in a text: the position of its anchor and its entry. */
struct mark_found {
    size_t anchor;
    const struct mark_entry *entry;
};

static inline int mark_is_letter(uint8_t byte) { return (uint8_t)((byte | 0x20) - 'a') < 26; }

static inline int mark_is_digit(uint8_t byte) { return (uint8_t)(byte - '0') < 10; }

static inline int mark_is_type_byte(uint8_t byte)
{
    return mark_is_letter(byte) || mark_is_digit(byte) || byte == '.' || byte == '_' || byte == '`'
        || byte == '+' || byte == '$' || byte >= 0x80;
}

/* Whether a type name may end before `place`; few words do that are none. It is the first part of what
   `ExceptionLine.isPossible` asks, which decides. */
static inline int mark_may_follow_type(const uint8_t *text, size_t place)
{
    if (place == 0) return 0;
    size_t end = place;
    uint8_t last = text[place - 1];
    if (last == ']' || last == ')') {
        /* A code in brackets. */
        uint8_t open = last == ']' ? '[' : '(';
        size_t index = place - 1;
        while (index > 0 && place - index < 64 && text[index] != open) index--;
        if (text[index] != open) return 1;
        /* The number of a process, as in `sshd[4711]:`, not a code. */
        if (open == '[' && index > 0 && text[index - 1] != ' ') {
            size_t digit = index + 1;
            while (mark_is_digit(text[digit])) digit++;
            if (digit > index + 1 && digit == place - 1) return 0;
        }
        end = index > 0 && text[index - 1] == ' ' ? index - 1 : index;
    }
    size_t start = end;
    size_t part = end;
    while (start > 0 && end - start < 512 && mark_is_type_byte(text[start - 1])) {
        start--;
        if (part == end && text[start] == '.') part = start + 1;
    }
    if (end - start < 3 || text[start] == '.' || mark_is_digit(text[start])) return 0;
    if (start > 0) {
        uint8_t before = text[start - 1];
        if (before >= 33 && before != '[' && before != '|' && before != '>' && before != ':' && before != '"'
            && before != '\'')
            return 0;
    }
    uint8_t first = text[part == end ? start : part];
    if (first >= 0x80 || first == '_' || (mark_is_letter(first) && !(first & 0x20))) return 1;
    /* The words for errors: Exception, Error, Fault, Rejection, Failure. */
    uint8_t final = text[end - 1];
    return final == 'n' || final == 'r' || final == 't' || final == 'e';
}

/* The entries of a word, as bits, whose marks may have three bytes around an anchor. */
static inline uint64_t mark_candidates(const struct mark_search *search, const struct mark_row *row, size_t word,
                                       uint8_t before, uint8_t first, uint8_t second)
{
    const uint64_t *bits = search->bits + row->bits + word;
    return bits[before * row->words] & bits[(256 + first) * row->words] & bits[(512 + second) * row->words];
}

/* Sets `found` to the first mark after the mark `earliest` whose anchor is at `place`, and returns 1; returns 0 if
   there is none. A byte outside the text counts as 0. */
static inline int mark_at(const struct mark_search *search, const uint8_t *text, size_t place, size_t count,
                          int earliest, struct mark_found *found)
{
    uint8_t number = search->tables->rows[text[place]];
    if (number == 255) return 0;
    const struct mark_row *row = &search->rows[number];
    uint8_t before = place > 0 ? text[place - 1] : 0;
    uint8_t first = place + 1 < count ? text[place + 1] : 0;
    uint8_t second = place + 2 < count ? text[place + 2] : 0;
    int follows_type = -1;
    for (size_t word = 0; word < row->words; word++) {
        uint64_t left = mark_candidates(search, row, word, before, first, second);
        for (; left; left &= left - 1) {
            const struct mark_entry *entry =
                &search->entries[row->entries + word * 64 + (size_t)__builtin_ctzll(left)];
            if ((int)entry->mark <= earliest || place < entry->anchor
                || entry->length > count - (place - entry->anchor))
                continue;
            /* The candidates have the right bytes from the one before the anchor to the second one after it. */
            if ((entry->anchor > 1 || entry->length - entry->anchor > 3)
                && memcmp(text + place - entry->anchor, entry->text, entry->length) != 0)
                continue;
            if (entry->after_type) {
                if (follows_type < 0) follows_type = mark_may_follow_type(text, place);
                if (!follows_type) continue;
            }
            found->anchor = place;
            found->entry = entry;
            return 1;
        }
    }
    return 0;
}

/* Whether a mark may have its anchor at `place`, which is neither the first nor one of the last two bytes. */
static inline int mark_may_be_at(const struct mark_search *search, const uint8_t *text, size_t place)
{
    uint8_t number = search->tables->rows[text[place]];
    if (number == 255) return 0;
    const struct mark_row *row = &search->rows[number];
    for (size_t word = 0; word < row->words; word++) {
        if (mark_candidates(search, row, word, text[place - 1], text[place + 1], text[place + 2])) return 1;
    }
    return 0;
}

#if defined(__x86_64__)
enum { mark_block = 64 };

/* The positions from `text` on, as bits, whose windows match those of a group in the first `sets` sets. */
__attribute__((target("avx2"), always_inline)) static inline uint64_t
mark_windows_in(const struct mark_tables *tables, int sets, const uint8_t *text)
{
    const __m256i half = _mm256_set1_epi8(15);
    __m256i first[mark_most_sets], second[mark_most_sets];
#pragma clang loop unroll(full)
    for (int place = 0; place < mark_window; place++) {
        const uint8_t *bytes = text + place - mark_window_before;
        __m256i one = _mm256_loadu_si256((const __m256i *)bytes);
        __m256i two = _mm256_loadu_si256((const __m256i *)(bytes + 32));
        __m256i one_low = _mm256_and_si256(one, half);
        __m256i two_low = _mm256_and_si256(two, half);
        __m256i one_high = _mm256_and_si256(_mm256_srli_epi16(one, 4), half);
        __m256i two_high = _mm256_and_si256(_mm256_srli_epi16(two, 4), half);
#pragma clang loop unroll(full)
        for (int set = 0; set < sets; set++) {
            __m256i lower =
                _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)tables->lower[set][place]));
            __m256i upper =
                _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)tables->upper[set][place]));
            one = _mm256_and_si256(_mm256_shuffle_epi8(lower, one_low), _mm256_shuffle_epi8(upper, one_high));
            two = _mm256_and_si256(_mm256_shuffle_epi8(lower, two_low), _mm256_shuffle_epi8(upper, two_high));
            first[set] = place == 0 ? one : _mm256_and_si256(first[set], one);
            second[set] = place == 0 ? two : _mm256_and_si256(second[set], two);
        }
    }
#pragma clang loop unroll(full)
    for (int set = 1; set < sets; set++) {
        first[0] = _mm256_or_si256(first[0], first[set]);
        second[0] = _mm256_or_si256(second[0], second[set]);
    }
    const __m256i none = _mm256_setzero_si256();
    uint32_t others = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(first[0], none));
    uint32_t further = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(second[0], none));
    return ~((uint64_t)further << 32 | others);
}

/* Searches blocks from `*start` on, which is not in the first two bytes. Sets `found` and returns 1, or sets `*start`
   to the start of the rest and returns 0. */
__attribute__((target("avx2"), always_inline)) static inline int
mark_next_block_in(const struct mark_search *search, int sets, const uint8_t *text, size_t *start, size_t count,
                   struct mark_found *found)
{
    size_t index = *start;
    while (count - index >= mark_block + mark_window_after) {
        uint64_t hits = mark_windows_in(search->tables, sets, text + index);
        for (; hits; hits &= hits - 1) {
            size_t place = index + (size_t)__builtin_ctzll(hits);
            if (mark_may_be_at(search, text, place) && mark_at(search, text, place, count, -1, found)) return 1;
        }
        index += mark_block;
    }
    *start = index;
    return 0;
}

__attribute__((target("avx2"))) static inline int mark_next_block(const struct mark_search *search,
                                                                  const uint8_t *text, size_t *start,
                                                                  size_t count, struct mark_found *found)
{
    /* The number of sets is a constant in each loop, so that the groups stay in registers. */
    switch (search->tables->sets) {
    case 1: return mark_next_block_in(search, 1, text, start, count, found);
    case 2: return mark_next_block_in(search, 2, text, start, count, found);
    case 3: return mark_next_block_in(search, 3, text, start, count, found);
    default: return mark_next_block_in(search, 4, text, start, count, found);
    }
}
#elif defined(__aarch64__)
enum { mark_block = 16 };

static inline uint8x16_t mark_windows(const struct mark_tables *tables, const uint8_t *text)
{
    uint8x16_t any = vdupq_n_u8(0);
    for (int set = 0; set < tables->sets; set++) {
        uint8x16_t groups = vdupq_n_u8(255);
        for (int place = 0; place < mark_window; place++) {
            uint8x16_t bytes = vld1q_u8(text + place - mark_window_before);
            uint8x16_t low = vqtbl1q_u8(vld1q_u8(tables->lower[set][place]), vandq_u8(bytes, vdupq_n_u8(15)));
            uint8x16_t high = vqtbl1q_u8(vld1q_u8(tables->upper[set][place]), vshrq_n_u8(bytes, 4));
            groups = vandq_u8(groups, vandq_u8(low, high));
        }
        any = vorrq_u8(any, groups);
    }
    return any;
}

static inline int mark_next_block(const struct mark_search *search, const uint8_t *text, size_t *start,
                                  size_t count, struct mark_found *found)
{
    size_t index = *start;
    while (count - index >= mark_block + mark_window_after) {
        if (vmaxvq_u8(mark_windows(search->tables, text + index))) {
            for (size_t at = index; at < index + mark_block; at++) {
                if (mark_may_be_at(search, text, at) && mark_at(search, text, at, count, -1, found)) return 1;
            }
        }
        index += mark_block;
    }
    *start = index;
    return 0;
}
#endif

/* The first mark whose anchor is at or after `start`, in the order of the anchors and, at one, of the marks. Its
   entry is NULL if there is none.

   At `start` itself, only marks after `earliest` are found; -1 for all. */
static inline struct mark_found mark_next(const struct mark_search *search, const uint8_t *text, size_t start,
                                          size_t count, int earliest)
{
    struct mark_found found = {count, NULL};
    if (start >= count) return found;
    if (mark_at(search, text, start, count, earliest, &found)) return found;
    size_t place = start + 1;
    for (; place < mark_window_before && place < count; place++) {
        if (mark_at(search, text, place, count, -1, &found)) return found;
    }
    if (place >= count) return found;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && mark_next_block(search, text, &place, count, &found)) return found;
#elif defined(__aarch64__)
    if (mark_next_block(search, text, &place, count, &found)) return found;
#endif
    for (; place < count; place++) {
        if (mark_at(search, text, place, count, -1, &found)) return found;
    }
    return found;
}
