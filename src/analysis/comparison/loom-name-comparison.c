/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-comparison.h"

#include <stdlib.h>
#include <string.h>

void
loom_name_comparison_free (LoomNameComparison *changes)
{
  if (changes == NULL)
    return;
  g_clear_pointer (&changes->timelines[0], loom_timeline_unref);
  g_clear_pointer (&changes->timelines[1], loom_timeline_unref);
  g_array_unref (changes->rows);
  g_string_chunk_free (changes->texts);
  g_free (changes);
}

/* Returns the time range to compare in a run: its LoomNameComparisonRun.range or, if not set, the whole run. */
static LoomRange
get_range (const LoomNameComparisonRun *run)
{
  LoomRange extent = { 0, 0 };
  if (run->has_range)
    return run->range;
  loom_timeline_get_extent (run->timeline, &extent);
  /* ranges exclude their end: add 1 ns to include events at the last instant of the run */
  extent.end_ns++;
  return extent;
}

static guint
hash_change (gconstpointer data)
{
  const LoomNameChange *change = data;
  return g_str_hash (change->name) * 31 + g_str_hash (change->category);
}

static gboolean
is_same_name (gconstpointer a, gconstpointer b)
{
  const LoomNameChange *x = a, *y = b;
  return strcmp (x->name, y->name) == 0 && strcmp (x->category, y->category) == 0;
}

/* Makes a regular expression that matches parts of names that differ between runs and steps, such as addresses and
 * numbers after "#" or "rank". normalise() replaces them by "#", so that the same kind of work has one name. If `all`
 * is TRUE, the expression matches every number. */
static GRegex *
new_pattern (gboolean all)
{
  return g_regex_new (all ? "0x[0-9a-fA-F]+|[0-9]+" : "0x[0-9a-fA-F]+|#[0-9]+|(?<=rank)[ _:]?[0-9]+", G_REGEX_OPTIMIZE,
                      0, NULL);
}

/* Replaces each match of the pattern in the name by "#". The result is borrowed from `texts` or is `name` itself. Names
 * that are not UTF-8 are not changed. */
static const char *
normalise (GStringChunk *texts, const GRegex *pattern, const char *name)
{
  g_autofree char *text = g_regex_replace_literal (pattern, name, -1, 0, "#", 0, NULL);
  return text != NULL && strcmp (text, name) != 0 ? g_string_chunk_insert_const (texts, text) : name;
}

/* Adds the statistics of a name in run `which` (0 or 1) to the row of that name. */
static void
add_run (LoomNameChange *row, const LoomNameStats *stats, guint which)
{
  if (row->count[which] == 0 || stats->max_ns > row->max_ns[which]) {
    row->longest[which] = stats->longest;
    row->max_ns[which] = stats->max_ns;
  }
  row->count[which] += stats->count;
  row->total_ns[which] = loom_time_add (row->total_ns[which], stats->total_ns);
  row->in_range_ns[which] = loom_time_add (row->in_range_ns[which], stats->in_range_ns);
  row->mean_ns[which] = row->total_ns[which] / (gint64) row->count[which];
}

/* Returns the row of a name; adds the row if there is none. `indices` maps names to indices of the rows. The pointer is
 * valid until the next call of this function. */
static LoomNameChange *
find_row (GArray *rows, GHashTable *indices, const char *name, const char *category)
{
  LoomNameChange key = { .name = name, .category = category };
  gpointer index;
  if (!g_hash_table_lookup_extended (indices, &key, NULL, &index)) {
    key.work = loom_work_kind_classify (name, category, FALSE);
    index = GUINT_TO_POINTER (rows->len);
    g_array_append_val (rows, key);
    g_hash_table_insert (indices, g_memdup2 (&key, sizeof key), index);
  }
  return &g_array_index (rows, LoomNameChange, GPOINTER_TO_UINT (index));
}

static GHashTable *
new_indices (void)
{
  return g_hash_table_new_full (hash_change, is_same_name, g_free, NULL);
}

/* Returns TRUE if the statistics of a name can be compared. If one of the two runs is read from an index file, names of
 * work on the host cannot be compared: for this work, an index file stores sums instead of spans, so the number and the
 * mean duration of its spans differ from those of a trace. */
static gboolean
is_comparable (const LoomNameComparison *changes, const LoomNameStats *stats)
{
  return loom_work_kind_classify (stats->name, stats->category, FALSE) < LOOM_N_DEVICE_WORK ||
         (!loom_run_has_index (loom_timeline_get_run (changes->timelines[0])) &&
          !loom_run_has_index (loom_timeline_get_run (changes->timelines[1])));
}

static void
add_names (LoomNameComparison *changes, GHashTable *indices, const LoomRangeStatistics *stats, guint which)
{
  g_autoptr (GRegex) pattern = new_pattern (FALSE);
  const LoomNameStats *names = stats->names;
  for (guint i = 0; i < stats->n_names; i++) {
    if (!is_comparable (changes, &names[i]))
      continue;
    const char *name = normalise (changes->texts, pattern, names[i].name);
    add_run (find_row (changes->rows, indices, name, names[i].category), &names[i], which);
  }
}

