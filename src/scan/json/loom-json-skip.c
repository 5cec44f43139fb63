/* SPDX-License-Identifier: Apache-2.0
 *
 * Skips nested values in blocks of 64 bytes, with masks of one bit per byte for quotes, backslashes and brackets. A
 * running exclusive or of the quotes masks what is inside strings; only brackets outside strings are examined one by
 * one. Unusual text (a quote not followed by a separator, a backslash outside a string) is left to the plain variant,
 * which defines the result; all variants agree.
 */
#include "loom-json-skip.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LOOM_WALK_X86 1
#elif defined(__aarch64__) && defined(__GNUC__)
#include <arm_neon.h>
#define LOOM_WALK_NEON 1
#endif

typedef struct {
  guint64 quote;
  guint64 backslash;
  guint64 bracket; /* { } [ ] */
  guint64 follow;  /* , : } ] */
} Masks;

_Thread_local gboolean loom_json_skip_was_deep;

/* --- plain variant
 * ------------------------------------------------------------------------------------------------- */

LoomJsonSkip
loom_json_skip_nested_plain (const char **p, const char *end)
{
  guint64 kinds[LOOM_LIMIT_DEPTH / 64] = { 0 }; /* one bit per level, set for objects */
  gsize depth = 0;
  const char *at = *p;
  for (;;) {
    at = loom_json_skip_to_structure (at, end);
    if (at >= end)
      return LOOM_JSON_SKIP_INCOMPLETE;
    if (*at == '"') {
      LoomJsonSkip walk = loom_json_skip_string (&at, end);
      if (walk != LOOM_JSON_SKIP_OK)
        return walk;
      continue;
    }
    gboolean object = *at == '{' || *at == '}';
    if (*at == '{' || *at == '[') {
      if (depth < LOOM_LIMIT_DEPTH) {
        guint64 bit = G_GUINT64_CONSTANT (1) << (depth % 64);
        kinds[depth / 64] = object ? kinds[depth / 64] | bit : kinds[depth / 64] & ~bit;
      } else {
        loom_json_skip_was_deep = TRUE;
      }
      depth++, at++;
      continue;
    }
    depth--, at++;
    if (depth < LOOM_LIMIT_DEPTH && (kinds[depth / 64] >> (depth % 64) & 1) != (guint64) object)
      return LOOM_JSON_SKIP_BAD;
    if (depth == 0) {
      *p = at;
      return LOOM_JSON_SKIP_OK;
    }
  }
}

/* --- variant by blocks
 * --------------------------------------------------------------------------------------------- */

