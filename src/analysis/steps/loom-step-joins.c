/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-joins.h"

#include <stdlib.h>
#include <string.h>

/* A recording of a step on one rank. `occurrence`: at first, the number of earlier steps on the rank that have the same
 * step number. join() then changes it, so that it is equal for all ranks that take a step of the run together. */
typedef struct {
  LoomStep *step; /* borrowed */
  guint occurrence;
} Record;

static int
compare_groups (const LoomStep *x, const LoomStep *y)
{
  gboolean trains[2] = { loom_steps_is_training (x), loom_steps_is_training (y) };
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return trains[0] != trains[1] ? (trains[0] ? -1 : 1) : strcmp (x->format, y->format);
}

static int
compare_ranks (const LoomStep *x, const LoomStep *y)
{
  return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : g_strcmp0 (x->node, y->node);
}

/* Sorts records by step number, then by rank, then by time. */
static int
compare_records (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = ((const Record *) a)->step, *y = ((const Record *) b)->step;
  int order = compare_groups (x, y);
  if (order == 0)
    order = compare_ranks (x, y);
  if (order == 0)
    order = x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
  return order != 0 ? order : x < y ? -1 : x > y;
}

/* Returns how many records, beginning with `first`, are equal to `first` according to `compare`. Stops at the first
 * record that differs, so equal records must be neighbours. Examines at most `n` records. */
static guint
count_equal (const Record *first, guint n, int (*compare) (const LoomStep *, const LoomStep *))
{
  guint equal = 1;
  while (equal < n && compare (first[equal].step, first->step) == 0)
    equal++;
  return equal;
}

/* Numbers the occurrences of a step number on one rank. `records`: the rank's `n` records of this step number, sorted
 * by time. Records that overlap belong to one occurrence, because they are several recordings of the same step. Returns
 * the number of occurrences. */
static guint
count_occurrences (Record *records, guint n)
{
  gint64 end_ns = records->step->end_ns;
  for (guint i = 1; i < n; i++) {
    records[i].occurrence = records[i - 1].occurrence + (records[i].step->begin_ns >= end_ns);
    end_ns = MAX (end_ns, records[i].step->end_ns);
  }
  return records[n - 1].occurrence + 1;
}

/* Returns by how many ns two steps overlap. If they do not overlap, returns a negative number, whose absolute value
 * is their distance in ns. */
static gint64
get_overlap (const LoomStep *a, const LoomStep *b)
{
  return MIN (a->end_ns, b->end_ns) - MAX (a->begin_ns, b->begin_ns);
}

/* Returns the record in `model` that overlaps `step` most, among those whose occurrence is at most `last`. `model`: `n`
 * records of one rank, sorted by time. */
static const Record *
find_overlap (const Record *model, guint n, const LoomStep *step, guint last)
{
  const Record *best = model;
  for (guint i = 1; i < n && model[i].occurrence <= last && model[i - 1].step->begin_ns < step->end_ns; i++)
    if (get_overlap (model[i].step, step) > get_overlap (best->step, step))
      best = &model[i];
  return best;
}

/* Renumbers the occurrences of a step number on one rank that has fewer occurrences (`n_own`) than another rank
 * (`n_all`). `model`: records of the other rank. In the order of time, each occurrence gets the number of the
 * occurrence in `model` that it overlaps most; no number is used twice. */
static void
follow (Record *records, guint n, guint n_own, const Record *model, guint n_model, guint n_all)
{
  guint first = 0;            /* index of the first record of `model` that is not used yet */
  guint previous = G_MAXUINT; /* the occurrence of the previous record, as it was before it was renumbered */
  for (guint i = 0; i < n; i++) {
    const guint own = records[i].occurrence;
    if (own == previous) {
      records[i].occurrence = records[i - 1].occurrence;
      continue;
    }
    const Record *best = find_overlap (&model[first], n_model - first, records[i].step, n_all - (n_own - own));
    previous = own;
    records[i].occurrence = best->occurrence;
    while (first < n_model && model[first].occurrence <= best->occurrence)
      first++;
  }
}

/* Finds which records of one step number, on all ranks, belong to the same step of the run. Returns the number of steps
 * of the run that have this step number. */
static guint
join (Record *records, guint n)
{
  guint model = 0, n_model = 0, n_all = 0;
  for (guint i = 0, own; i < n; i += own) {
    own = count_equal (&records[i], n - i, compare_ranks);
    guint occurrences = count_occurrences (&records[i], own);
    if (occurrences > n_all) {
      model = i;
      n_model = own;
      n_all = occurrences;
    }
  }
  for (guint i = 0, own; i < n; i += own) {
    own = count_equal (&records[i], n - i, compare_ranks);
    guint occurrences = records[i + own - 1].occurrence + 1;
    if (occurrences < n_all)
      follow (&records[i], own, occurrences, &records[model], n_model, n_all);
  }
  return n_all;
}

typedef struct {
  gint64 begin_ns; /* the earliest start of the step on any rank */
  guint32 index;   /* index of the step before sorting */
} RunStep;

static int
compare_run_steps (gconstpointer a, gconstpointer b)
{
  const RunStep *x = a, *y = b;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Renumbers the `n` steps of the run by their earliest start on any rank. */
static void
sort_by_time (const GArray *records, guint n)
{
  g_autofree RunStep *sorted = g_new (RunStep, n + 1);
  g_autofree guint32 *place = g_new (guint32, n + 1); /* for each index before sorting, the index after sorting */
  for (guint i = 0; i < n; i++)
    sorted[i] = (RunStep) { G_MAXINT64, i };
  for (guint i = 0; i < records->len; i++) {
    const LoomStep *step = g_array_index (records, Record, i).step;
    sorted[step->run_step].begin_ns = MIN (sorted[step->run_step].begin_ns, step->begin_ns);
  }
  qsort (sorted, n, sizeof *sorted, compare_run_steps);
  for (guint i = 0; i < n; i++)
    place[sorted[i].index] = i;
  for (guint i = 0; i < records->len; i++) {
    LoomStep *step = g_array_index (records, Record, i).step;
    step->run_step = place[step->run_step];
  }
}

void
loom_step_joins_set (GArray *steps)
{
  g_autoptr (GArray) records = g_array_sized_new (FALSE, FALSE, sizeof (Record), steps->len);
  guint32 first = 0;
  for (guint i = 0; i < steps->len; i++) {
    const Record record = { &g_array_index (steps, LoomStep, i), 0 };
    record.step->run_step = LOOM_NO_RUN_STEP;
    if (record.step->number >= 0)
      g_array_append_val (records, record);
  }
  g_array_sort (records, compare_records);
  for (guint i = 0, n; i < records->len; i += n) {
    Record *own = &g_array_index (records, Record, i);
    n = count_equal (own, records->len - i, compare_groups);
    guint joined = join (own, n);
    for (guint k = 0; k < n; k++)
      own[k].step->run_step = first + own[k].occurrence;
    first += joined;
  }
  sort_by_time (records, first);
}
