/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-percentile-bands.h"

#include <math.h>

#include "loom-quickselect.h"
#include "loom-time.h"

/* Minimum number of sampled durations of a group. A smaller sample would give too inexact bands; then all durations of
 * the group are kept. */
#define MIN_SAMPLE 64

/* Half the width of a band, in standard deviations of the quantile's position in the sample. With 4, fewer than one
 * band in 10,000 misses the true percentile. */
#define SPREAD 4.0

const guint loom_percentile_bands_percents[LOOM_N_BANDS] = { 50, 95, 99 };

/* --- bands that probably contain the percentiles ------------------------------------------------------------------ */

/* The bands of a group of durations while they are computed. */
typedef struct {
  gint64 low_ns[LOOM_N_BANDS], high_ns[LOOM_N_BANDS];
  guint n;
} Intervals;

static void
set_bands (LoomPercentileBands *bands, const Intervals *intervals)
{
  bands->kept = 0;
  for (guint i = 0; i < G_N_ELEMENTS (bands->edge_ns); i++)
    bands->edge_ns[i] = G_MAXINT64;
  for (guint b = 0; b < intervals->n; b++) {
    bands->edge_ns[2 * b] = MAX (intervals->low_ns[b], 0) - 1;
    bands->edge_ns[2 * b + 1] = intervals->high_ns[b];
    bands->kept |= (guint) (intervals->low_ns[b] < intervals->high_ns[b]) << (2 * b + 1);
  }
}

void
loom_percentile_bands_init_whole (LoomPercentileBands *bands)
{
  set_bands (bands, &(Intervals) { { 0 }, { G_MAXINT64 }, 1 });
}

/* Returns a position in the sorted sample. If `side` is −1, the value at this position is almost certainly below the
 * quantile `q` of all durations; if `side` is 1, it is almost certainly above. The position may be outside the sample.
 * `n`: size of the sample. */
static double
place_of (double q, double n, double side)
{
  return q * n + side * (SPREAD * sqrt (q * (1 - q) * n) + 2);
}

static void
add_interval (Intervals *to, gint64 low_ns, gint64 high_ns)
{
  if (to->n > 0 && low_ns <= to->high_ns[to->n - 1]) {
    to->high_ns[to->n - 1] = MAX (to->high_ns[to->n - 1], high_ns);
    return;
  }
  to->low_ns[to->n] = low_ns;
  to->high_ns[to->n++] = high_ns;
}

void
loom_percentile_bands_init (LoomPercentileBands *bands, const gint64 *sample_ns, gsize n)
{
  gsize at[2 * LOOM_N_BANDS];
  gint64 found_ns[2 * LOOM_N_BANDS];
  gboolean has_low[LOOM_N_BANDS], has_high[LOOM_N_BANDS];
  loom_percentile_bands_init_whole (bands);
  if (n < MIN_SAMPLE)
    return;
  for (guint b = 0; b < LOOM_N_BANDS; b++) {
    double q = loom_percentile_bands_percents[b] / 100.0, low = place_of (q, n, -1), high = place_of (q, n, 1);
    has_low[b] = low > 0;
    has_high[b] = high < (double) (n - 1);
    at[2 * b] = has_low[b] ? (gsize) low : 0;
    at[2 * b + 1] = has_high[b] ? (gsize) high : n - 1;
  }
  loom_quickselect (sample_ns, n, at, 2 * LOOM_N_BANDS, found_ns);
  Intervals intervals = { .n = 0 };
  for (guint b = 0; b < LOOM_N_BANDS; b++)
    add_interval (&intervals, has_low[b] ? found_ns[2 * b] : 0, has_high[b] ? found_ns[2 * b + 1] : G_MAXINT64);
  set_bands (bands, &intervals);
}

/* --- percentiles from the durations in the bands ------------------------------------------------------------------ */

/* Returns the band that contains the value at position `index` of the sorted group; LOOM_N_BANDS: no band contains it.
 * Sets `first` to the position of the lowest value in the band. `parts`: number of values in each part. */
static guint
band_of (const guint64 *parts, guint64 index, guint64 *first)
{
  *first = 0;
  for (guint b = 0; b < LOOM_N_BANDS; b++) {
    *first += parts[2 * b];
    if (index < *first)
      return LOOM_N_BANDS;
    if (index < *first + parts[2 * b + 1])
      return b;
    *first += parts[2 * b + 1];
  }
  return LOOM_N_BANDS;
}

/* Sets values_ns[i] to the value at position index[i] of the sorted group, for `n` ascending positions. All values in
 * one band are selected together. `parts`, `kept`: see loom_percentile_bands_find(). Returns FALSE if a value is not in
 * a band. */
static gboolean
values_at (const LoomPercentileBands *bands, const guint64 *parts, const gint64 *const *kept, const guint64 *index,
           guint n, gint64 *values_ns)
{
  gsize at[2 * LOOM_N_BANDS];
  for (guint i = 0; i < n;) {
    guint64 first, next_first;
    guint band = band_of (parts, index[i], &first), n_at = 0;
    if (band == LOOM_N_BANDS)
      return FALSE;
    while (i + n_at < n && band_of (parts, index[i + n_at], &next_first) == band) {
      at[n_at] = (gsize) (index[i + n_at] - first);
      n_at++;
    }
    gboolean alike = (bands->kept >> (2 * band + 1) & 1) == 0;
    if (!alike)
      loom_quickselect (kept[band], (gsize) parts[2 * band + 1], at, n_at, values_ns + i);
    for (guint k = 0; alike && k < n_at; k++)
      values_ns[i + k] = bands->edge_ns[2 * band + 1];
    i += n_at;
  }
  return TRUE;
}

gboolean
loom_percentile_bands_find (const LoomPercentileBands *bands, const guint64 *parts, const gint64 *const *kept,
                            gint64 *quantiles_ns)
{
  guint64 n = 0, index[2 * LOOM_N_BANDS];
  gint64 values_ns[2 * LOOM_N_BANDS];
  for (guint i = 0; i < LOOM_N_BAND_PARTS; i++)
    n += parts[i];
  g_return_val_if_fail (n > 0, FALSE);
  for (guint q = 0; q < LOOM_N_BANDS; q++) {
    index[2 * q] = (n - 1) * loom_percentile_bands_percents[q] / 100;
    index[2 * q + 1] = MIN (index[2 * q] + 1, n - 1);
  }
  if (!values_at (bands, parts, kept, index, 2 * LOOM_N_BANDS, values_ns))
    return FALSE;
  for (guint q = 0; q < LOOM_N_BANDS; q++) {
    guint beyond = (guint) ((n - 1) * loom_percentile_bands_percents[q] % 100);
    gint64 gap_ns = loom_time_sub (values_ns[2 * q + 1], values_ns[2 * q]);
    quantiles_ns[q] = values_ns[2 * q] + (gint64) (((__int128) gap_ns * beyond + 50) / 100);
  }
  return TRUE;
}