static inline __attribute__ ((always_inline)) guint64
prefix_xor_plain (guint64 bits)
{
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/* Returns a mask of the bytes escaped by a backslash before them; `*carry` is 1 if the first byte of the next block is
 * escaped. */
static inline __attribute__ ((always_inline)) guint64
find_escaped (guint64 backslash, guint64 *carry)
{
  guint64 escaped = *carry;
  guint64 left = backslash & ~escaped;
  *carry = 0;
  while (left != 0) {
    guint at = (guint) __builtin_ctzll (left);
    if (at == 63) {
      *carry = 1;
      break;
    }
    escaped |= G_GUINT64_CONSTANT (2) << at;
    left &= ~(G_GUINT64_CONSTANT (3) << at);
  }
  return escaped;
}

/* NONE: unusual text, or too near the end of the available bytes. */
typedef enum { BLOCKS_OK, BLOCKS_BAD, BLOCKS_NONE } Blocks;

typedef struct {
  guint64 kinds[LOOM_LIMIT_DEPTH / 64];
  gsize depth;
  guint64 in_string; /* all ones if the block begins inside a string */
  guint64 escaped;   /* 1 if the first byte of the next block is escaped */
  guint64 closed;    /* 1 if the last byte closed a string; 2 if the block contained unusual text */
} BlockState;

static inline __attribute__ ((always_inline)) guint64
unescaped_quotes (BlockState *state, Masks masks)
{
  guint64 escaped = masks.backslash != 0 || state->escaped != 0 ? find_escaped (masks.backslash, &state->escaped) : 0;
  return masks.quote & ~escaped;
}

/* Processes a block. `inside` is the running exclusive or of the quotes: an opening quote is inside, the closing one is
 * not. */
static inline __attribute__ ((always_inline)) Blocks
take_block (BlockState *state, const char *at, Masks masks, guint64 quotes, guint64 inside, const char **stop)
{
  guint64 closing = quotes & ~inside;
  guint64 due = closing << 1 | state->closed;
  guint64 brackets = masks.bracket & ~inside;
  if (((due & ~masks.follow) | (masks.backslash & ~inside)) != 0) {
    /* The unusual text may be after the end of the value: examine only the brackets before it. */
    guint64 odd = (due & ~masks.follow) | (masks.backslash & ~inside);
    brackets &= (odd & (0 - odd)) - 1;
    state->closed = 2;
  } else {
    state->closed = closing >> 63;
  }
  state->in_string = (guint64) ((gint64) inside >> 63);
  while (brackets != 0) {
    guint i = (guint) __builtin_ctzll (brackets);
    char c = at[i];
    gboolean object = (c & 0x20) != 0 && (c == '{' || c == '}');
    brackets &= brackets - 1;
    if (c == '{' || c == '[') {
      if (state->depth < LOOM_LIMIT_DEPTH) {
        guint64 bit = G_GUINT64_CONSTANT (1) << (state->depth % 64);
        guint64 *word = &state->kinds[state->depth / 64];
        *word = object ? *word | bit : *word & ~bit;
      } else {
        loom_json_skip_was_deep = TRUE;
      }
      state->depth++;
      continue;
    }
    state->depth--;
    if (state->depth < LOOM_LIMIT_DEPTH &&
        (state->kinds[state->depth / 64] >> (state->depth % 64) & 1) != (guint64) object)
      return BLOCKS_BAD;
    if (state->depth == 0) {
      *stop = at + i + 1;
      return BLOCKS_OK;
    }
  }
  return BLOCKS_NONE;
}

#define WALK_BLOCKS(classify, prefix_xor)                                                             \
  BlockState state;                                                                                   \
  state.depth = 0, state.in_string = 0, state.escaped = 0, state.closed = 0;                          \
  for (const char *at = *p; end - at >= 64; at += 64) {                                               \
    Masks masks = classify (at);                                                                      \
    guint64 quotes = unescaped_quotes (&state, masks);                                                \
    Blocks blocks = take_block (&state, at, masks, quotes, prefix_xor (quotes) ^ state.in_string, p); \
    if (blocks == BLOCKS_OK)                                                                          \
      return LOOM_JSON_SKIP_OK;                                                                       \
    if (blocks == BLOCKS_BAD)                                                                         \
      return LOOM_JSON_SKIP_BAD;                                                                      \
    if (state.closed == 2)                                                                            \
      break;                                                                                          \
  }                                                                                                   \
  return loom_json_skip_nested_plain (p, end)

#ifdef LOOM_WALK_X86

static inline __attribute__ ((always_inline)) Masks
classify_sse2 (const char *at)
{
  Masks masks = { 0 };
  for (int i = 0; i < 4; i++) {
    __m128i bytes = _mm_loadu_si128 ((const __m128i *) (at + 16 * i));
    /* [ and { differ only in this bit, and so do ] and } */
    __m128i folded = _mm_or_si128 (bytes, _mm_set1_epi8 (0x20));
    __m128i close = _mm_cmpeq_epi8 (folded, _mm_set1_epi8 ('}'));
    __m128i comma =
      _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (',')), _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 (':')));
#define MASK_OF(vector) ((guint64) (guint) _mm_movemask_epi8 (vector) << (16 * i))
    masks.quote |= MASK_OF (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"')));
    masks.backslash |= MASK_OF (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\')));
    masks.bracket |= MASK_OF (_mm_or_si128 (close, _mm_cmpeq_epi8 (folded, _mm_set1_epi8 ('{'))));
    masks.follow |= MASK_OF (_mm_or_si128 (close, comma));
#undef MASK_OF
  }
  return masks;
}

LoomJsonSkip
loom_json_skip_nested_sse2 (const char **p, const char *end)
{
  WALK_BLOCKS (classify_sse2, prefix_xor_plain);
}

__attribute__ ((target ("avx2"))) static inline __attribute__ ((always_inline)) Masks
classify_avx2 (const char *at)
{
  Masks masks = { 0 };
  for (int i = 0; i < 2; i++) {
    __m256i bytes = _mm256_loadu_si256 ((const __m256i *) (at + 32 * i));
    __m256i folded = _mm256_or_si256 (bytes, _mm256_set1_epi8 (0x20));
    __m256i close = _mm256_cmpeq_epi8 (folded, _mm256_set1_epi8 ('}'));
    __m256i comma = _mm256_or_si256 (_mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 (',')),
                                     _mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 (':')));
#define MASK_OF(vector) ((guint64) (guint) _mm256_movemask_epi8 (vector) << (32 * i))
    masks.quote |= MASK_OF (_mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('"')));
    masks.backslash |= MASK_OF (_mm256_cmpeq_epi8 (bytes, _mm256_set1_epi8 ('\\')));
    masks.bracket |= MASK_OF (_mm256_or_si256 (close, _mm256_cmpeq_epi8 (folded, _mm256_set1_epi8 ('{'))));
    masks.follow |= MASK_OF (_mm256_or_si256 (close, comma));
