/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-phase-intervals.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-statistics.h"

typedef struct {
  const LoomDataFrame *frame;
  gboolean as_written;
  /* intervals are cut to this range; if numbers are computed as smdebug does, this range is all of time, so that
   * nothing is cut */
  LoomRange range;
  gint64 unit_ns; /* distance between the end of an interval and the start of the next one */
  guint32 host_id;
  const char *mode;
  GArray *steps;     /* LoomPhaseInterval, names borrowed */
  GArray *intervals; /* LoomPhaseInterval: the intervals found so far, of all phases */
} Maker;

static void
add_steps (Maker *maker)
{
  const LoomDataFrameRows *rows = &maker->frame->rows;
  const guint32 *steps = maker->frame->step_rows;
  guint n = maker->frame->n_step_rows;
  if (!maker->as_written)
    steps = loom_data_frame_get_host_steps (maker->frame, maker->host_id, &n);
  for (guint k = 0; k < n; k++) {
    guint32 i = steps[k];
    LoomPhaseInterval step = { rows->start_ns[i], rows->end_ns[i],
                               (char *) loom_data_frame_get_text (maker->frame, rows->metric[i]) };
    if (maker->mode == NULL || strcmp (maker->mode, step.name) == 0)
      g_array_append_val (maker->steps, step);
  }
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const LoomPhaseInterval *x = a, *y = b;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->end_ns < y->end_ns ? -1 : x->end_ns > y->end_ns;
}

static gboolean
has_several_modes (const GArray *steps)
{
  for (guint i = 1; i < steps->len; i++)
    if (strcmp (g_array_index (steps, LoomPhaseInterval, i).name, g_array_index (steps, LoomPhaseInterval, 0).name) !=
        0)
      return TRUE;
  return FALSE;
}

static void
join_steps (GArray *steps)
{
  LoomPhaseInterval *at = (LoomPhaseInterval *) steps->data;
  guint n = 0;
  for (guint i = 0; i < steps->len; i++) {
    if (n > 0 && strcmp (at[n - 1].name, at[i].name) == 0) {
      at[n - 1].begin_ns = MIN (at[n - 1].begin_ns, at[i].begin_ns);
      at[n - 1].end_ns = MAX (at[n - 1].end_ns, at[i].end_ns);
    } else {
      at[n++] = at[i];
    }
  }
  g_array_set_size (steps, n);
}

/* Adds an interval and takes ownership of its name. If the interval is outside the range, skips it. Exception: if
 * numbers are computed as smdebug does, adds all intervals. */
static void
add (Maker *maker, gint64 begin_ns, gint64 end_ns, char *name)
{
  LoomPhaseInterval interval = { MAX (begin_ns, maker->range.begin_ns), MIN (end_ns, maker->range.end_ns), name };
  if (maker->as_written || interval.begin_ns <= interval.end_ns)
    g_array_append_val (maker->intervals, interval);
  else
    g_free (name);
}

static char *
name_of_gap (const char *a, const char *b)
{
  gboolean in_order = strcmp (a, b) <= 0;
  return g_strdup_printf (
    /* Translators: names of two training phases: "Between training and validation" */
    _ ("Between %s and %s"), in_order ? a : b, in_order ? b : a);
}

static void
add_all (Maker *maker)
{
  const LoomPhaseInterval *steps = (const LoomPhaseInterval *) maker->steps->data;
  guint n = maker->steps->len;
  gint64 first_ns, last_ns;
  gboolean has_samples = loom_data_frame_get_sample_extent (maker->frame, &first_ns, &last_ns);
  if (has_samples)
    add (maker, first_ns, steps[0].begin_ns - maker->unit_ns,
         g_strdup_printf (
           /* Translators: %s is the name of a training phase */
           _ ("Before %s"), steps[0].name));
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      add (maker, steps[i - 1].end_ns + maker->unit_ns, steps[i].begin_ns - maker->unit_ns,
           name_of_gap (steps[i - 1].name, steps[i].name));
    add (maker, steps[i].begin_ns, steps[i].end_ns, g_strdup (steps[i].name));
  }
  if (has_samples)
    add (maker, steps[n - 1].end_ns + maker->unit_ns, last_ns,
         g_strdup_printf (
           /* Translators: %s is the name of a training phase */
           _ ("After %s"), steps[n - 1].name));
}

void
loom_phase_intervals_init (LoomPhaseIntervals *intervals, const LoomDataFrame *frame, guint32 host_id, const char *mode)
{
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  LoomRange range = as_written ? (LoomRange) { G_MININT64, G_MAXINT64 } : frame->range;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (LoomPhaseInterval));
  Maker maker = { as_written ? frame : loom_data_frame_get_whole (frame),
                  as_written,
                  range,
                  as_written ? LOOM_NS_PER_US : 1,
                  host_id,
                  mode,
                  steps,
                  g_array_new (FALSE, FALSE, sizeof (LoomPhaseInterval)) };
  add_steps (&maker);
  if (!as_written)
    g_array_sort (steps, compare_steps);
  if (!as_written || has_several_modes (steps))
    join_steps (steps);
  if (steps->len > 0)
    add_all (&maker);
  intervals->n = maker.intervals->len;
  intervals->items = (LoomPhaseInterval *) g_array_free (maker.intervals, FALSE);
}

void
loom_phase_intervals_clear (LoomPhaseIntervals *intervals)
{
  for (guint i = 0; i < intervals->n; i++)
    g_free (intervals->items[i].name);
  g_clear_pointer (&intervals->items, g_free);
}
