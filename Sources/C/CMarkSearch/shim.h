#pragma once
/* The inner loop of a search for many marks: Swift has no instruction that looks sixteen bytes up in a table. */
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Three bytes in a row that may be part of a mark: those before a place, at it and after it. Marks are divided into
   eight groups, a bit each; a byte is looked up by its lower and its upper half. */
struct mark_tables {
    uint8_t lower[3][16];
    uint8_t upper[3][16];
    /* For each byte, its row in `pairs`; 255 for one at which no mark can be. */
    uint8_t rows[256];
};

/* Bits of a row: one for each pair of a byte before a place and one after it. */
enum { mark_row_words = 1 << 10 };

/* Whether the bytes around `place` match a mark; a byte outside the text counts as 0. */
static inline int mark_fits(const struct mark_tables *tables, const uint64_t *pairs, const uint8_t *text,
                            size_t place, size_t count)
{
    uint8_t row = tables->rows[text[place]];
    if (row == 255) return 0;
    size_t before = place > 0 ? text[place - 1] : 0;
    size_t after = place + 1 < count ? text[place + 1] : 0;
    size_t pair = before << 8 | after;
    return pairs[row * mark_row_words + (pair >> 6)] >> (pair & 63) & 1;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline __m256i mark_groups(const struct mark_tables *tables, int which,
                                                                  const uint8_t *text)
{
    const __m256i half = _mm256_set1_epi8(15);
    __m256i lower = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)tables->lower[which]));
    __m256i upper = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)tables->upper[which]));
    __m256i bytes = _mm256_loadu_si256((const __m256i *)text);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
    return _mm256_and_si256(_mm256_shuffle_epi8(lower, _mm256_and_si256(bytes, half)),
                            _mm256_shuffle_epi8(upper, high));
}

/* Sets *place to the first place that may be a mark and returns 1, or to the start of the rest and returns 0. */
__attribute__((target("avx2"))) static inline int mark_next_block(const struct mark_tables *tables,
                                                                  const uint64_t *pairs, const uint8_t *text,
                                                                  size_t *place, size_t count)
{
    size_t index = *place;
    while (count - index > 32) {
        __m256i groups = _mm256_and_si256(
            _mm256_and_si256(mark_groups(tables, 0, text + index - 1), mark_groups(tables, 1, text + index)),
            mark_groups(tables, 2, text + index + 1));
        uint32_t hits = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, _mm256_setzero_si256()));
        for (; hits; hits &= hits - 1) {
            *place = index + (size_t)__builtin_ctz(hits);
            if (mark_fits(tables, pairs, text, *place, count)) return 1;
        }
        index += 32;
    }
    *place = index;
    return 0;
}
#elif defined(__aarch64__)
static inline uint8x16_t mark_groups(const struct mark_tables *tables, int which, const uint8_t *text)
{
    uint8x16_t bytes = vld1q_u8(text);
    return vandq_u8(vqtbl1q_u8(vld1q_u8(tables->lower[which]), vandq_u8(bytes, vdupq_n_u8(15))),
                    vqtbl1q_u8(vld1q_u8(tables->upper[which]), vshrq_n_u8(bytes, 4)));
}

static inline int mark_next_block(const struct mark_tables *tables, const uint64_t *pairs, const uint8_t *text,
                                  size_t *place, size_t count)
{
    size_t index = *place;
    while (count - index > 16) {
        uint8x16_t groups = vandq_u8(
            vandq_u8(mark_groups(tables, 0, text + index - 1), mark_groups(tables, 1, text + index)),
            mark_groups(tables, 2, text + index + 1));
        if (vmaxvq_u8(groups)) {
            for (size_t end = index + 16, at = index; at < end; at++) {
                *place = at;
                if (mark_fits(tables, pairs, text, at, count)) return 1;
            }
        }
        index += 16;
    }
    *place = index;
    return 0;
}
#endif

/* The first place at or after `start` where the bytes around it match a mark; `count` where there is none. */
static inline size_t mark_next(const struct mark_tables *tables, const uint64_t *pairs, const uint8_t *text,
                               size_t start, size_t count)
{
    size_t place = start;
    if (place == 0 && count > 0) {
        if (mark_fits(tables, pairs, text, 0, count)) return 0;
        place = 1;
    }
    if (place >= count) return count;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && mark_next_block(tables, pairs, text, &place, count)) return place;
#elif defined(__aarch64__)
    if (mark_next_block(tables, pairs, text, &place, count)) return place;
#endif
    for (; place < count; place++) {
        if (mark_fits(tables, pairs, text, place, count)) return place;
    }
    return count;
}
