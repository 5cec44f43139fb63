/* SPDX-License-Identifier: Apache-2.0
 *
 * Skips nested values in blocks of 64 bytes. Three masks with one bit per byte show where a block has quotes,
 * backslashes and brackets. A byte is inside a string if the number of quotes before it is odd; this is computed for
 * all bytes of a block at once. Only brackets outside of strings are examined one by one. Text is unusual if a quote is
 * not followed by a separator, or if a backslash is outside of a string. Unusual text is passed to the plain variant,
 * which defines the correct result. All variants give the same result.
 */
#include "loom-json-skip.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LOOM_WALK_X86 1
#elif defined(__aarch64__) && defined(__GNUC__)
#include <arm_neon.h>
#define LOOM_WALK_NEON 1
#endif

/* Masks of a block of 64 bytes: one mask for each character or group of characters. Bit n is set if byte n is such a
 * character. */
typedef struct {
  guint64 quote;
  guint64 backslash;
  guint64 bracket; /* brackets and braces: { } [ ] */
  guint64 follow;  /* mask of the bytes , : } and ]; one of them must follow after a string */
} Masks;

_Thread_local gboolean loom_json_skip_was_deep;

#define INLINE inline __attribute__ ((always_inline))

/* The closing brackets that must follow: one for each bracket that is open. Only the first LOOM_LIMIT_DEPTH levels are
 * stored; of deeper levels, only the number of open brackets is stored. */
typedef struct {
  char closers[LOOM_LIMIT_DEPTH];
  gsize depth;
} Levels;

/* Processes a bracket outside of strings. Returns LOOM_JSON_SKIP_OK if it ends the value, LOOM_JSON_SKIP_BAD if it
 * closes an open bracket of the other kind, and LOOM_JSON_SKIP_INCOMPLETE if the value continues. */
static INLINE LoomJsonSkip
take_bracket (Levels *levels, char c)
{
  if (c == '{' || c == '[') {
    if (levels->depth < LOOM_LIMIT_DEPTH)
      levels->closers[levels->depth] = (char) (c + 2); /* the codes of '{' and '}' differ by 2, and so do '[' and ']' */
    else
      loom_json_skip_was_deep = TRUE;
    levels->depth++;
    return LOOM_JSON_SKIP_INCOMPLETE;
  }
  levels->depth--;
  if (levels->depth < LOOM_LIMIT_DEPTH && levels->closers[levels->depth] != c)
    return LOOM_JSON_SKIP_BAD;
  return levels->depth == 0 ? LOOM_JSON_SKIP_OK : LOOM_JSON_SKIP_INCOMPLETE;
}

/* --- plain variant: one byte after another ------------------------------------------------------------------------ */

LoomJsonSkip
loom_json_skip_nested_plain (const char **p, const char *end)
{
  Levels levels;
  levels.depth = 0;
  for (const char *at = *p; (at = loom_json_skip_to_structure (at, end)) < end;) {
    LoomJsonSkip walk;
    if (*at == '"') {
      walk = loom_json_skip_string (&at, end);
      if (walk == LOOM_JSON_SKIP_OK)
        continue;
      return walk;
    }
    walk = take_bracket (&levels, *at++);
    if (walk == LOOM_JSON_SKIP_OK)
      *p = at;
    if (walk != LOOM_JSON_SKIP_INCOMPLETE)
      return walk;
  }
  return LOOM_JSON_SKIP_INCOMPLETE;
}

/* --- variant with masks of blocks of 64 bytes --------------------------------------------------------------------- */

static INLINE guint64
prefix_xor (guint64 bits)
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
static INLINE guint64
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

typedef struct {
  Levels levels;
  guint64 in_string; /* all bits are 1 if the block begins inside a string; otherwise all are 0 */
  guint64 escaped;   /* 1 if the first byte of the next block is escaped, otherwise 0 */
  guint64 closed;    /* 1 if the last byte of the block closed a string, otherwise 0 */
  gboolean is_odd;   /* TRUE if the block contains a byte that only the plain variant can handle */
} BlockState;

