/* SPDX-License-Identifier: Apache-2.0
 *
 * Per trace the counts are kept in an array by name id; only then are equal names of different traces joined, so that
 * texts are compared once per name and not once per span.
 */
#include "loom-selection-stats.h"

#include <string.h>

#define CANCEL_EVERY 65536

struct _LoomSelectionStats {
  LoomTimeline *timeline; /* keeps the names alive */
  GArray *names;          /* LoomNameStats */
  guint64 count;
  gint64 total_ns;
};

typedef struct {
  LoomSelectionStats *stats;
  GHashTable *by_name; /* LoomNameStats of `names`, by text and category → index + 1 */
  GCancellable *cancellable;
  LoomRange range; /* timeline */
  /* Of the trace at hand. */
  guint number;
  LoomTrace *trace;
  const LoomSpans *spans;
  LoomNameStats *by_id;
} Pass;

static void
count_span (LoomNameStats *stats, guint number, guint32 span, gint64 dur_ns, gint64 in_range_ns)
{
  gboolean first = stats->count++ == 0;
  stats->total_ns = loom_time_add (stats->total_ns, dur_ns);
  stats->self_ns = loom_time_add (stats->self_ns, dur_ns);
  stats->in_range_ns = loom_time_add (stats->in_range_ns, in_range_ns);
  stats->min_ns = first ? dur_ns : MIN (stats->min_ns, dur_ns);
  if (first || dur_ns > stats->max_ns) {
    stats->max_ns = dur_ns;
    stats->longest = (LoomSpanId) { number, span };
  }
}

/* Takes what runs one depth below off the self time of the spans of `above` that touch the range. Both rows belong to
 * one lane, so every span of `below` lies inside one of `above`. */
static void
subtract_children (Pass *pass, const LoomRow *above, const LoomRow *below, LoomRange local)
{
  const LoomSpans *spans = pass->spans;
  guint32 parent = above->first + loom_row_first_ending_after (pass->trace, above, local.begin_ns);
  guint32 last = above->first + loom_row_lower_bound (pass->trace, above, local.end_ns);
  if (parent >= last)
    return;
  guint32 child = below->first + loom_row_lower_bound (pass->trace, below, spans->start_ns[parent]);
  for (; child < below->first + below->n; child++) {
    gint64 start = spans->start_ns[child], end = loom_time_add (start, spans->dur_ns[child]);
    while (parent + 1 < last && spans->start_ns[parent + 1] <= start)
      parent++;
    gint64 parent_end = loom_time_add (spans->start_ns[parent], spans->dur_ns[parent]);
    if (start > parent_end && parent + 1 == last)
      return;
    if (end <= parent_end)
      pass->by_id[spans->name_id[parent]].self_ns -= spans->dur_ns[child];
  }
}

/* FALSE when cancelled. */
static gboolean
count_row (Pass *pass, const LoomRow *row, LoomRange local)
{
  guint32 first = row->first + loom_row_first_ending_after (pass->trace, row, local.begin_ns);
  guint32 end = row->first + loom_row_lower_bound (pass->trace, row, local.end_ns);
  for (guint32 i = first; i < end; i++) {
    gint64 start = pass->spans->start_ns[i], dur = pass->spans->dur_ns[i];
    gint64 inside = loom_time_sub (MIN (loom_time_add (start, dur), local.end_ns), MAX (start, local.begin_ns));
    count_span (&pass->by_id[pass->spans->name_id[i]], pass->number, i, dur, MAX (inside, 0));
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (pass->cancellable))
      return FALSE;
  }
  return TRUE;
}

static gboolean
count_track (Pass *pass, const LoomTrack *track)
{
  const LoomClockMap *map = loom_timeline_get_map (pass->stats->timeline, pass->number, track->clock);
  LoomRange local = { loom_clock_map_to_local (map, pass->range.begin_ns),
                      loom_clock_map_to_local (map, pass->range.end_ns) };
  const LoomRow *above = NULL;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (pass->trace, track->first_row + k);
    if (!count_row (pass, row, local))
      return FALSE;
    if (above != NULL && above->lane == row->lane && above->depth + 1 == row->depth)
      subtract_children (pass, above, row, local);
    above = row;
  }
  return TRUE;
}

/* --- joining traces --------------------------------------------------------------------------------------------- */

static guint
hash_name (gconstpointer data)
{
  const LoomNameStats *stats = data;
  return g_str_hash (stats->name) * 31 + g_str_hash (stats->category);
}

static gboolean
equal_name (gconstpointer a, gconstpointer b)
{
  const LoomNameStats *x = a, *y = b;
  return strcmp (x->name, y->name) == 0 && strcmp (x->category, y->category) == 0;
}

