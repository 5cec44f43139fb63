/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-steps.h"

static char *
make_format_key (guint trace, const char *format)
{
  return g_strdup_printf ("%u %s", trace, format);
}

/* Returns a set of keys made by make_format_key(): for each trace, the formats in which spans of devices are recorded.
 * Owned by the caller. */
static GHashTable *
find_device_formats (LoomRun *run)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      if (track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DEVICE) != 0 && track->n_rows > 0)
        g_hash_table_add (found, make_format_key (i, track->format));
    }
  }
  return found;
}

GPtrArray *
loom_slowdown_steps_list (const LoomSteps *steps, LoomRun *run)
{
  g_autoptr (GHashTable) formats = find_device_formats (run);
  GPtrArray *list = g_ptr_array_new ();
  for (guint i = 0; i < steps->n; i++) {
    const LoomStep *step = &steps->all[i];
    g_autofree char *key = make_format_key (step->span.trace, step->format);
    if (step->number >= 0 && step->rank >= 0 && !loom_timeline_span_id_is_none (step->span) &&
        g_hash_table_contains (formats, key))
      g_ptr_array_add (list, (gpointer) step);
  }
  return list;
}

/* A step is used if at least this share of its time is in the range. The share is less than 1, because a range chosen
 * by hand may end before the last step has ended on the latest rank. */
#define LEAST_INSIDE 0.95

gboolean
loom_slowdown_steps_end_range (const LoomSteps *steps, LoomRange range)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < steps->n && steps->all[i].begin_ns <= range.end_ns; i++)
    if (g_hash_table_add (known, GUINT_TO_POINTER (steps->all[i].run_step)) && steps->all[i].begin_ns == range.end_ns &&
        steps->all[i].run_step != LOOM_NO_RUN_STEP)
      return TRUE;
  return FALSE;
}

gboolean
loom_slowdown_steps_is_whole (LoomRange step, LoomRange range, gboolean is_of_steps)
{
  double inside_ns = (double) loom_time_sub (MIN (step.end_ns, range.end_ns), MAX (step.begin_ns, range.begin_ns));
  gint64 middle_ns = loom_time_add (step.begin_ns, loom_time_sub (step.end_ns, step.begin_ns) / 2);
  if (is_of_steps)
    return middle_ns >= range.begin_ns && middle_ns < range.end_ns;
  return inside_ns >= LEAST_INSIDE * (double) loom_time_sub (step.end_ns, step.begin_ns) &&
         step.begin_ns < range.end_ns;
}
