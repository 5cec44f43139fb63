/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-statistics.h"

#include <math.h>
#include <string.h>

#include "loom-time-bsearch.h"

/* --- quantiles ---------------------------------------------------------------------------------------------------- */

static double
median_of_three (double a, double b, double c)
{
  return a < b ? (b < c ? b : MAX (a, c)) : (a < c ? a : MAX (b, c));
}

/* Reorders the values so that values[k] has the value that it would have in the sorted array. The values before index k
 * are then at most values[k], and the values after it at least values[k]. */
static void
select_rank (double *values, gsize n, gsize k)
{
  gsize low = 0, high = n - 1;
  while (low < high) {
    double pivot = median_of_three (values[low], values[low + (high - low) / 2], values[high]);
    gssize i = (gssize) low - 1, j = (gssize) high + 1;
    for (;;) {
      while (values[++i] < pivot)
        ;
      while (values[--j] > pivot)
        ;
      if (i >= j)
        break;
      double swap = values[i];
      values[i] = values[j];
      values[j] = swap;
    }
    if (k <= (gsize) j)
      high = (gsize) j;
    else
      low = (gsize) j + 1;
  }
}

double
loom_statistics_quantile (double *values, gsize n, double q)
{
  if (n == 0)
    return NAN;
  double position = q * (double) (n - 1);
  gsize below = (gsize) position;
  double part = position - (double) below;
  select_rank (values, n, below);
  if (part <= 0 || below + 1 >= n)
    return values[below];
  double next = values[below + 1];
  for (gsize i = below + 2; i < n; i++)
    next = MIN (next, values[i]);
  return values[below] + (next - values[below]) * part;
}

double
loom_statistics_median (double *values, gsize n)
{
  return loom_statistics_quantile (values, n, 0.5);
}

double
loom_statistics_get_robust_limit (double *values, gsize n, double *median)
{
  *median = loom_statistics_median (values, n);
  for (gsize i = 0; i < n; i++)
    values[i] = fabs (values[i] - *median);
  return *median + 5 * loom_statistics_median (values, n);
}

LoomStatistics
loom_statistics_summarise (double *values, gsize n)
{
  LoomStatistics summary = { .n = n, .min = INFINITY, .max = -INFINITY };
  long double sum = 0;
  if (n == 0)
    return (LoomStatistics) { 0 };
  for (gsize i = 0; i < n; i++) {
    sum += values[i];
    summary.min = MIN (summary.min, values[i]);
    summary.max = MAX (summary.max, values[i]);
  }
  summary.mean = (double) (sum / (long double) n);
  summary.p50 = loom_statistics_quantile (values, n, 0.5);
  summary.p95 = loom_statistics_quantile (values, n, 0.95);
  summary.p99 = loom_statistics_quantile (values, n, 0.99);
  return summary;
}

double
loom_statistics_percent (double part, double whole)
{
  return whole != 0 ? 100.0 * part / whole : 0;
}

gboolean
loom_statistics_are_alike (double least, double greatest)
{
  return greatest - least <= greatest / 10;
}

/* --- histograms --------------------------------------------------------------------------------------------------- */

void
loom_statistics_init_histogram (LoomHistogram *histogram, guint n_bins)
{
  *histogram = (LoomHistogram) { .n_bins = n_bins, .counts = g_new0 (guint64, n_bins) };
}

void
loom_statistics_clear_histogram (LoomHistogram *histogram)
{
  g_clear_pointer (&histogram->counts, g_free);
}

void
loom_statistics_add_to_histogram (LoomHistogram *histogram, const double *values, gsize n)
{
  if (n > 0 && histogram->n == 0)
    histogram->min = histogram->max = values[0];
  for (gsize i = 0; i < n; i++) {
    histogram->min = MIN (histogram->min, values[i]);
    histogram->max = MAX (histogram->max, values[i]);
  }
  histogram->n += n;
}

typedef struct {
  double first, scale, width;
  guint top;
} Bins;

static Bins
bins_of (const LoomHistogram *histogram)
{
  gboolean flat = histogram->min == histogram->max;
  double first = histogram->min - (flat ? 0.5 : 0), last = histogram->max + (flat ? 0.5 : 0);
  return (Bins) { first, histogram->n_bins / (last - first), (last - first) / histogram->n_bins,
                  histogram->n_bins - 1 };
}

static inline guint
find_bin (const Bins *bins, double value)
{
  double place = (value - bins->first) * bins->scale;
  guint bin = place >= bins->top ? bins->top : place > 0 ? (guint) place : 0;
  /* the multiplication by the scale may be inexact, so `bin` may be wrong by one; to correct it, compare the value with
   * the edges of the bin, which are computed as in numpy */
  if (value < bin * bins->width + bins->first && bin > 0)
    bin--;
  else if (bin < bins->top && value >= (bin + 1) * bins->width + bins->first)
    bin++;
  return bin;
}

void
loom_statistics_share_bins (LoomHistogram *a, LoomHistogram *b)
{
  if (a->n == 0 || b->n == 0)
    return;
  a->min = b->min = MIN (a->min, b->min);
  a->max = b->max = MAX (a->max, b->max);
}

void
loom_statistics_count_histogram (LoomHistogram *histogram, const double *values, gsize n, guint64 weight)
{
  const Bins bins = bins_of (histogram);
  for (gsize i = 0; i < n; i++)
    histogram->counts[find_bin (&bins, values[i])] += weight;
}

