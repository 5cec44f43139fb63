/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-steps.h"

#include <string.h>

#include "loom-step-collector.h"
#include "loom-step-joins.h"

/* Some steps of one rank and one format: either all its training steps, or all its steps of other modes. They are the
 * elements [first, first + n) of LoomSteps.by_line. */
typedef struct {
  const char *node;
  gint rank;
  guint first, n;
} Line;

const char *
loom_step_mode_to_string (LoomStepMode mode)
{
  static const char *const words[] = { "train", "eval", "predict", "global" };
  return words[mode <= LOOM_STEP_GLOBAL ? mode : LOOM_STEP_TRAIN];
}

/* --- steps that the ruler shows --------------------------------------------------------------------------------- */

gboolean
loom_steps_is_training (const LoomStep *step)
{
  return step->mode == LOOM_STEP_TRAIN || step->mode == LOOM_STEP_GLOBAL;
}

static const char *
find_main_format (const GArray *all)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  const char *best = NULL;
  guint most = 0;
  for (guint i = 0; i < all->len; i++) {
    gpointer format = (gpointer) g_array_index (all, LoomStep, i).format;
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, format)) + 1;
    g_hash_table_insert (counts, format, GUINT_TO_POINTER (n));
    if (n > most) {
      most = n;
      best = format;
    }
  }
  return best;
}

/* Returns a key by which ranks and modes are sorted: lower ranks come first, unknown ranks last; within a rank,
 * training comes before other modes. */
static gint64
preference (const LoomStep *step)
{
  gint64 rank = step->rank >= 0 ? step->rank : G_MAXINT32;
  return rank * 2 + !loom_steps_is_training (step);
}

static void
choose_reference (LoomSteps *steps)
{
  const char *format = find_main_format (steps->all_steps);
  const LoomStep *first = NULL;
  for (guint i = 0; i < steps->all_steps->len; i++) {
    const LoomStep *step = &g_array_index (steps->all_steps, LoomStep, i);
    if (strcmp (step->format, format) == 0 && (first == NULL || preference (step) < preference (first)))
      first = step;
  }
  for (guint i = 0; i < steps->all_steps->len; i++) {
    const LoomStep *step = &g_array_index (steps->all_steps, LoomStep, i);
    if (strcmp (step->format, format) == 0 && preference (step) == preference (first) &&
        g_strcmp0 (step->node, first->node) == 0)
      g_array_append_vals (steps->all_reference, step, 1);
  }
}

/* --- steps of each rank ----------------------------------------------------------------------------------------- */

/* Compares steps by rank. Within a rank, the main format (the format with most steps) comes first; within a format,
 * training steps come before steps of other modes. */
static int
compare_for_lines (gconstpointer a, gconstpointer b, gpointer main_format)
{
  const LoomStep *x = a, *y = b;
  int nodes = g_strcmp0 (x->node, y->node), formats = strcmp (x->format, y->format);
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (nodes != 0)
    return nodes;
  if (formats != 0)
    return strcmp (x->format, main_format) == 0 ? -1 : strcmp (y->format, main_format) == 0 ? 1 : formats;
  if (loom_steps_is_training (x) != loom_steps_is_training (y))
    return loom_steps_is_training (x) ? -1 : 1;
  return loom_step_collector_compare (a, b);
}

static gboolean
is_same_rank (const LoomStep *a, const LoomStep *b)
{
  return a->rank == b->rank && g_strcmp0 (a->node, b->node) == 0;
}

static gboolean
counts_as (const LoomStep *a, const LoomStep *b)
{
  return is_same_rank (a, b) && strcmp (a->format, b->format) == 0 &&
         loom_steps_is_training (a) == loom_steps_is_training (b);
}

static void
find_lines (LoomSteps *steps)
{
  g_array_append_vals (steps->by_line, steps->all_steps->data, steps->all_steps->len);
  g_array_sort_with_data (steps->by_line, compare_for_lines, (gpointer) find_main_format (steps->all_steps));
  for (guint i = 0; i < steps->by_line->len; i++) {
    const LoomStep *step = &g_array_index (steps->by_line, LoomStep, i), *before = i > 0 ? step - 1 : NULL;
    steps->n_ranks += before == NULL || !is_same_rank (before, step);
    if (before == NULL || !counts_as (before, step)) {
      Line line = { step->node, step->rank, i, 0 };
      g_array_append_val (steps->lines, line);
    }
    g_array_index (steps->lines, Line, steps->lines->len - 1).n++;
  }
}

