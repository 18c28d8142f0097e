#pragma once
/* The inner loops of a scan over columns: Swift has no words for a comparison of many numbers whose result
   is a bit each, and takes 2 to 20 times as long. A word has a bit for each of 64 rows, the lowest for the
   first. All functions set bits of `found` for rows that match, but only those that `live` has; the values
   of whole words must be readable. */
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define SEGMENT_AVX2 __attribute__((target("avx2"))) static inline
#define SEGMENT_HAS_AVX2 __builtin_cpu_supports("avx2")
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* A set of bytes as a search by halves: `rows[upper >> 3][lower]` has a bit for each `upper & 7`. */
struct segment_bytes {
    uint8_t rows[2][16];
};

static inline struct segment_bytes segment_bytes_make(const uint64_t set[4])
{
    struct segment_bytes bytes = {{{0}}};
    for (unsigned code = 0; code < 256; code++) {
        if (set[code >> 6] >> (code & 63) & 1)
            bytes.rows[code >> 7][code & 15] |= (uint8_t)(1u << (code >> 4 & 7));
    }
    return bytes;
}

#if defined(__x86_64__)
SEGMENT_AVX2 uint32_t segment_in_bytes_32(__m256i codes, __m256i low, __m256i high)
{
    const __m256i bits = _mm256_set1_epi64x((long long)0x8040201008040201);
    /* A byte with its upper bit set looks up zero. */
    __m256i others = _mm256_xor_si256(codes, _mm256_set1_epi8(-128));
    __m256i row = _mm256_or_si256(_mm256_shuffle_epi8(low, codes), _mm256_shuffle_epi8(high, others));
    __m256i half = _mm256_and_si256(_mm256_srli_epi16(codes, 4), _mm256_set1_epi8(15));
    __m256i bit = _mm256_shuffle_epi8(bits, half);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(row, bit), bit));
}

SEGMENT_AVX2 void segment_in_bytes_avx2(
        const uint8_t *codes, size_t words, const struct segment_bytes *set,
        const uint64_t *live, uint64_t *found)
{
    __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->rows[0]));
    __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->rows[1]));
    for (size_t word = 0; word < words; word++, codes += 64) {
        if (!live[word]) continue;
        uint64_t first = segment_in_bytes_32(_mm256_loadu_si256((const __m256i *)codes), low, high);
        uint64_t second = segment_in_bytes_32(_mm256_loadu_si256((const __m256i *)(codes + 32)), low, high);
        found[word] |= live[word] & (first | second << 32);
    }
}

SEGMENT_AVX2 void segment_in_range16_avx2(
        const uint16_t *values, size_t words, uint16_t least, uint16_t span,
        const uint64_t *live, uint64_t *found)
{
    __m256i base = _mm256_set1_epi16((short)least), most = _mm256_set1_epi16((short)span);
    for (size_t word = 0; word < words; word++, values += 64) {
        if (!live[word]) continue;
        uint64_t bits = 0;
        for (int part = 0; part < 2; part++) {
            const __m256i *place = (const __m256i *)(values + 32 * part);
            __m256i one = _mm256_sub_epi16(_mm256_loadu_si256(place), base);
            __m256i two = _mm256_sub_epi16(_mm256_loadu_si256(place + 1), base);
            one = _mm256_cmpeq_epi16(_mm256_min_epu16(one, most), one);
            two = _mm256_cmpeq_epi16(_mm256_min_epu16(two, most), two);
            __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(one, two), 0xd8);
            bits |= (uint64_t)(uint32_t)_mm256_movemask_epi8(both) << (32 * part);
        }
        found[word] |= live[word] & bits;
    }
}

SEGMENT_AVX2 void segment_in_range32_avx2(
        const uint32_t *values, size_t words, uint32_t least, uint32_t span,
        const uint64_t *live, uint64_t *found)
{
    __m256i base = _mm256_set1_epi32((int)least), most = _mm256_set1_epi32((int)span);
    for (size_t word = 0; word < words; word++, values += 64) {
        if (!live[word]) continue;
        uint64_t bits = 0;
        for (int part = 0; part < 8; part++) {
            __m256i row = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)(values + 8 * part)), base);
            row = _mm256_cmpeq_epi32(_mm256_min_epu32(row, most), row);
            bits |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(row)) << (8 * part);
        }
        found[word] |= live[word] & bits;
    }
}