guint
loom_statistics_find_in_histogram (const LoomHistogram *histogram, double value)
{
  const Bins bins = bins_of (histogram);
  return find_bin (&bins, value);
}

/* Returns the Kullback–Leibler divergence Σ p ln (p / m) of two distributions over `n` bins. */
static double
divergence (const double *p, const double *m, guint n)
{
  double sum = 0;
  for (guint i = 0; i < n; i++)
    if (p[i] > 0)
      sum += p[i] * log (p[i] / m[i]);
  return sum;
}

double
loom_statistics_js_distance (const guint64 *a, const guint64 *b, guint n_bins, gboolean raw_mean)
{
  double n_a = 0, n_b = 0, sum = 0;
  for (guint i = 0; i < n_bins; i++) {
    n_a += (double) a[i];
    n_b += (double) b[i];
  }
  if (n_a == 0 || n_b == 0)
    return NAN;
  g_autofree double *p = g_new (double, n_bins), *q = g_new (double, n_bins), *m = g_new (double, n_bins);
  for (guint i = 0; i < n_bins; i++) {
    p[i] = (double) a[i] / n_a;
    q[i] = (double) b[i] / n_b;
    m[i] = raw_mean ? (double) (a[i] + b[i]) / (n_a + n_b) : (p[i] + q[i]) / 2;
  }
  sum = (divergence (p, m, n_bins) + divergence (q, m, n_bins)) / 2;
  return sum > 0 ? sqrt (sum) : 0;
}

/* --- sorting ------------------------------------------------------------------------------------------------------ */

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

static gboolean
is_sorted (const guint64 *keys, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (keys[i] < keys[i - 1])
      return FALSE;
  return TRUE;
}

/* Returns a mask of the bits in which the keys differ. */
static guint64
find_differing_bits (const guint64 *keys, gsize n)
{
  guint64 bits = 0;
  for (gsize i = 1; i < n; i++)
    bits |= keys[i] ^ keys[0];
  return bits;
}

/* Sorts the keys by the digit that begins at bit `shift`, and the values (may be NULL) in the same way. Writes the
 * result to `keys_out` and `values_out`. */
static void
sort_digit (const guint64 *keys, const guint32 *values, gsize n, guint shift, guint64 *keys_out, guint32 *values_out)
{
  gsize at[N_DIGITS] = { 0 }, sum = 0;
  for (gsize i = 0; i < n; i++)
    at[keys[i] >> shift & (N_DIGITS - 1)]++;
  for (guint d = 0; d < N_DIGITS; d++) {
    gsize count = at[d];
    at[d] = sum;
    sum += count;
  }
  for (gsize i = 0; i < n; i++) {
    gsize to = at[keys[i] >> shift & (N_DIGITS - 1)]++;
    keys_out[to] = keys[i];
    if (values != NULL)
      values_out[to] = values[i];
  }
}

void
loom_statistics_sort (guint64 *keys, guint32 *values, gsize n)
{
  if (n < 2 || is_sorted (keys, n))
    return;
  g_autofree guint64 *other_keys = g_new (guint64, n);
  g_autofree guint32 *other_values = values != NULL ? g_new (guint32, n) : NULL;
  guint64 *from = keys, *to = other_keys;
  guint32 *from_values = values, *to_values = other_values;
  /* the lowest digit begins at the lowest bit that differs; a digit whose bits are equal in all keys is skipped */
  guint64 bits = find_differing_bits (keys, n);
  for (guint shift = (guint) __builtin_ctzll (bits); shift < 64; shift += DIGIT_BITS) {
    if ((bits >> shift & (N_DIGITS - 1)) == 0)
      continue;
    sort_digit (from, from_values, n, shift, to, to_values);
    guint64 *swap = from;
    from = to;
    to = swap;
    guint32 *swap_values = from_values;
    from_values = to_values;
    to_values = swap_values;
  }
  if (from == keys)
    return;
  memcpy (keys, from, n * sizeof *keys);
  if (values != NULL)
    memcpy (values, from_values, n * sizeof *values);
}

int
loom_statistics_compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

void
loom_statistics_insert_number (GArray *numbers, guint number)
{
  guint at = 0;
  while (at < numbers->len && g_array_index (numbers, guint, at) < number)
    at++;
  if (at == numbers->len || g_array_index (numbers, guint, at) != number)
    g_array_insert_val (numbers, at, number);
}

gsize
loom_statistics_sort_times (gint64 *times_ns, gsize n)
{
  /* each time is converted to a key in place, which changes only its sign bit */
  guint64 *keys = (guint64 *) times_ns;
  for (gsize i = 0; i < n; i++)
    keys[i] = loom_statistics_time_key (times_ns[i]);
  loom_statistics_sort (keys, NULL, n);
  gsize n_left = 0;
  for (gsize i = 0; i < n; i++)
    if (i == 0 || keys[i] != keys[n_left - 1])
      keys[n_left++] = keys[i];
  for (gsize i = 0; i < n_left; i++)
    times_ns[i] = (gint64) (keys[i] ^ G_GUINT64_CONSTANT (0x8000000000000000));
  return n_left;
}

gsize
loom_statistics_first_at (const gint64 *times_ns, gsize n, gint64 time_ns, gsize near)
{
  return loom_time_bsearch_near (times_ns, 0, (guint32) n, (guint32) MIN (near, n), time_ns);
}
