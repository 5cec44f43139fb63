/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the bars or the series of samples of a lane, sorts them, and searches them by time.
 */
#include "loom-result-lane.h"

#include "loom-si-format.h"
#include "loom-time.h"

#include <math.h>
#include <string.h>

/* Heights in a lane of several series, in logical pixels. SERIES_PX, LEAST_SERIES_PX: maximum and minimum height of
 * each series; MOST_SERIES_PX: maximum height of all series together, unless LEAST_SERIES_PX requires more. */
#define SERIES_PX 24
#define MOST_SERIES_PX 240
#define LEAST_SERIES_PX 4
#define LEAST_NAMED_PX 16 /* minimum height of a series whose name is shown */

typedef struct {
  char *name;
  GArray *samples; /* LoomResultSample: the samples, sorted by time when the lane is complete */
} Series;

struct _LoomResultLane {
  gatomicrefcount refs;
  char *title, *unit;
  GArray *bars;      /* LoomResultBar: the bars, sorted by start when the lane is complete */
  GArray *latest_ns; /* gint64, indexed by bar: the latest end among this bar and all bars that begin before it; for
                      * binary search */
  /* Series: the series of a lane of values, sorted by name when the lane is complete */
  GPtrArray *series;
  double least, greatest;
  gboolean is_cut, is_series_cut;
  /* number of rows of the query's result that were not added, because they have no time or place on the timeline */
  guint n_left;
  GStringChunk *texts;
};

/* Maximum magnitude of a value. The difference of two larger values may be infinite, which cairo can't draw. */
#define GREATEST_VALUE 1e300

static void
free_series (gpointer data)
{
  Series *series = data;
  g_array_unref (series->samples);
  g_free (series->name);
  g_free (series);
}

LoomResultLane *
loom_result_lane_new (const char *title, const char *unit)
{
  LoomResultLane *lane = g_new0 (LoomResultLane, 1);
  g_atomic_ref_count_init (&lane->refs);
  lane->title = g_strdup (title);
  lane->unit = g_strdup (unit);
  lane->bars = g_array_new (FALSE, FALSE, sizeof (LoomResultBar));
  lane->latest_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  lane->series = g_ptr_array_new_with_free_func (free_series);
  lane->greatest = 1;
  lane->texts = g_string_chunk_new (4096);
  return lane;
}

LoomResultLane *
loom_result_lane_ref (LoomResultLane *lane)
{
  g_atomic_ref_count_inc (&lane->refs);
  return lane;
}

void
loom_result_lane_unref (LoomResultLane *lane)
{
  if (lane == NULL || !g_atomic_ref_count_dec (&lane->refs))
    return;
  g_free (lane->title);
  g_free (lane->unit);
  g_array_unref (lane->bars);
  g_array_unref (lane->latest_ns);
  g_ptr_array_unref (lane->series);
  g_string_chunk_free (lane->texts);
  g_free (lane);
}

/* --- filling ------------------------------------------------------------------------------------------------------ */

void
loom_result_lane_add_bar (LoomResultLane *lane, LoomRange range, LoomSpanId span, const char *text)
{
  LoomResultBar bar = { range, span, text[0] != '\0' ? g_string_chunk_insert_const (lane->texts, text) : "" };
  g_array_append_val (lane->bars, bar);
}

/* Returns the series with this name; if there is none, adds one. NULL: the name is new, and the lane has
 * LOOM_RESULT_LANE_MOST_SERIES series already. */
static Series *
get_series (LoomResultLane *lane, const char *name)
{
  for (guint i = 0; i < lane->series->len; i++)
    if (g_str_equal (((const Series *) lane->series->pdata[i])->name, name))
      return lane->series->pdata[i];
  if (lane->series->len == LOOM_RESULT_LANE_MOST_SERIES)
    return NULL;
  Series *series = g_new (Series, 1);
  *series = (Series) { g_strdup (name), g_array_new (FALSE, FALSE, sizeof (LoomResultSample)) };
  g_ptr_array_add (lane->series, series);
  return series;
}