SEGMENT_AVX2 void segment_in_range64_avx2(
        const uint64_t *values, size_t words, uint64_t least, uint64_t span,
        const uint64_t *live, uint64_t *found)
{
    /* Numbers without a sign are compared with their upper bit inverted, which is the same as adding it. */
    __m256i base = _mm256_set1_epi64x((long long)(least ^ 1ull << 63));
    __m256i most = _mm256_set1_epi64x((long long)(span ^ 1ull << 63));
    for (size_t word = 0; word < words; word++, values += 64) {
        if (!live[word]) continue;
        uint64_t outside = 0;
        for (int part = 0; part < 16; part++) {
            __m256i row = _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)(values + 4 * part)), base);
            row = _mm256_cmpgt_epi64(row, most);
            outside |= (uint64_t)(uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(row)) << (4 * part);
        }
        found[word] |= live[word] & ~outside;
    }
}

SEGMENT_AVX2 uint64_t segment_in_set_8(__m256i codes, const uint64_t *set)
{
    __m256i bits = _mm256_i32gather_epi32((const int *)set, _mm256_srli_epi32(codes, 5), 4);
    bits = _mm256_srlv_epi32(bits, _mm256_and_si256(codes, _mm256_set1_epi32(31)));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(bits, 31)));
}

SEGMENT_AVX2 void segment_in_set16_avx2(
        const uint16_t *codes, size_t words, const uint64_t *set, const uint64_t *live,
        uint64_t *found)
{
    for (size_t word = 0; word < words; word++, codes += 64) {
        if (!live[word]) continue;
        uint64_t bits = 0;
        for (int part = 0; part < 8; part++) {
            __m256i row = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(codes + 8 * part)));
            bits |= segment_in_set_8(row, set) << (8 * part);
        }
        found[word] |= live[word] & bits;
    }
}

SEGMENT_AVX2 void segment_in_set32_avx2(
        const uint32_t *codes, size_t words, const uint64_t *set, const uint64_t *live,
        uint64_t *found)
{
    for (size_t word = 0; word < words; word++, codes += 64) {
        if (!live[word]) continue;
        uint64_t bits = 0;
        for (int part = 0; part < 8; part++) {
            __m256i row = _mm256_loadu_si256((const __m256i *)(codes + 8 * part));
            bits |= segment_in_set_8(row, set) << (8 * part);
        }
        found[word] |= live[word] & bits;
    }
}
#elif defined(__aarch64__)
static inline uint64_t segment_in_bytes_64(const uint8_t *codes, const struct segment_bytes *set)
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vld1q_u8(places), low = vld1q_u8(set->rows[0]), high = vld1q_u8(set->rows[1]);
    uint8x16_t match[4];
    for (int part = 0; part < 4; part++) {
        uint8x16_t row = vld1q_u8(codes + 16 * part);
        uint8x16_t half = vandq_u8(row, vdupq_n_u8(15));
        uint8x16_t is_high = vcgeq_u8(row, vdupq_n_u8(128));
        uint8x16_t allowed = vbslq_u8(is_high, vqtbl1q_u8(high, half), vqtbl1q_u8(low, half));
        /* All bits for a match, of which each row keeps its own. */
        match[part] = vandq_u8(vtstq_u8(allowed, vqtbl1q_u8(bits, vshrq_n_u8(row, 4))), bits);
    }
    uint8x16_t sum = vpaddq_u8(vpaddq_u8(match[0], match[1]), vpaddq_u8(match[2], match[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
}
#endif

static inline void segment_in_bytes_plain(
        const uint8_t *codes, size_t words, const struct segment_bytes *set,
        const uint64_t *live, uint64_t *found)
{
    for (size_t word = 0; word < words; word++, codes += 64) {
        if (!live[word]) continue;
#if defined(__aarch64__)
        uint64_t bits = segment_in_bytes_64(codes, set);
#else
        uint64_t bits = 0;
        for (int row = 0; row < 64; row++) {
            uint8_t code = codes[row];
            bits |= (uint64_t)(set->rows[code >> 7][code & 15] >> (code >> 4 & 7) & 1) << row;
        }
#endif
        found[word] |= live[word] & bits;
    }
}

/* A value at any address. */
#define SEGMENT_LOAD(type, place) (((const struct { type value; } __attribute__((packed)) *)(place))->value)

#define SEGMENT_IN_RANGE(bits_of, type)                                                                  \
    static inline void segment_in_range##bits_of##_plain(                                                \
        const void *values, size_t words, type least, type span, const uint64_t *live, uint64_t *found)  \
    {                                                                                                    \
        for (size_t word = 0; word < words; word++) {                                                    \
            if (!live[word]) continue;                                                                   \
            uint64_t bits = 0;                                                                           \
            for (size_t row = 0; row < 64; row++) {                                                      \
                type value = SEGMENT_LOAD(type, (const type *)values + word * 64 + row);                 \
                bits |= (uint64_t)((type)(value - least) <= span) << row;                                \
            }                                                                                            \
            found[word] |= live[word] & bits;                                                            \
        }                                                                                                \
    }
SEGMENT_IN_RANGE(16, uint16_t)
SEGMENT_IN_RANGE(32, uint32_t)
SEGMENT_IN_RANGE(64, uint64_t)

#define SEGMENT_IN_SET(bits_of, type)                                                                    \
    static inline void segment_in_set##bits_of##_plain(                                                  \
        const void *values, size_t words, const uint64_t *set, const uint64_t *live, uint64_t *found)    \
    {                                                                                                    \
        for (size_t word = 0; word < words; word++) {                                                    \
            if (!live[word]) continue;                                                                   \
            uint64_t bits = 0;                                                                           \
            for (size_t row = 0; row < 64; row++) {                                                      \
                type code = SEGMENT_LOAD(type, (const type *)values + word * 64 + row);                  \
                bits |= (set[code >> 6] >> (code & 63) & 1) << row;                                      \
            }                                                                                            \
            found[word] |= live[word] & bits;                                                            \
        }                                                                                                \
    }
