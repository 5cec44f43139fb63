/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-steps.h"

struct _LoomCustomRuleSteps {
  guint32 first;        /* index of the worker that has the first step; G_MAXUINT32: there are no steps */
  GPtrArray *by_worker; /* [worker] GArray of LoomRange; NULL: the worker has no steps */
};

static void
free_ranges (gpointer ranges)
{
  if (ranges != NULL)
    g_array_unref (ranges);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const LoomRange *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Sorts the steps of a worker, and removes steps that overlap an earlier step. */
static void
tidy (GArray *ranges)
{
  guint n = 0;
  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++) {
    LoomRange range = g_array_index (ranges, LoomRange, i);
    if (n == 0 || range.begin_ns >= g_array_index (ranges, LoomRange, n - 1).end_ns)
      g_array_index (ranges, LoomRange, n++) = range;
  }
  g_array_set_size (ranges, n);
}

static void
add_step (LoomCustomRuleSteps *self, guint32 worker, LoomRange range)
{
  GArray *ranges = self->by_worker->pdata[worker];
  if (ranges == NULL)
    ranges = self->by_worker->pdata[worker] = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  if (self->first == G_MAXUINT32)
    self->first = worker;
  if (range.end_ns > range.begin_ns)
    g_array_append_val (ranges, range);
}

/* Returns the range of a step if the whole step lies inside the range of the LoomDataFrame, whose end is inclusive.
 * Otherwise the LoomDataFrame lacks some spans of the step, and the result is an empty range. Two exceptions: if the
 * user has chosen steps by number, returns the step clipped to the range; if numbers are computed as smdebug does,
 * returns the whole step. */
static LoomRange
get_window (const LoomDataFrame *frame, LoomRange step)
{
  gint64 end_ns = loom_time_add (frame->range.end_ns, 1);
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    return step;
  if (frame->has_numbered_steps)
    return (LoomRange) { MAX (step.begin_ns, frame->range.begin_ns), MIN (step.end_ns, end_ns) };
  return step.begin_ns >= frame->range.begin_ns && step.end_ns <= end_ns ? step : (LoomRange) { 0, 0 };
}

LoomCustomRuleSteps *
loom_custom_rule_steps_new (const LoomDataFrame *frame)
{
  const LoomDataFrameRows *rows = &frame->rows;
  LoomCustomRuleSteps *self = g_new0 (LoomCustomRuleSteps, 1);
  self->first = G_MAXUINT32;
  self->by_worker = g_ptr_array_new_with_free_func (free_ranges);
  g_ptr_array_set_size (self->by_worker, (gint) frame->n_workers);
  for (guint k = 0; k < frame->n_step_rows; k++) {
    guint32 i = frame->step_rows[k];
    add_step (self, rows->worker[i], get_window (frame, (LoomRange) { rows->start_ns[i], rows->end_ns[i] }));
  }
  for (guint i = 0; i < self->by_worker->len; i++)
    if (self->by_worker->pdata[i] != NULL)
      tidy (self->by_worker->pdata[i]);
  return self;
}

void
loom_custom_rule_steps_free (LoomCustomRuleSteps *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->by_worker);
  g_free (self);
}

const GArray *
loom_custom_rule_steps_get (const LoomCustomRuleSteps *self, guint32 worker)
{
  worker = worker != G_MAXUINT32 ? worker : self->first;
  return worker < self->by_worker->len ? self->by_worker->pdata[worker] : NULL;
}
