/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-duration-bands.h"

#include <math.h>

#include "loom-time.h"

/* A sample smaller than this tells little: the group is kept whole. */
#define MIN_SAMPLE 64

/* Standard deviations of a quantile's place in the sample on both sides of it: wrong once in many thousands. */
#define SPREAD 4.0

const guint loom_band_percents[LOOM_N_BANDS] = { 50, 95, 99 };

/* --- selection ---------------------------------------------------------------------------------------------------- */

static inline void
swap (gint64 *values, gsize i, gsize k)
{
  gint64 value = values[i];
  values[i] = values[k];
  values[k] = value;
}

static void
sort_few (gint64 *values, gsize n)
{
  for (gsize i = 1; i < n; i++) {
    gint64 value = values[i];
    gsize k = i;
    for (; k > 0 && values[k - 1] > value; k--)
      values[k] = values[k - 1];
    values[k] = value;
  }
}

static int
compare_ns (gconstpointer a, gconstpointer b, gpointer unused)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

static gint64
median_of_three (gint64 a, gint64 b, gint64 c)
{
  return MAX (MIN (a, b), MIN (MAX (a, b), c));
}

/* Values below the pivot, equal to it, above it: the borders of the middle. */
static void
split (gint64 *values, gsize n, gsize *below, gsize *above)
{
  gint64 pivot = median_of_three (values[n / 4], values[n / 2], values[n - 1 - n / 4]);
  gsize low = 0, at = 0, high = n;
  while (at < high) {
    if (values[at] < pivot)
      swap (values, low++, at++);
    else if (values[at] > pivot)
      swap (values, at, --high);
    else
      at++;
  }
  *below = low;
  *above = high;
}

/* `offset`: index of values[0] in what `at` counts. */
static void
select_from (gint64 *values, gsize n, gsize offset, const gsize *at, guint n_at, guint depth)
{
  while (n_at > 0 && n > 24) {
    if (depth-- == 0) {
      g_qsort_with_data (values, (gint) MIN (n, G_MAXINT), sizeof *values, compare_ns, NULL);
      return;
    }
    gsize below, above;
    split (values, n, &below, &above);
    guint left = 0, right = n_at;
    while (left < n_at && at[left] - offset < below)
      left++;
    while (right > left && at[right - 1] - offset >= above)
      right--;
    select_from (values, below, offset, at, left, depth);
    values += above;
    n -= above;
    offset += above;
    at += right;
    n_at -= right;
  }
  if (n_at > 0)
    sort_few (values, n);
}

void
loom_select (gint64 *values, gsize n, const gsize *at, guint n_at)
{
  select_from (values, n, 0, at, n_at, 2 * g_bit_storage (n));
}

/* The same for indices in any order, at most two per band. */
static void
select_any (gint64 *values, gsize n, const gsize *at, guint n_at)
{
  gsize sorted[2 * LOOM_N_BANDS];
  for (guint i = 0; i < n_at; i++) {
    guint k = i;
    for (; k > 0 && sorted[k - 1] > at[i]; k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = at[i];
  }
  loom_select (values, n, sorted, n_at);
}

/* --- bands -------------------------------------------------------------------------------------------------------- */

/* Bands while they are sought. */
typedef struct {
  gint64 low_ns[LOOM_N_BANDS], high_ns[LOOM_N_BANDS];
  guint n;
} Intervals;

static void
set_bands (LoomBands *bands, const Intervals *intervals)
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
loom_bands_init_whole (LoomBands *bands)
{
  set_bands (bands, &(Intervals) { { 0 }, { G_MAXINT64 }, 1 });
}

/* Places in the sample that enclose a quantile; FALSE when there is none on that side. */
static gboolean
place_below (double q, gsize n, gsize *at)
{
  double place = q * (double) n - SPREAD * sqrt (q * (1 - q) * (double) n) - 2;
  *at = place > 0 ? (gsize) place : 0;
  return place > 0;
}

static gboolean
place_above (double q, gsize n, gsize *at)
{
  double place = q * (double) n + SPREAD * sqrt (q * (1 - q) * (double) n) + 2;
  *at = (gsize) place;
  return place < (double) (n - 1);
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
loom_bands_init (LoomBands *bands, gint64 *sample_ns, gsize n)
{
  gsize at[2 * LOOM_N_BANDS], low, high;
  guint n_at = 0;
  loom_bands_init_whole (bands);
  if (n < MIN_SAMPLE)
    return;
  for (guint b = 0; b < LOOM_N_BANDS; b++) {
    if (place_below (loom_band_percents[b] / 100.0, n, &low))
      at[n_at++] = low;
    if (place_above (loom_band_percents[b] / 100.0, n, &high))
      at[n_at++] = high;
  }
  select_any (sample_ns, n, at, n_at);
  Intervals intervals = { .n = 0 };
  for (guint b = 0; b < LOOM_N_BANDS; b++) {
    gboolean has_low = place_below (loom_band_percents[b] / 100.0, n, &low),
             has_high = place_above (loom_band_percents[b] / 100.0, n, &high);
    add_interval (&intervals, has_low ? sample_ns[low] : 0, has_high ? sample_ns[high] : G_MAXINT64);
  }
  set_bands (bands, &intervals);
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

/* Which band holds the index of the sorted group, and where its values begin; LOOM_N_BANDS when none does. */
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

/* Values at indices, neighbours in one band by one selection; FALSE when one is in no band. */
static gboolean
values_at (const LoomBands *bands, const guint64 *parts, gint64 *const *kept, const guint64 *index, guint n,
           gint64 *values_ns)
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
      select_any (kept[band], (gsize) parts[2 * band + 1], at, n_at);
    for (guint k = 0; k < n_at; k++)
      values_ns[i++] = alike ? bands->edge_ns[2 * band + 1] : kept[band][at[k]];
  }
  return TRUE;
}

gboolean
loom_bands_find (const LoomBands *bands, const guint64 *parts, gint64 *const *kept, gint64 *quantiles_ns)
{
  guint64 n = 0, index[2 * LOOM_N_BANDS];
  gint64 values_ns[2 * LOOM_N_BANDS];
  for (guint i = 0; i < LOOM_N_BAND_PARTS; i++)
    n += parts[i];
  g_return_val_if_fail (n > 0, FALSE);
  for (guint q = 0; q < LOOM_N_BANDS; q++) {
    index[2 * q] = (n - 1) * loom_band_percents[q] / 100;
    index[2 * q + 1] = MIN (index[2 * q] + 1, n - 1);
  }
  if (!values_at (bands, parts, kept, index, 2 * LOOM_N_BANDS, values_ns))
    return FALSE;
  for (guint q = 0; q < LOOM_N_BANDS; q++) {
    guint beyond = (guint) ((n - 1) * loom_band_percents[q] % 100);
    gint64 gap_ns = loom_time_sub (values_ns[2 * q + 1], values_ns[2 * q]);
    quantiles_ns[q] = values_ns[2 * q] + (gint64) (((__int128) gap_ns * beyond + 50) / 100);
  }
  return TRUE;
}
