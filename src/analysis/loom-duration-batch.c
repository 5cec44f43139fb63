/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-duration-batch.h"

#include <string.h>

#include "loom-time.h"

/* Sums are first made as if nothing could overflow: with a longest duration below this nothing does. */
#define SAFE_NS (G_MAXINT64 / LOOM_BATCH)

static gint64
saturated_total (const gint64 *dur_ns)
{
  gint64 total_ns = 0;
  for (guint k = 0; k < LOOM_BATCH; k++)
    total_ns = loom_time_add (total_ns, dur_ns[k]);
  return total_ns;
}

void
loom_batch_measure_plain (const gint64 *dur_ns, const gint64 *edge_ns, LoomBatchMeasures *out)
{
  *out = (LoomBatchMeasures) { .min_ns = G_MAXINT64, .max_ns = 0 };
  for (guint k = 0; k < LOOM_BATCH; k++) {
    out->min_ns = MIN (out->min_ns, dur_ns[k]);
    out->max_ns = MAX (out->max_ns, dur_ns[k]);
    for (guint e = 0; e < G_N_ELEMENTS (out->above); e++)
      out->above[e] |= (guint64) (dur_ns[k] > edge_ns[e]) << k;
  }
  out->total_ns = saturated_total (dur_ns);
}

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__ ((target ("avx2")))
#define AVX512 __attribute__ ((target ("avx512f")))

AVX2 static inline __attribute__ ((always_inline)) __m256i
smaller_avx2 (__m256i a, __m256i b)
{
  return _mm256_blendv_epi8 (a, b, _mm256_cmpgt_epi64 (a, b));
}

AVX2 static inline __attribute__ ((always_inline)) __m256i
larger_avx2 (__m256i a, __m256i b)
{
  return _mm256_blendv_epi8 (b, a, _mm256_cmpgt_epi64 (a, b));
}

AVX2 static void
measure_avx2 (const gint64 *dur_ns, const gint64 *edge_ns, LoomBatchMeasures *out)
{
  __m256i total = _mm256_setzero_si256 (), min = _mm256_set1_epi64x (G_MAXINT64), max = total;
  memset (out->above, 0, sizeof out->above);
  for (guint k = 0; k < LOOM_BATCH; k += 4) {
    __m256i dur = _mm256_loadu_si256 ((const __m256i *) (gconstpointer) (dur_ns + k));
    total = _mm256_add_epi64 (total, dur);
    min = smaller_avx2 (min, dur);
    max = larger_avx2 (max, dur);
    for (guint e = 0; e < G_N_ELEMENTS (out->above); e++) {
      __m256i longer = _mm256_cmpgt_epi64 (dur, _mm256_set1_epi64x (edge_ns[e]));
      out->above[e] |= (guint64) (guint) _mm256_movemask_pd (_mm256_castsi256_pd (longer)) << k;
    }
  }
  gint64 totals[4], mins[4], maxs[4];
  _mm256_storeu_si256 ((__m256i *) (gpointer) totals, total);
  _mm256_storeu_si256 ((__m256i *) (gpointer) mins, min);
  _mm256_storeu_si256 ((__m256i *) (gpointer) maxs, max);
  out->min_ns = MIN (MIN (mins[0], mins[1]), MIN (mins[2], mins[3]));
  out->max_ns = MAX (MAX (maxs[0], maxs[1]), MAX (maxs[2], maxs[3]));
  out->total_ns = out->max_ns < SAFE_NS ? totals[0] + totals[1] + totals[2] + totals[3] : saturated_total (dur_ns);
}

AVX512 static void
measure_avx512 (const gint64 *dur_ns, const gint64 *edge_ns, LoomBatchMeasures *out)
{
  __m512i total = _mm512_setzero_si512 (), min = _mm512_set1_epi64 (G_MAXINT64), max = total;
  guint64 above[2 * LOOM_N_BANDS] = { 0 };
  for (guint k = 0; k < LOOM_BATCH; k += 8) {
    __m512i dur = _mm512_loadu_si512 (dur_ns + k);
    total = _mm512_add_epi64 (total, dur);
    min = _mm512_min_epi64 (min, dur);
    max = _mm512_max_epi64 (max, dur);
    for (guint e = 0; e < G_N_ELEMENTS (above); e++)
      above[e] |= (guint64) _mm512_cmpgt_epi64_mask (dur, _mm512_set1_epi64 (edge_ns[e])) << k;
  }
  memcpy (out->above, above, sizeof above);
  out->min_ns = _mm512_reduce_min_epi64 (min);
  out->max_ns = _mm512_reduce_max_epi64 (max);
  out->total_ns = out->max_ns < SAFE_NS ? _mm512_reduce_add_epi64 (total) : saturated_total (dur_ns);
}

static LoomBatchMeasure
choose (void)
{
  const char *wish = g_getenv ("LOOM_VECTOR");
  if (wish == NULL && __builtin_cpu_supports ("avx512f"))
    return measure_avx512;
  if ((wish == NULL || g_str_equal (wish, "avx2")) && __builtin_cpu_supports ("avx2"))
    return measure_avx2;
  return loom_batch_measure_plain;
}

#else

static LoomBatchMeasure
choose (void)
{
  return loom_batch_measure_plain;
}

#endif

LoomBatchMeasure loom_batch_measure = loom_batch_measure_plain;

/* Before main, so that no thread sees it change. */
__attribute__ ((constructor)) static void
choose_at_start (void)
{
  loom_batch_measure = choose ();
}