static gboolean
is_in_both (const LoomNameChange *row)
{
  return row->count[0] > 0 && row->count[1] > 0;
}

static void
join (LoomNameChange *row, const LoomNameChange *other)
{
  for (guint i = 0; i < 2; i++) {
    LoomNameStats stats = { .count = other->count[i],
                            .total_ns = other->total_ns[i],
                            .in_range_ns = other->in_range_ns[i],
                            .max_ns = other->max_ns[i],
                            .longest = other->longest[i] };
    if (stats.count > 0)
      add_run (row, &stats, i);
    row->per_step_ns[i] += other->per_step_ns[i];
  }
}

/* Joins a row of a name that occurs only in the first run with a row of a name that occurs only in the second run, if
 * the names differ only in numbers: shapes and line numbers change from run to run. A row without such a counterpart
 * keeps its name. */
static void
join_by_pattern (LoomNameComparison *changes)
{
  g_autoptr (GRegex) pattern = new_pattern (TRUE);
  g_autoptr (GHashTable) indices = new_indices ();
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (LoomNameChange));
  g_autoptr (GArray) singles = changes->rows;
  changes->rows = g_array_new (FALSE, FALSE, sizeof (LoomNameChange));
  for (guint i = 0; i < singles->len; i++) {
    const LoomNameChange *row = &g_array_index (singles, LoomNameChange, i);
    if (is_in_both (row))
      g_array_append_val (changes->rows, *row);
    else
      join (find_row (groups, indices, normalise (changes->texts, pattern, row->name), row->category), row);
  }
  for (guint i = 0; i < singles->len; i++) {
    const LoomNameChange *row = &g_array_index (singles, LoomNameChange, i);
    if (!is_in_both (row) &&
        !is_in_both (find_row (groups, indices, normalise (changes->texts, pattern, row->name), row->category)))
      g_array_append_val (changes->rows, *row);
  }
  for (guint i = 0; i < groups->len; i++)
    if (is_in_both (&g_array_index (groups, LoomNameChange, i)))
      g_array_append_val (changes->rows, g_array_index (groups, LoomNameChange, i));
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LoomNameChange *x = a, *y = b;
  gboolean x_both = is_in_both (x), y_both = is_in_both (y);
  if (x_both != y_both)
    return x_both ? -1 : 1;
  gint64 x_ns = x_both ? llabs (x->mean_ns[1] - x->mean_ns[0]) : loom_time_add (x->in_range_ns[0], x->in_range_ns[1]);
  gint64 y_ns = y_both ? llabs (y->mean_ns[1] - y->mean_ns[0]) : loom_time_add (y->in_range_ns[0], y->in_range_ns[1]);
  return x_ns != y_ns ? (x_ns < y_ns ? 1 : -1) : strcmp (x->name, y->name);
}

/* --- time per step of each name ----------------------------------------------------------------------------------- */

/* A set of tracks whose times are divided by the same number of steps to get times per step: the tracks of one rank, or
 * all tracks that belong to no rank with steps. */
typedef struct {
  LoomRange range;   /* from the start of the first step to the end of the last one */
  double n_steps;    /* number of steps; divisor of the times of spans on the host */
  double n_recorded; /* number of steps with recorded devices; divisor of times on devices; 0: n_steps is used */
  const char *node;  /* NULL: unknown */
  gint rank;         /* −1: unknown */
  guint32 trace;     /* index of the trace that contains the first step of the rank */
  GArray *tracks;    /* LoomTrackId: the tracks of this set */
} Slice;

static void
clear_slice (gpointer slice)
{
  g_array_unref (((Slice *) slice)->tracks);
}

static gboolean
owns (const Slice *slice, guint32 trace, const LoomTrack *track)
{
  gboolean same_node = track->node == NULL || slice->node == NULL || strcmp (track->node, slice->node) == 0;
  return same_node && track->rank == slice->rank && (track->rank >= 0 || trace == slice->trace);
}

static Slice
make_slice (const LoomRankSteps *rank)
{
  return (Slice) { .range = { rank->steps[0].begin_ns, rank->steps[rank->n_steps - 1].end_ns },
                   .n_steps = rank->n_steps,
                   .n_recorded = rank->has_device ? rank->n_recorded : 0,
                   .node = rank->node,
                   .rank = rank->rank,
                   .trace = rank->steps[0].span.trace,
                   .tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId)) };
}

/* Returns the Slice of the tracks that belong to no rank with steps, still without tracks. Its range covers the steps
 * of all ranks, and its numbers of steps (n_steps and n_recorded) are the means over the ranks. */
static Slice
make_rest (const GArray *slices)
{
  Slice rest = { .range = { G_MAXINT64, G_MININT64 }, .tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId)) };
  guint n_with_devices = 0;
  for (guint i = 0; i < slices->len; i++) {
    const Slice *slice = &g_array_index (slices, Slice, i);
    rest.range.begin_ns = MIN (rest.range.begin_ns, slice->range.begin_ns);
    rest.range.end_ns = MAX (rest.range.end_ns, slice->range.end_ns);
    rest.n_steps += slice->n_steps / slices->len;
    rest.n_recorded += slice->n_recorded;
    n_with_devices += slice->n_recorded > 0;
  }
  rest.n_recorded /= MAX (n_with_devices, 1);
  return rest;
}

