/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-result-lane.h"

#include <math.h>

struct _LoomResultLane {
  gatomicrefcount refs;
  char *title, *unit;
  GArray *bars;      /* LoomResultBar */
  GArray *latest_ns; /* gint64: [bar] → the latest end of this bar and of all bars before it */
  GArray *samples;   /* LoomResultSample */
  double least, greatest;
  gboolean is_cut;
  guint n_left; /* number of rows of the result that have no time or place on the timeline */
  GStringChunk *texts;
};

/* Maximum magnitude of a value. The difference of two larger values may be infinite, which cairo can't draw. */
#define GREATEST_VALUE 1e300

LoomResultLane *
loom_result_lane_new (const char *title, const char *unit)
{
  LoomResultLane *lane = g_new0 (LoomResultLane, 1);
  g_atomic_ref_count_init (&lane->refs);
  lane->title = g_strdup (title);
  lane->unit = g_strdup (unit);
  lane->bars = g_array_new (FALSE, FALSE, sizeof (LoomResultBar));
  lane->latest_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  lane->samples = g_array_new (FALSE, FALSE, sizeof (LoomResultSample));
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
  g_array_unref (lane->samples);
  g_string_chunk_free (lane->texts);
  g_free (lane);
}

/* --- filling --------------------------------------------------------------------------------------------------------- */

void
loom_result_lane_add_bar (LoomResultLane *lane, LoomRange range, LoomSpanId span, const char *text)
{
  LoomResultBar bar = { range, span, text[0] != '\0' ? g_string_chunk_insert_const (lane->texts, text) : "" };
  g_array_append_val (lane->bars, bar);
}

void
loom_result_lane_add_sample (LoomResultLane *lane, gint64 time_ns, double value)
{
  LoomResultSample sample = { time_ns, fabs (value) <= GREATEST_VALUE ? value : NAN };
  g_array_append_val (lane->samples, sample);
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

static void
find_scale (LoomResultLane *lane)
{
  double least = INFINITY, greatest = -INFINITY;
  for (guint i = 0; i < lane->samples->len; i++) {
    double value = g_array_index (lane->samples, LoomResultSample, i).value;
    if (!isfinite (value))
      continue;
    least = MIN (least, value);
    greatest = MAX (greatest, value);
  }
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
  g_array_sort (lane->samples, compare_samples);
  g_array_set_size (lane->latest_ns, 0);
  for (guint i = 0; i < lane->bars->len; i++) {
    latest_ns = MAX (latest_ns, g_array_index (lane->bars, LoomResultBar, i).range.end_ns);
    g_array_append_val (lane->latest_ns, latest_ns);
  }
  find_scale (lane);
}

/* --- reading --------------------------------------------------------------------------------------------------------- */

gboolean
loom_result_lane_is_empty (const LoomResultLane *lane)
{
  return lane->bars->len == 0 && lane->samples->len == 0;
}

gboolean
loom_result_lane_is_cut (const LoomResultLane *lane)
{
  return lane->is_cut;
}

guint
loom_result_lane_get_left (const LoomResultLane *lane)
{
  return lane->n_left;
}

gboolean
loom_result_lane_is_counter (const LoomResultLane *lane)
{
  return lane->samples->len > 0;
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

const LoomResultSample *
loom_result_lane_get_samples (const LoomResultLane *lane, guint *n)
{
  *n = lane->samples->len;
  return (const LoomResultSample *) (gpointer) lane->samples->data;
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
loom_result_lane_find_sample (const LoomResultLane *lane, gint64 time_ns)
{
  guint low = 0, high = lane->samples->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (lane->samples, LoomResultSample, middle).time_ns > time_ns)
      high = middle;
    else
      low = middle + 1;
  }
  return low > 0 ? &g_array_index (lane->samples, LoomResultSample, low - 1) : NULL;
}