/* Processes the brackets of a block that are outside of strings. `brackets`: mask of these brackets. Returns
 * LOOM_JSON_SKIP_OK if one of them ends the value, and sets `*stop` to the byte after it. Returns LOOM_JSON_SKIP_BAD if
 * one of them does not match its opening bracket. Returns LOOM_JSON_SKIP_INCOMPLETE if the value continues after the
 * block. */
static INLINE LoomJsonSkip
take_brackets (BlockState *state, const char *at, guint64 brackets, const char **stop)
{
  for (; brackets != 0; brackets &= brackets - 1) {
    const char *bracket = at + __builtin_ctzll (brackets);
    LoomJsonSkip walk = take_bracket (&state->levels, *bracket);
    if (walk == LOOM_JSON_SKIP_OK)
      *stop = bracket + 1;
    if (walk != LOOM_JSON_SKIP_INCOMPLETE)
      return walk;
  }
  return LOOM_JSON_SKIP_INCOMPLETE;
}

static INLINE LoomJsonSkip
take_block (BlockState *state, const char *at, Masks masks, const char **stop)
{
  guint64 escaped = masks.backslash != 0 || state->escaped != 0 ? find_escaped (masks.backslash, &state->escaped) : 0;
  guint64 quotes = masks.quote & ~escaped;
  /* mask of the bytes inside strings; it includes opening quotes, but not closing quotes */
  guint64 inside = prefix_xor (quotes) ^ state->in_string;
  guint64 closing = quotes & ~inside, due = closing << 1 | state->closed, brackets = masks.bracket & ~inside;
  guint64 odd = (due & ~masks.follow) | (masks.backslash & ~inside);
  /* `odd` marks bytes that only the plain variant can handle. The value may end before the first of them, so the
   * brackets before this byte are processed. */
  if (odd != 0) {
    brackets &= (odd & (0 - odd)) - 1;
    state->is_odd = TRUE;
  }
  state->closed = closing >> 63;
  state->in_string = (guint64) ((gint64) inside >> 63);
  return take_brackets (state, at, brackets, stop);
}

static INLINE LoomJsonSkip
walk_blocks (const char **p, const char *end, Masks (*classify) (const char *at))
{
  BlockState state;
  state.levels.depth = 0, state.in_string = 0, state.escaped = 0, state.closed = 0, state.is_odd = FALSE;
  for (const char *at = *p; end - at >= 64 && !state.is_odd; at += 64) {
    LoomJsonSkip walk = take_block (&state, at, classify (at), p);
    if (walk != LOOM_JSON_SKIP_INCOMPLETE)
      return walk;
  }
  return loom_json_skip_nested_plain (p, end);
}

#ifdef LOOM_WALK_X86

static INLINE Masks
classify_sse2 (const char *at)
{
  Masks masks = { 0 };
  for (int i = 0; i < 4; i++) {
    __m128i bytes = _mm_loadu_si128 ((const __m128i *) (at + 16 * i));
    /* the bytes [ and { differ only in the bit 0x20, and so do ] and } */
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
  return walk_blocks (p, end, classify_sse2);
}

__attribute__ ((target ("avx2"))) static INLINE Masks
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
  return walk_blocks (p, end, classify_avx2);
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
  return walk_blocks (p, end, classify_neon);
}

#endif

/* --- choosing a variant at the start ------------------------------------------------------------------------------ */

static LoomJsonSkipNested
choose (void)
{
  /* tests set LOOM_VECTOR to plain, sse2 or avx2; if it is not set, the fastest variant is used */
  const char *wish = g_getenv ("LOOM_VECTOR");
  if (g_strcmp0 (wish, "plain") == 0)
    return loom_json_skip_nested_plain;
#ifdef LOOM_WALK_X86
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

/* Sets loom_json_skip_nested to the best variant for this processor. Runs before main(), so that the pointer does not
 * change while several threads use it. */
__attribute__ ((constructor)) static void
choose_at_start (void)
{
  loom_json_skip_nested = choose ();
}