#undef MASK_OF
  }
  return masks;
}

__attribute__ ((target ("avx2,bmi,bmi2,popcnt"))) LoomJsonSkip
loom_json_skip_nested_avx2 (const char **p, const char *end)
{
  WALK_BLOCKS (classify_avx2, prefix_xor_plain);
}

#define AVX512 __attribute__ ((target ("avx512f,avx512bw,avx2,bmi,bmi2,popcnt,pclmul")))

AVX512 static inline __attribute__ ((always_inline)) Masks
classify_avx512 (const char *at)
{
  __m512i bytes = _mm512_loadu_si512 (at), folded = _mm512_or_si512 (bytes, _mm512_set1_epi8 (0x20));
  guint64 close = _mm512_cmpeq_epi8_mask (folded, _mm512_set1_epi8 ('}'));
  return (Masks) {
    .quote = _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 ('"')),
    .backslash = _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 ('\\')),
    .bracket = close | _mm512_cmpeq_epi8_mask (folded, _mm512_set1_epi8 ('{')),
    .follow = close | _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 (',')) |
              _mm512_cmpeq_epi8_mask (bytes, _mm512_set1_epi8 (':')),
  };
}

/* A carry-less product by all ones gives the running exclusive or. */
AVX512 static inline __attribute__ ((always_inline)) guint64
prefix_xor_clmul (guint64 bits)
{
  return (guint64) _mm_cvtsi128_si64 (
    _mm_clmulepi64_si128 (_mm_set_epi64x (0, (gint64) bits), _mm_set1_epi8 ((char) 0xFF), 0));
}

AVX512 LoomJsonSkip
loom_json_skip_nested_avx512 (const char **p, const char *end)
{
  WALK_BLOCKS (classify_avx512, prefix_xor_clmul);
}

gboolean
loom_json_skip_has_avx512 (void)
{
  return __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("bmi") &&
         __builtin_cpu_supports ("bmi2") && __builtin_cpu_supports ("pclmul");
}

#elif defined(LOOM_WALK_NEON)

static inline guint64
mask_of (uint8x16_t vector)
{
  const uint8x16_t bits = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
  uint8x16_t kept = vandq_u8 (vector, bits);
  return (guint64) vaddv_u8 (vget_low_u8 (kept)) | (guint64) vaddv_u8 (vget_high_u8 (kept)) << 8;
}

static inline Masks
classify_neon (const char *at)
{
  Masks masks = { 0 };
  for (int i = 0; i < 4; i++) {
    uint8x16_t bytes = vld1q_u8 ((const guint8 *) at + 16 * i);
    uint8x16_t folded = vorrq_u8 (bytes, vdupq_n_u8 (0x20));
    uint8x16_t close = vceqq_u8 (folded, vdupq_n_u8 ('}'));
    uint8x16_t comma = vorrq_u8 (vceqq_u8 (bytes, vdupq_n_u8 (',')), vceqq_u8 (bytes, vdupq_n_u8 (':')));
    masks.quote |= mask_of (vceqq_u8 (bytes, vdupq_n_u8 ('"'))) << (16 * i);
    masks.backslash |= mask_of (vceqq_u8 (bytes, vdupq_n_u8 ('\\'))) << (16 * i);
    masks.bracket |= mask_of (vorrq_u8 (close, vceqq_u8 (folded, vdupq_n_u8 ('{')))) << (16 * i);
    masks.follow |= mask_of (vorrq_u8 (close, comma)) << (16 * i);
  }
  return masks;
}

LoomJsonSkip
loom_walk_nested_neon (const char **p, const char *end)
{
  WALK_BLOCKS (classify_neon, prefix_xor_plain);
}

#endif

/* --- choice of the variant
 * ----------------------------------------------------------------------------------------- */

static LoomJsonSkipNested
choose (void)
{
  /* for tests: plain, sse2, avx2; without it the fastest variant is used */
  const char *wish = g_getenv ("LOOM_VECTOR");
  if (g_strcmp0 (wish, "plain") == 0)
    return loom_json_skip_nested_plain;
#ifdef LOOM_WALK_X86
  if (loom_json_skip_has_avx512 () && wish == NULL)
    return loom_json_skip_nested_avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi") && g_strcmp0 (wish, "sse2") != 0)
    return loom_json_skip_nested_avx2;
  return loom_json_skip_nested_sse2;
#elif defined(LOOM_WALK_NEON)
  return loom_walk_nested_neon;
#else
  return loom_json_skip_nested_plain;
#endif
}

LoomJsonSkipNested loom_json_skip_nested = loom_json_skip_nested_plain;

/* Runs before main(), so that no thread sees the pointer change. */
__attribute__ ((constructor)) static void
choose_at_start (void)
{
  loom_json_skip_nested = choose ();
}
