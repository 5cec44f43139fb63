/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-marks.h"

#include <string.h>

#include "loom-data-frame-private.h"
#include "loom-rank-key.h"
#include "loom-step-collector.h"

/* One step on one rank, which may have been recorded several times. */
typedef struct {
  LoomRankKey rank;
  guint32 run_step;        /* LoomStep.run_step */
  const LoomStep *longest; /* the longest of the rank's recordings of the step */
} RankStep;

static guint
hash_rank_step (gconstpointer step)
{
  return loom_rank_key_hash (&((const RankStep *) step)->rank) * 31 + ((const RankStep *) step)->run_step;
}

static gboolean
is_same_rank_step (gconstpointer a, gconstpointer b)
{
  const RankStep *x = a, *y = b;
  return x->run_step == y->run_step && loom_rank_key_equal (&x->rank, &y->rank);
}

static guint8 *
get_mark (LoomRun *run, guint8 **marks, LoomSpanId span)
{
  guint8 **own = &marks[span.trace];
  if (*own == NULL)
    *own = g_new0 (guint8, loom_trace_get_spans (loom_run_get_trace (run, span.trace))->n);
  return &(*own)[span.span];
}

/* Returns the RankStep of a recorded step. `known`: set of RankStep; the member `longest` of an element is the longest
 * recording of the step so far. If the set does not contain the step, adds a RankStep with `step` as the longest
 * recording. */
static RankStep *
find_longest (GHashTable *known, const LoomStep *step)
{
  const RankStep one = { loom_rank_key (step->node, step->rank, step->span.trace), step->run_step, step };
  RankStep *found = g_hash_table_lookup (known, &one);
  if (found != NULL)
    return found;
  found = g_memdup2 (&one, sizeof one);
  g_hash_table_add (known, found);
  return found;
}

/* Marks a span as an additional recording of a step. Exception: does not mark callbacks of Composer; they record a
 * step, too, but they are also work inside the step. */
static void
mark_again (LoomRun *run, guint8 **marks, LoomSpanId span)
{
  const LoomTrace *trace = loom_run_get_trace (run, span.trace);
  guint32 name = loom_trace_get_spans (trace)->name_id[span.span];
  *get_mark (run, marks, span) =
    loom_step_collector_is_mark (loom_trace_get_name (trace, name)) ? 0 : LOOM_STEP_MARKS_AGAIN;
}

static void
mark_step (LoomRun *run, guint8 **marks, GHashTable *known, const LoomStep *step)
{
  gboolean training = step->mode == LOOM_STEP_TRAIN || step->mode == LOOM_STEP_GLOBAL;
  RankStep *rank = step->run_step != LOOM_NO_RUN_STEP ? find_longest (known, step) : NULL;
  const LoomStep *longest = rank != NULL ? rank->longest : step;
  gboolean is_shorter = longest != step && step->end_ns - step->begin_ns <= longest->end_ns - longest->begin_ns;
  mark_again (run, marks, is_shorter ? step->span : longest->span);
  if (is_shorter)
    return;
  *get_mark (run, marks, step->span) = LOOM_ROW_STEP | (training ? LOOM_ROW_TRAIN : 0);
  if (rank != NULL)
    rank->longest = step;
}

void
loom_step_marks_set (const LoomSteps *steps, LoomRun *run, guint8 **marks, GHashTable *numbers)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (hash_rank_step, is_same_rank_step, g_free, NULL);
  for (guint i = 0; i < steps->n && steps->n_reference > 0; i++) {
    const LoomStep *step = &steps->all[i];
    if (strcmp (step->format, steps->reference->format) != 0) {
      mark_again (run, marks, step->span);
      continue;
    }
    mark_step (run, marks, known, step);
    if (step->number >= 0 && step->number < G_MAXINT32)
      g_hash_table_insert (numbers, loom_data_frame_span_key (step->span), GINT_TO_POINTER ((gint) step->number + 1));
  }
}