SEGMENT_IN_SET(16, uint16_t)
SEGMENT_IN_SET(32, uint32_t)

#if defined(__x86_64__)
#define SEGMENT_CHOOSE(name, type, ...)                                                                  \
    if (SEGMENT_HAS_AVX2)                                                                                \
        name##_avx2((const type *)values, words, __VA_ARGS__, live, found);                              \
    else                                                                                                 \
        name##_plain(values, words, __VA_ARGS__, live, found);
#else
#define SEGMENT_CHOOSE(name, type, ...) name##_plain(values, words, __VA_ARGS__, live, found);
#endif

/* Rows whose code is in a set. */
static inline void segment_in_bytes(
        const void *values, size_t words, const struct segment_bytes *set, const uint64_t *live,
        uint64_t *found)
{
    SEGMENT_CHOOSE(segment_in_bytes, uint8_t, set)
}

/* Rows whose value, less `least` and without a sign, is at most `span`. */
static inline void segment_in_range16(
        const void *values, size_t words, uint16_t least, uint16_t span, const uint64_t *live,
        uint64_t *found)
{
    SEGMENT_CHOOSE(segment_in_range16, uint16_t, least, span)
}

static inline void segment_in_range32(
        const void *values, size_t words, uint32_t least, uint32_t span, const uint64_t *live,
        uint64_t *found)
{
    SEGMENT_CHOOSE(segment_in_range32, uint32_t, least, span)
}

static inline void segment_in_range64(
        const void *values, size_t words, uint64_t least, uint64_t span, const uint64_t *live,
        uint64_t *found)
{
    SEGMENT_CHOOSE(segment_in_range64, uint64_t, least, span)
}

/* Rows whose code has its bit in a set, which must have one for each code that occurs. */
static inline void segment_in_set16(
        const void *values, size_t words, const uint64_t *set, const uint64_t *live,
        uint64_t *found)
{
    SEGMENT_CHOOSE(segment_in_set16, uint16_t, set)
}

static inline void segment_in_set32(
        const void *values, size_t words, const uint64_t *set, const uint64_t *live,
        uint64_t *found)
{
    SEGMENT_CHOOSE(segment_in_set32, uint32_t, set)
}

/* Has the processor fetch what is soon read; Swift has no word for it. */
static inline void segment_prefetch(const void *place) { __builtin_prefetch(place); }