static LoomSteps *
new_empty (LoomTimeline *timeline)
{
  LoomSteps *steps = g_new0 (LoomSteps, 1);
  g_atomic_ref_count_init (&steps->refs);
  steps->timeline = loom_timeline_ref (timeline);
  steps->all_steps = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  steps->all_reference = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  steps->by_line = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  steps->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  return steps;
}

/* Sets the public members of a LoomSteps, and also its private members `lines` and `by_line`. All are computed from its
 * member all_steps. */
static void
fill (LoomSteps *steps)
{
  choose_reference (steps);
  find_lines (steps);
  steps->all = (const LoomStep *) (gpointer) steps->all_steps->data;
  steps->n = steps->all_steps->len;
  steps->reference = (const LoomStep *) (gpointer) steps->all_reference->data;
  steps->n_reference = steps->all_reference->len;
}

LoomSteps *
loom_steps_new (LoomTimeline *timeline, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomSteps) steps = new_empty (timeline);
  if (!loom_step_collector_collect (timeline, steps->all_steps, cancellable))
    return NULL;
  loom_step_joins_set (steps->all_steps);
  fill (steps);
  return g_steal_pointer (&steps);
}

LoomSteps *
loom_steps_ref (LoomSteps *steps)
{
  g_atomic_ref_count_inc (&steps->refs);
  return steps;
}

void
loom_steps_unref (LoomSteps *steps)
{
  if (steps == NULL || !g_atomic_ref_count_dec (&steps->refs))
    return;
  g_array_unref (steps->all_steps);
  g_array_unref (steps->all_reference);
  g_array_unref (steps->by_line);
  g_array_unref (steps->lines);
  loom_steps_unref (steps->whole);
  loom_timeline_unref (steps->timeline);
  g_free (steps);
}