/* Adds each track to the Slice (set of tracks) of its rank. The last element of `slices` gets the tracks that belong to
 * no rank with steps. */
static void
assign_tracks (GArray *slices, LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    guint at = 0; /* most tracks of a trace belong to one rank, so try the slice of the previous track first */
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      const LoomTrackId id = { i, k };
      if ((track->kind != LOOM_TRACK_SPANS && track->kind != LOOM_TRACK_ASYNC) ||
          (track->flags & LOOM_TRACK_DERIVED) != 0)
        continue;
      if (at == slices->len - 1 || !owns (&g_array_index (slices, Slice, at), i, track))
        for (at = 0; at < slices->len - 1 && !owns (&g_array_index (slices, Slice, at), i, track);)
          at++;
      g_array_append_val (g_array_index (slices, Slice, at).tracks, id);
    }
  }
}

/* Returns a Slice for each rank with steps, and one for the remaining tracks. Owned by the caller; empty if the run has
 * no steps. */
static GArray *
cut_slices (const LoomNameComparisonRun *run)
{
  GArray *slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  g_array_set_clear_func (slices, clear_slice);
  for (guint i = 0; run->breakdown != NULL && i < run->breakdown->n_ranks; i++) {
    const Slice slice = make_slice (&run->breakdown->ranks[i]);
    g_array_append_val (slices, slice);
  }
  if (slices->len == 0)
    return slices;
  const Slice rest = make_rest (slices);
  g_array_append_val (slices, rest);
  assign_tracks (slices, loom_timeline_get_run (run->timeline));
  return slices;
}

static void
add_step_times (LoomNameComparison *changes, GHashTable *indices, const LoomRangeStatistics *stats, const Slice *slice,
                guint which)
{
  g_autoptr (GRegex) pattern = new_pattern (FALSE);
  for (guint i = 0; i < stats->n_names; i++) {
    const LoomNameStats *own = &stats->names[i];
    if (!is_comparable (changes, own))
      continue;
    LoomNameChange *row =
      find_row (changes->rows, indices, normalise (changes->texts, pattern, own->name), own->category);
    gboolean is_of_device = row->work < LOOM_N_DEVICE_WORK && slice->n_recorded > 0;
    row->per_step_ns[which] += (double) own->in_range_ns / (is_of_device ? slice->n_recorded : slice->n_steps);
  }
}

/* Adds the statistics of all names of one run to the comparison. Returns FALSE when cancelled. */
static gboolean
read_run (LoomNameComparison *changes, GHashTable *indices, const LoomNameComparisonRun *run, guint which,
          GCancellable *cancellable)
{
  g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (run->timeline));
  g_autoptr (GArray) slices = cut_slices (run);
  gboolean whole = !run->in_steps || slices->len == 0;
  g_autoptr (LoomRangeStatistics) all =
    whole ? loom_range_statistics_new_with_names (run->timeline, names, get_range (run), NULL, 0, cancellable) : NULL;
  if (whole && all == NULL)
    return FALSE;
  if (whole)
    add_names (changes, indices, all, which);
  for (guint i = 0; i < slices->len; i++) {
    const Slice *slice = &g_array_index (slices, Slice, i);
    if (slice->tracks->len == 0)
      continue;
    g_autoptr (LoomRangeStatistics) own = loom_range_statistics_new_with_names (
      run->timeline, names, slice->range, (const LoomTrackId *) (gpointer) slice->tracks->data, slice->tracks->len,
      cancellable);
    if (own == NULL)
      return FALSE;
    if (!whole)
      add_names (changes, indices, own, which);
    add_step_times (changes, indices, own, slice, which);
  }
  return TRUE;
}

/* --- public functions --------------------------------------------------------------------------------------------- */

LoomNameComparison *
loom_name_comparison_new_of_steps (const LoomNameComparisonRun runs[2], GCancellable *cancellable)
{
  g_autoptr (LoomNameComparison) changes = g_new0 (LoomNameComparison, 1);
  g_autoptr (GHashTable) indices = new_indices ();
  changes->rows = g_array_new (FALSE, FALSE, sizeof (LoomNameChange));
  changes->texts = g_string_chunk_new (4096);
  for (guint i = 0; i < 2; i++)
    changes->timelines[i] = loom_timeline_ref (runs[i].timeline);
  for (guint i = 0; i < 2; i++)
    if (!read_run (changes, indices, &runs[i], i, cancellable))
      return NULL;
  join_by_pattern (changes);
  g_array_sort (changes->rows, compare_rows);
  return g_steal_pointer (&changes);
}

LoomNameComparison *
loom_name_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable)
{
  const LoomNameComparisonRun runs[] = { { .timeline = first }, { .timeline = second } };
  return loom_name_comparison_new_of_steps (runs, cancellable);
}