static void
join (LoomNameStats *to, const LoomNameStats *from)
{
  to->min_ns = MIN (to->min_ns, from->min_ns);
  if (from->max_ns > to->max_ns) {
    to->max_ns = from->max_ns;
    to->longest = from->longest;
  }
  to->count += from->count;
  to->total_ns = loom_time_add (to->total_ns, from->total_ns);
  to->self_ns = loom_time_add (to->self_ns, from->self_ns);
  to->in_range_ns = loom_time_add (to->in_range_ns, from->in_range_ns);
}

static void
join_trace (Pass *pass)
{
  for (guint i = 0; i < loom_trace_get_n_names (pass->trace); i++) {
    LoomNameStats *mine = &pass->by_id[i];
    if (mine->count == 0)
      continue;
    const LoomName *name = loom_trace_get_name (pass->trace, i);
    mine->name = name->text;
    mine->category = name->category;
    guint known = GPOINTER_TO_UINT (g_hash_table_lookup (pass->by_name, mine));
    if (known > 0) {
      join (&g_array_index (pass->stats->names, LoomNameStats, known - 1), mine);
      continue;
    }
    g_array_append_vals (pass->stats->names, mine, 1);
    g_hash_table_insert (pass->by_name, g_memdup2 (mine, sizeof *mine), GUINT_TO_POINTER (pass->stats->names->len));
  }
}

/* --- the pass --------------------------------------------------------------------------------------------------- */

static gboolean
is_wanted (const LoomTrackId *tracks, gsize n_tracks, guint trace, guint index, const LoomTrack *track)
{
  if (track->kind != LOOM_TRACK_SPANS && track->kind != LOOM_TRACK_ASYNC)
    return FALSE;
  if (tracks == NULL)
    return (track->flags & LOOM_TRACK_DERIVED) == 0;
  for (gsize i = 0; i < n_tracks; i++)
    if (tracks[i].trace == trace && tracks[i].track == index)
      return TRUE;
  return FALSE;
}

static gboolean
count_trace (Pass *pass, guint number, const LoomTrackId *tracks, gsize n_tracks)
{
  pass->number = number;
  pass->trace = loom_run_get_trace (loom_timeline_get_run (pass->stats->timeline), number);
  pass->spans = loom_trace_get_spans (pass->trace);
  g_autofree LoomNameStats *by_id = g_new0 (LoomNameStats, MAX (loom_trace_get_n_names (pass->trace), 1));
  pass->by_id = by_id;
  for (guint i = 0; i < loom_trace_get_n_tracks (pass->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (pass->trace, i);
    if (is_wanted (tracks, n_tracks, number, i, track) && !count_track (pass, track))
      return FALSE;
  }
  join_trace (pass);
  return !g_cancellable_is_cancelled (pass->cancellable);
}

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  const LoomNameStats *x = a, *y = b;
  if (x->total_ns != y->total_ns)
    return x->total_ns > y->total_ns ? -1 : 1;
  int order = strcmp (x->name, y->name);
  return order != 0 ? order : strcmp (x->category, y->category);
}

static void
finish (LoomSelectionStats *stats)
{
  for (guint i = 0; i < stats->names->len; i++) {
    LoomNameStats *name = &g_array_index (stats->names, LoomNameStats, i);
    name->mean_ns = (gint64) (((guint64) name->total_ns + name->count / 2) / name->count);
    stats->count += name->count;
    stats->total_ns = loom_time_add (stats->total_ns, name->total_ns);
  }
  g_array_sort (stats->names, compare_totals);
}

LoomSelectionStats *
loom_selection_stats_new (LoomTimeline *timeline, LoomRange range, const LoomTrackId *tracks, gsize n_tracks,
                          GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomSelectionStats) stats = g_new0 (LoomSelectionStats, 1);
  g_autoptr (GHashTable) by_name = g_hash_table_new_full (hash_name, equal_name, g_free, NULL);
  stats->timeline = loom_timeline_ref (timeline);
  stats->names = g_array_new (FALSE, FALSE, sizeof (LoomNameStats));
  Pass pass = { .stats = stats, .by_name = by_name, .cancellable = cancellable, .range = range };
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (timeline));
  for (guint i = 0; i < n_traces; i++)
    if (!count_trace (&pass, i, tracks, n_tracks))
      return NULL;
  finish (stats);
  return g_steal_pointer (&stats);
}

void
loom_selection_stats_free (LoomSelectionStats *stats)
{
  if (stats == NULL)
    return;
  loom_timeline_unref (stats->timeline);
  g_array_unref (stats->names);
  g_free (stats);
}

const LoomNameStats *
loom_selection_stats_get (const LoomSelectionStats *stats, guint *n)
{
  *n = stats->names->len;
  return (const LoomNameStats *) (gpointer) stats->names->data;
}

guint64
loom_selection_stats_get_count (const LoomSelectionStats *stats)
{
  return stats->count;
}

gint64
loom_selection_stats_get_total_ns (const LoomSelectionStats *stats)
{
  return stats->total_ns;
}