gboolean
loom_result_lane_add_sample (LoomResultLane *lane, const char *series, gint64 time_ns, double value)
{
  LoomResultSample sample = { time_ns, fabs (value) <= GREATEST_VALUE ? value : NAN };
  Series *own = get_series (lane, series);
  lane->is_series_cut |= own == NULL;
  if (own != NULL)
    g_array_append_val (own->samples, sample);
  return own != NULL;
}

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const LoomResultBar *x = a, *y = b;
  if (x->range.begin_ns != y->range.begin_ns)
    return x->range.begin_ns < y->range.begin_ns ? -1 : 1;
  return x->range.end_ns == y->range.end_ns ? 0 : x->range.end_ns > y->range.end_ns ? -1 : 1;
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const LoomResultSample *x = a, *y = b;
  return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Compares names so that "Rank 2" is before "Rank 10". */
static int
compare_series (gconstpointer a, gconstpointer b)
{
  const Series *x = *(const Series *const *) a, *y = *(const Series *const *) b;
  g_autofree char *x_key = g_utf8_collate_key_for_filename (x->name, -1),
                  *y_key = g_utf8_collate_key_for_filename (y->name, -1);
  return strcmp (x_key, y_key);
}

static void
extend_scale (const Series *series, double *least, double *greatest)
{
  for (guint i = 0; i < series->samples->len; i++) {
    double value = g_array_index (series->samples, LoomResultSample, i).value;
    if (!isfinite (value))
      continue;
    *least = MIN (*least, value);
    *greatest = MAX (*greatest, value);
  }
}

/* Ends the lines of all series at the latest time of any sample, because it is not known for how long the last value of
 * a series holds. */
static void
cut_series (LoomResultLane *lane)
{
  gint64 latest_ns = G_MININT64;
  for (guint i = 0; i < lane->series->len; i++) {
    const GArray *samples = ((const Series *) lane->series->pdata[i])->samples;
    latest_ns = MAX (latest_ns, g_array_index (samples, LoomResultSample, samples->len - 1).time_ns);
  }
  const LoomResultSample end = { loom_time_add (latest_ns, 1), NAN };
  for (guint i = 0; i < lane->series->len; i++)
    g_array_append_val (((const Series *) lane->series->pdata[i])->samples, end);
}

static void
end_series (LoomResultLane *lane)
{
  double least = INFINITY, greatest = -INFINITY;
  g_ptr_array_sort (lane->series, compare_series);
  for (guint i = 0; i < lane->series->len; i++) {
    g_array_sort (((const Series *) lane->series->pdata[i])->samples, compare_samples);
    extend_scale (lane->series->pdata[i], &least, &greatest);
  }
  if (lane->is_cut)
    cut_series (lane);
  if (least > greatest)
    return;
  lane->least = least;
  lane->greatest = greatest;
}

void
loom_result_lane_set_cut (LoomResultLane *lane, gboolean is_cut)
{
  lane->is_cut = is_cut;
}

void
loom_result_lane_set_left (LoomResultLane *lane, guint n_left)
{
  lane->n_left = n_left;
}

