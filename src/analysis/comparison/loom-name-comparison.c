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

static LoomRangeStatistics *
stats_of (LoomTimeline *timeline, GCancellable *cancellable)
{
  LoomRange extent = { 0, 0 };
  loom_timeline_get_extent (timeline, &extent);
  /* ends of ranges are exclusive: add 1 ns, to include events that start at the last instant of the run */
  extent.end_ns++;
  return loom_range_statistics_new (timeline, extent, NULL, 0, cancellable);
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

/* Makes the pattern that replaces numbers in names by "#", so that the same kind of work has the same name in all runs
 * and steps. It matches addresses and numbers after "#" or "rank"; with `all`, it matches every number. */
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
  row->mean_ns[which] = row->total_ns[which] / (gint64) row->count[which];
}

/* Returns the row of the name; adds it if there is none. The pointer is valid until the next call. `indices` maps names
 * to indices of the rows. */
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

/* Returns FALSE for a name on the host if one of the two runs is read from an index: an index has sums instead of
 * spans, so the number and the mean of the spans cannot be compared with those of a trace. */
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
    LoomNameStats stats = {
      .count = other->count[i], .total_ns = other->total_ns[i], .max_ns = other->max_ns[i], .longest = other->longest[i]
    };
    if (stats.count > 0)
      add_run (row, &stats, i);
  }
}

/* Joins a row of a name that occurs only in one run with a row of a name that occurs only in the other run, if the
 * names differ only in numbers: shapes and line numbers change from run to run. A row without such a counterpart keeps
 * its name. */
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
  gint64 x_ns = x_both ? llabs (x->mean_ns[1] - x->mean_ns[0]) : x->total_ns[0] + x->total_ns[1];
  gint64 y_ns = y_both ? llabs (y->mean_ns[1] - y->mean_ns[0]) : y->total_ns[0] + y->total_ns[1];
  return x_ns != y_ns ? (x_ns < y_ns ? 1 : -1) : strcmp (x->name, y->name);
}

LoomNameComparison *
loom_name_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable)
{
  g_autoptr (LoomRangeStatistics) a = stats_of (first, cancellable),
                                  b = a != NULL ? stats_of (second, cancellable) : NULL;
  if (b == NULL)
    return NULL;
  LoomNameComparison *changes = g_new0 (LoomNameComparison, 1);
  changes->timelines[0] = loom_timeline_ref (first);
  changes->timelines[1] = loom_timeline_ref (second);
  changes->rows = g_array_new (FALSE, FALSE, sizeof (LoomNameChange));
  changes->texts = g_string_chunk_new (4096);
  g_autoptr (GHashTable) indices = new_indices ();
  add_names (changes, indices, a, 0);
  add_names (changes, indices, b, 1);
  join_by_pattern (changes);
  g_array_sort (changes->rows, compare_rows);
  return changes;
}