/* Returns the last step that begins at or before the time; NULL if there is none. */
static const LoomStep *
last_until (const LoomStep *steps, guint n, gint64 time_ns)
{
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (steps[middle].begin_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &steps[low - 1] : NULL;
}

const LoomStep *
loom_steps_at (const LoomSteps *steps, gint64 time_ns)
{
  return last_until (steps->reference, steps->n_reference, time_ns);
}

const LoomStep *
loom_steps_get_by_rank (const LoomSteps *steps, guint *n)
{
  *n = steps->by_line->len;
  return (const LoomStep *) (gpointer) steps->by_line->data;
}

/* Returns how well an element of LoomSteps.lines fits a query; larger is better; always greater than 0. `step`: the
 * element's last step that begins at or before the time, or NULL. `first`: the element's first step. The best fit is an
 * element whose `step` contains the time. The next best is an element of the format `format` that has a `step`, then
 * any other element that has a `step`, then an element without `step`. */
static guint
fitness (const LoomStep *step, const LoomStep *first, const char *format, gint64 time_ns)
{
  gboolean holds = step != NULL && (time_ns < step->end_ns || time_ns == step->begin_ns);
  gboolean own = format != NULL && strcmp (first->format, format) == 0;
  return 1 + 4 * holds + 2 * (own && step != NULL) + (step != NULL);
}

gboolean
loom_steps_at_rank (const LoomSteps *steps, const char *node, gint rank, const char *format, gint64 time_ns,
                    const LoomStep **step)
{
  guint best = 0;
  const LoomStep *all = (const LoomStep *) (gpointer) steps->by_line->data;
  for (guint i = 0; rank >= 0 && i < steps->lines->len; i++) {
    const Line *line = &g_array_index (steps->lines, Line, i);
    if (line->rank != rank || (node != NULL && line->node != NULL && strcmp (node, line->node) != 0))
      continue;
    const LoomStep *found = last_until (all + line->first, line->n, time_ns);
    guint fits = fitness (found, all + line->first, format, time_ns);
    if (fits > best)
      *step = found;
    best = MAX (best, fits);
  }
  return best > 0;
}

/* --- time ranges of steps ----------------------------------------------------------------------------------------- */

gboolean
loom_steps_get_numbers (const LoomSteps *steps, gint64 *first, gint64 *last)
{
  gboolean any = FALSE;
  for (guint i = 0; i < steps->all_steps->len; i++) {
    gint64 number = g_array_index (steps->all_steps, LoomStep, i).number;
    if (number < 0)
      continue;
    *first = any ? MIN (*first, number) : number;
    *last = any ? MAX (*last, number) : number;
    any = TRUE;
  }
  return any;
}

/* Sets `range` to the earliest start and the latest end of the steps with numbers first to last − 1. Counts only
 * steps of `format`, or of all formats if it is NULL. If `training` is TRUE, counts only training steps; if FALSE,
 * only steps of other modes. Returns FALSE if there are no such steps. */
static gboolean
cover (const LoomSteps *steps, const char *format, gboolean training, gint64 first, gint64 last, LoomRange *range)
{
  gboolean any = FALSE;
  for (guint i = 0; i < steps->all_steps->len; i++) {
    const LoomStep *step = &g_array_index (steps->all_steps, LoomStep, i);
    if (step->number < first || step->number >= last || loom_steps_is_training (step) != training ||
        (format != NULL && strcmp (format, step->format) != 0))
      continue;
    range->begin_ns = any ? MIN (range->begin_ns, step->begin_ns) : step->begin_ns;
    range->end_ns = any ? MAX (range->end_ns, step->end_ns) : step->end_ns;
    any = TRUE;
  }
  return any;
}

/* Like cover(), but chooses the format and the mode, and sets `format` and `training` to them. Tries four combinations,
 * until cover() returns TRUE: first the main format (the format with most steps), with training steps and then with
 * steps of other modes; then all formats (`format` is NULL), also with training steps first. */
static gboolean
cover_best (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range, const char **format,
            gboolean *training)
{
  *format = steps->all_reference->len > 0 ? g_array_index (steps->all_reference, LoomStep, 0).format : NULL;
  for (int other = 0; other < 2; other++) {
    for (*training = 1; *training >= 0; --*training)
      if (cover (steps, *format, *training, first, last, range))
        return TRUE;
    *format = NULL;
  }
  return FALSE;
}

gboolean
loom_steps_range (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range, LoomStepNumbers *numbers)
{
  const char *format;
  gboolean training;
  LoomRange next;
  if (!cover_best (steps, first, last, range, &format, &training))
    return FALSE;
  if (last < G_MAXINT64 && cover (steps, format, training, last, last + 1, &next) && next.begin_ns > range->begin_ns)
    range->end_ns = next.begin_ns;
  if (numbers != NULL)
    *numbers = (LoomStepNumbers) { format, first, last };
  return TRUE;
}

gboolean
loom_steps_range_inclusive (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range)
{
  const char *format;
  gboolean training;
  return cover_best (steps, first, last < G_MAXINT64 ? last + 1 : last, range, &format, &training);
}

static gboolean
is_selected (const LoomStep *step, LoomRange range, const LoomStepNumbers *numbers)
{
  if (numbers == NULL)
    return step->begin_ns >= range.begin_ns && step->end_ns <= range.end_ns;
  return step->number >= numbers->first && step->number < numbers->end && step->begin_ns < range.end_ns &&
         step->end_ns > range.begin_ns && (numbers->format == NULL || strcmp (numbers->format, step->format) == 0);
}

LoomSteps *
loom_steps_select (LoomSteps *steps, LoomRange range, const LoomStepNumbers *numbers)
{
  LoomSteps *selected = new_empty (steps->timeline);
  selected->whole = loom_steps_ref (loom_steps_get_whole (steps));
  for (guint i = 0; i < steps->n; i++)
    if (is_selected (&steps->all[i], range, numbers))
      g_array_append_vals (selected->all_steps, &steps->all[i], 1);
  fill (selected);
  return selected;
}

LoomSteps *
loom_steps_get_whole (LoomSteps *steps)
{
  return steps->whole != NULL ? steps->whole : steps;
}