void
loom_result_lane_end (LoomResultLane *lane)
{
  gint64 latest_ns = G_MININT64;
  g_array_sort (lane->bars, compare_bars);
  g_array_set_size (lane->latest_ns, 0);
  for (guint i = 0; i < lane->bars->len; i++) {
    latest_ns = MAX (latest_ns, g_array_index (lane->bars, LoomResultBar, i).range.end_ns);
    g_array_append_val (lane->latest_ns, latest_ns);
  }
  end_series (lane);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

gboolean
loom_result_lane_is_empty (const LoomResultLane *lane)
{
  return lane->bars->len == 0 && lane->series->len == 0;
}

gboolean
loom_result_lane_is_cut (const LoomResultLane *lane)
{
  return lane->is_cut;
}

gboolean
loom_result_lane_is_series_cut (const LoomResultLane *lane)
{
  return lane->is_series_cut;
}

guint
loom_result_lane_get_left (const LoomResultLane *lane)
{
  return lane->n_left;
}

gboolean
loom_result_lane_is_counter (const LoomResultLane *lane)
{
  return lane->series->len > 0;
}

const char *
loom_result_lane_get_title (const LoomResultLane *lane)
{
  return lane->title;
}

const char *
loom_result_lane_get_unit (const LoomResultLane *lane)
{
  return lane->unit;
}

const LoomResultBar *
loom_result_lane_get_bars (const LoomResultLane *lane, guint *n)
{
  *n = lane->bars->len;
  return (const LoomResultBar *) (gpointer) lane->bars->data;
}

guint
loom_result_lane_get_n_series (const LoomResultLane *lane)
{
  return lane->series->len;
}

const char *
loom_result_lane_get_series_name (const LoomResultLane *lane, guint series)
{
  return ((const Series *) lane->series->pdata[series])->name;
}

const LoomResultSample *
loom_result_lane_get_samples (const LoomResultLane *lane, guint series, guint *n)
{
  const Series *own = lane->series->pdata[series];
  *n = own->samples->len;
  return (const LoomResultSample *) (gpointer) own->samples->data;
}

int
loom_result_lane_get_height (const LoomResultLane *lane)
{
  int n = (int) lane->series->len;
  if (n <= 1)
    return n == 1 ? LOOM_RESULT_LANE_COUNTER_PX : LOOM_RESULT_LANE_BARS_PX;
  return n * CLAMP (MOST_SERIES_PX / n, LEAST_SERIES_PX, SERIES_PX);
}

gboolean
loom_result_lane_names_series (const LoomResultLane *lane)
{
  guint n = lane->series->len;
  return n > 1 && loom_result_lane_get_height (lane) >= (int) n * LEAST_NAMED_PX;
}

/* Returns a value for the scale: a duration as a time ("5.81 ms"), other values with a prefix of the SI. Owned by the
 * caller. */
static char *
dup_value (const LoomResultLane *lane, double value)
{
  gboolean is_duration = strcmp (lane->unit, "ns") == 0 && fabs (value) < (double) G_MAXINT64;
  return is_duration ? loom_time_format_duration ((gint64) value) : loom_si_format_value (value, lane->unit);
}

char *
loom_result_lane_dup_scale (const LoomResultLane *lane)
{
  if (!loom_result_lane_is_counter (lane))
    return NULL;
  g_autofree char *low = dup_value (lane, MIN (lane->least, 0)), *high = dup_value (lane, MAX (lane->greatest, 0));
  return g_strdup_printf ("%s%s%s – %s", lane->title, lane->title[0] != '\0' ? ": " : "", low, high);
}

void
loom_result_lane_get_scale (const LoomResultLane *lane, double *least, double *greatest)
{
  *least = lane->least;
  *greatest = lane->greatest;
}

guint
loom_result_lane_find_first (const LoomResultLane *lane, gint64 time_ns)
{
  guint low = 0, high = lane->latest_ns->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (lane->latest_ns, gint64, middle) > time_ns)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

const LoomResultBar *
loom_result_lane_find_bar (const LoomResultLane *lane, gint64 from_ns, gint64 to_ns)
{
  const LoomResultBar *found = NULL;
  for (guint i = loom_result_lane_find_first (lane, from_ns); i < lane->bars->len; i++) {
    const LoomResultBar *bar = &g_array_index (lane->bars, LoomResultBar, i);
    if (bar->range.begin_ns >= to_ns)
      break;
    if (bar->range.end_ns > from_ns)
      found = bar;
  }
  return found;
}

const LoomResultSample *
loom_result_lane_find_sample (const LoomResultLane *lane, guint series, gint64 time_ns)
{
  const GArray *samples = ((const Series *) lane->series->pdata[series])->samples;
  guint low = 0, high = samples->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (samples, LoomResultSample, middle).time_ns > time_ns)
      high = middle;
    else
      low = middle + 1;
  }
  return low > 0 ? &g_array_index (samples, LoomResultSample, low - 1) : NULL;
}
